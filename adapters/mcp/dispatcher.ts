import type { RpcRequest } from '#adapters/mcp/json-rpc.ts';
import type { User } from '#domain/users/user.ts';

/** Who asks, and where the server's notifications about the request go (JSON); without `notify` there are none. */
export type Caller = Readonly<{ user: User; notify?: (json: string) => void }>;

/** A request under way. */
export type Dispatched = Readonly<{
  /** The answer as JSON, under the client's own id; null when it was cancelled. Never rejects. */
  answer: Promise<string | null>;
  /** Aborts the work; nothing happens when it has been answered already. */
  cancel(): void;
}>;

/** What answers the requests of the protocol. It knows nothing of HTTP: any transport may stand before it. */
export interface Dispatcher {
  /** Starts a request. Ids need not be unique among callers. */
  dispatch(request: RpcRequest, caller: Caller): Dispatched;
}
