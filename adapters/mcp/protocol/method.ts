import type { ClientChannel } from '#adapters/mcp/protocol/client-channel.ts';
import type { AskableClient, ClientCapabilities } from '#adapters/mcp/protocol/client-requests.ts';
import type { RpcParams } from '#adapters/mcp/protocol/json-rpc.ts';
import type { LogLevel, MethodResults, Progress, RpcId } from '#adapters/mcp/protocol/messages.ts';
import type { ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import type { Era } from '#adapters/mcp/protocol/versions.ts';
import type { User } from '#domain/users/user.ts';

/** The context of a method call, besides its parameters. */
export type MethodContext = Readonly<{
  /** The request id as sent by the client. */
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
  /** Sends the client a log message, if its log level includes that level. */
  log: (level: LogLevel, data: unknown) => void;
}>;

/** A result whose JSON is prebuilt for each era, including the brace that closes the answer. */
export class PreparedResult<Result extends object = object> {
  readonly legacy: Buffer;
  readonly modern: Buffer;

  /** `modern` holds the additional members of a modern answer. */
  constructor(result: Result, modern: object) {
    this.legacy = Buffer.from(`${JSON.stringify(result)}}`);
    this.modern = Buffer.from(`${JSON.stringify({ ...result, ...modern })}}`);
  }
}

/** A method of the protocol; it returns its result or throws `RpcError`. */
export type Method<Result extends object = object> = Readonly<{
  /** The only era that has the method; absent when both have it. */
  era?: Era;
  /** Whether a modern answer has a cache lifetime. */
  isCacheable?: boolean;
  run(
    params: RpcParams,
    context: MethodContext,
  ): Promise<Result | PreparedResult<Result>> | Result | PreparedResult<Result>;
}>;

/** Methods by name; for those that the SDK defines, the result has the SDK's type. */
export type Methods = Readonly<Record<string, Method>> & {
  readonly [Name in keyof MethodResults]?: Method<MethodResults[Name]>;
};
