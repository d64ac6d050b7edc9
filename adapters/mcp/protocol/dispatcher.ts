import type { ClientChannel } from '#adapters/mcp/protocol/client-channel.ts';
import type { ClientCapabilities } from '#adapters/mcp/protocol/client-requests.ts';
import type { RpcRequest } from '#adapters/mcp/protocol/json-rpc.ts';
import type { Json } from '#adapters/mcp/protocol/messages.ts';
import type { ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import type { Era } from '#adapters/mcp/protocol/versions.ts';
import type { User } from '#domain/users/user.ts';

/** Who asks. */
export type McpCaller = Readonly<{
  user: User;
  era: Era;
  /** Which tools the client wants to see and use. */
  choice: ToolChoice;
  /** What is remembered of the client; null without a session, and always in the modern era. */
  channel: ClientChannel | null;
  /** What the client of a modern request can do; null in the legacy era. */
  capabilities: ClientCapabilities | null;
  /** Takes notifications about the request, and requests to the client, as JSON; null when there is no way to it. */
  send: ((json: string) => void) | null;
}>;

/** An answer, and the code of the error that it is, or 0. */
export type Answered = Readonly<{ json: Json; errorCode: number }>;

/** A request under way. */
export type Dispatched = Readonly<{
  /** The answer under the client's own id; null when it was cancelled. Never rejects. */
  answer: Promise<Answered | null>;
  /** Aborts the work; nothing happens when it has been answered already. */
  cancel(): void;
}>;

/** What answers the requests of the protocol. It knows nothing of HTTP: any transport may stand before it. */
export interface Dispatcher {
  /** Starts a request. Ids need not be unique among callers. */
  dispatch(request: RpcRequest, caller: McpCaller): Dispatched;
}
