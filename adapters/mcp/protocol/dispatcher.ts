import type { ClientChannel } from '#adapters/mcp/protocol/client-channel.ts';
import type { ClientCapabilities } from '#adapters/mcp/protocol/client-requests.ts';
import type { RpcRequest } from '#adapters/mcp/protocol/json-rpc.ts';
import type { Json } from '#adapters/mcp/protocol/messages.ts';
import type { ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import type { Era } from '#adapters/mcp/protocol/versions.ts';
import type { User } from '#domain/users/user.ts';

/** The caller of a method: the user, and their client. */
export type McpCaller = Readonly<{
  user: User;
  era: Era;
  /** The tools that the client has chosen to see and use. */
  choice: ToolChoice;
  /** The client's session state; null without a session, and always in the modern era. */
  channel: ClientChannel | null;
  /** The capabilities of a modern request's client; null in the legacy era. */
  capabilities: ClientCapabilities | null;
  /** Sends the client notifications about the request, and requests, as JSON; null when there is no stream to it. */
  send: ((json: string) => void) | null;
}>;

/** An answer, and its error code, or 0. */
export type Answered = Readonly<{ json: Json; errorCode: number }>;

/** A request in flight. */
export type Dispatched = Readonly<{
  /** The answer under the client's own id; null when the request was cancelled. Never rejects. */
  answer: Promise<Answered | null>;
  /** Aborts the work; does nothing once it has been answered. */
  cancel(): void;
}>;

/** Answers the protocol's requests, independent of the transport. */
export interface Dispatcher {
  /** Starts a request. Ids need not be unique among callers. */
  dispatch(request: RpcRequest, caller: McpCaller): Dispatched;
}
