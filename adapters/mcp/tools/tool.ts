import type { AskableClient } from '#adapters/mcp/protocol/client-requests.ts';
import type { LogLevel, Progress, ToolResult } from '#adapters/mcp/protocol/messages.ts';
import type { ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import type { ResultForm } from '#adapters/mcp/results/sent-once.ts';
import type { JsonObjectSchema, OperationInfo } from '#application/ports/operation-catalog.ts';
import type { AskedOfChange } from '#application/ports/service-gateway.ts';
import type { EffectHints } from '#domain/operations/effect.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { User } from '#domain/users/user.ts';

/**
 * The context of a call. `signal` aborts when the caller no longer waits; `onProgress` is present when the client asked
 * for it.
 */
export type ToolCall = Readonly<{
  signal: AbortSignal;
  onProgress?: (progress: Progress) => void;
  client?: AskableClient;
  log?: (level: LogLevel, data: unknown) => void;
  /** The client's choice of tools; a tool that runs others respects it. */
  choice?: ToolChoice;
  /** The maximum length of the result's text, in tokens; that of every result by default. */
  maxTokens?: number;
  /** What the client reads of the result: text and structured content by default. */
  form?: ResultForm;
  /** What the app asks of a change besides its arguments. */
  asked?: AskedOfChange;
}>;

/** One tool, independent of any protocol library. */
export type Tool = Readonly<{
  name: string;
  title: string;
  description: string;
  inputSchema: JsonObjectSchema;
  /** A brief form of the input schema, for lists; the input schema by default. */
  listedSchema?: JsonObjectSchema;
  /** The schema of structured content; present only where every success has it. */
  outputSchema?: JsonObjectSchema | undefined;
  annotations: EffectHints;
  /** The service whose permission a user needs to see the tool; null for a tool of the server itself. */
  service: ServiceKey | null;
  /** For a tool of the server: the service that callers must have to see it, or whether they must have any. */
  needsService?: true | ServiceKey;
  /** The same tool as callers have it who may only read; without it they have a tool only if it changes nothing. */
  forReaders?: Tool;
  /** For a tool without an operation of its own: whether it changes something, and takes what changing tools take. */
  isAskable?: true;
  /** The operation that it runs, by which a user can switch it off; absent for tools that cannot be switched off. */
  operation?: Pick<OperationInfo, 'service' | 'name' | 'effect' | 'effects'>;
  /**
   * Runs the tool, which validates the arguments and checks permission itself. Throws only for bugs, and `RpcError`.
   */
  run(user: User, args: Readonly<Record<string, unknown>>, call: ToolCall): Promise<ToolResult>;
}>;
