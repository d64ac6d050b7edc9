import type { ClientChannel } from '#adapters/mcp/protocol/client-channel.ts';
import type { AskableClient, ClientCapabilities } from '#adapters/mcp/protocol/client-requests.ts';
import type { RpcParams } from '#adapters/mcp/protocol/json-rpc.ts';
import type { LogLevel, MethodResults, Progress, RpcId } from '#adapters/mcp/protocol/messages.ts';
import type { ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import type { Era } from '#adapters/mcp/protocol/versions.ts';
import type { User } from '#domain/users/user.ts';

/** What a method is given beside its parameters. */
export type MethodContext = Readonly<{
  /** The client's own id of the request. */
  requestId: RpcId;
  user: User;
  era: Era;
  choice: ToolChoice;
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal;
  client: AskableClient;
  channel: ClientChannel | null;
  /** What the client of a modern request can do. */
  capabilities: ClientCapabilities | null;
  /** Takes notifications to the client, as JSON; null when there is no way to it before the answer. */
  send: ((json: string) => void) | null;
  /** There when the client asked to be told of progress. */
  onProgress?: (progress: Progress) => void;
  /** Tells the client what happens, when it wants to know things of that level. */
  log: (level: LogLevel, data: unknown) => void;
}>;

/** A result whose JSON was made beforehand, for each era. */
export class PreparedResult<Result extends object = object> {
  readonly legacy: Buffer;
  readonly modern: Buffer;

  /** `modern` is what a modern answer has beside the rest. */
  constructor(result: Result, modern: object) {
    this.legacy = Buffer.from(JSON.stringify(result));
    this.modern = Buffer.from(JSON.stringify({ ...result, ...modern }));
  }
}

/** A method of the protocol: its result, or `RpcError` thrown. */
export type Method<Result extends object = object> = Readonly<{
  /** The one era that has it; without it both have. */
  era?: Era;
  /** Whether a modern answer says how long it may be kept. */
  isCacheable?: boolean;
  run(
    params: RpcParams,
    context: MethodContext,
  ): Promise<Result | PreparedResult<Result>> | Result | PreparedResult<Result>;
}>;

/** Methods by their names; those that the SDK knows answer what its types say. */
export type Methods = Readonly<Record<string, Method>> & {
  readonly [Name in keyof MethodResults]?: Method<MethodResults[Name]>;
};
