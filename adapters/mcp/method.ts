import type { ClientChannel, LogLevel } from '#adapters/mcp/client-channel.ts';
import type { AskableClient, ClientCapabilities } from '#adapters/mcp/client-requests.ts';
import type { RpcId, RpcParams } from '#adapters/mcp/json-rpc.ts';
import type { ToolProgress } from '#adapters/mcp/tool.ts';
import type { ToolChoice } from '#adapters/mcp/tool-choice.ts';
import type { Era } from '#adapters/mcp/versions.ts';
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
  onProgress?: (progress: ToolProgress) => void;
  /** Tells the client what happens, when it wants to know things of that level. */
  log: (level: LogLevel, data: unknown) => void;
}>;

/** A result whose JSON was made beforehand, for each era. */
export class PreparedResult {
  readonly legacy: Buffer;
  readonly modern: Buffer;

  /** `modern` is what a modern answer has beside the rest. */
  constructor(result: object, modern: object) {
    this.legacy = Buffer.from(JSON.stringify(result));
    this.modern = Buffer.from(JSON.stringify({ ...result, ...modern }));
  }
}

/** A method of the protocol: its result, or `RpcError` thrown. */
export type Method = Readonly<{
  /** The one era that has it; without it both have. */
  era?: Era;
  /** Whether a modern answer says how long it may be kept. */
  isCacheable?: boolean;
  run(params: RpcParams, context: MethodContext): Promise<object> | object;
}>;

/** Methods by their names. */
export type Methods = Readonly<Record<string, Method>>;
