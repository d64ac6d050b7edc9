import { silentClient } from '#adapters/mcp/protocol/client-requests.ts';
import type { MethodContext } from '#adapters/mcp/protocol/method.ts';
import { everyTool } from '#adapters/mcp/protocol/tool-choice.ts';
import type { User } from '#domain/users/user.ts';

/** The context of a method call, for a user whose client declares nothing special. */
export function contextOf(user: User): MethodContext {
  return {
    requestId: 1,
    send: null,
    user,
    era: 'legacy',
    choice: everyTool,
    signal: new AbortController().signal,
    client: silentClient,
    channel: null,
    capabilities: null,
    log: () => {},
  };
}
