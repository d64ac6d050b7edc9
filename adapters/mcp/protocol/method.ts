import type { ClientChannel } from '#adapters/mcp/protocol/client-channel.ts';
import type { AskableClient, ClientCapabilities } from '#adapters/mcp/protocol/client-requests.ts';
import type { RpcParams } from '#adapters/mcp/protocol/json-rpc.ts';
import type { LogLevel, MethodResults, Progress, RpcId } from '#adapters/mcp/protocol/messages.ts';
import type { ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import type { Era } from '#adapters/mcp/protocol/versions.ts';
import type { User } from '#domain/users/user.ts';

/** The context of a method's call, beside its parameters. */
export type MethodContext = Readonly<{
  /** The client's own id of the request. */
  requestId: RpcId;
  user: User;
  era: Era;
  choice: ToolChoice;
  /** Aborts when the caller no longer waits for the answer. */
  signal: AbortSignal;
  client: AskableClient;
  channel: ClientChannel | null;
  /** The capabilities of a modern request's client. */
  capabilities: ClientCapabilities | null;
  /** Sends notifications to the client, as JSON; null when there is no stream to it before the answer. */
  send: ((json: string) => void) | null;
  /** Reports progress; present when the client asked for it. */
  onProgress?: (progress: Progress) => void;
  /** Sends the client a log message, when its log level includes that level. */
  log: (level: LogLevel, data: unknown) => void;
}>;

/** A result whose JSON was made beforehand, for each era, with the brace that closes the answer. */
export class PreparedResult<Result extends object = object> {
  readonly legacy: Buffer;
  readonly modern: Buffer;

  /** `modern` has the members that a modern answer has beside the rest. */
  constructor(result: Result, modern: object) {
    this.legacy = Buffer.from(`${JSON.stringify(result)}}`);
    this.modern = Buffer.from(`${JSON.stringify({ ...result, ...modern })}}`);
  }
}

/** A method of the protocol; it returns its result or throws `RpcError`. */
export type Method<Result extends object = object> = Readonly<{
  /** The one era that has the method; without it both have. */
  era?: Era;
  /** Whether a modern answer has a cache lifetime. */
  isCacheable?: boolean;
  run(
    params: RpcParams,
    context: MethodContext,
  ): Promise<Result | PreparedResult<Result>> | Result | PreparedResult<Result>;
}>;

/** Methods by their names; for those that the SDK knows, the result has the SDK's type. */
export type Methods = Readonly<Record<string, Method>> & {
  readonly [Name in keyof MethodResults]?: Method<MethodResults[Name]>;
};
