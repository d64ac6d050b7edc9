import type { AskableClient } from '#adapters/mcp/protocol/client-requests.ts';
import type { LogLevel, Progress, ToolResult } from '#adapters/mcp/protocol/messages.ts';
import type { ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import type { JsonObjectSchema } from '#application/ports/operation-catalog.ts';
import type { Effect, EffectHints } from '#domain/operations/effect.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { User } from '#domain/users/user.ts';

/** The context of a call: `signal` aborts when the caller no longer waits; `onProgress` is there when the client asked for it. */
export type ToolCall = Readonly<{
  signal: AbortSignal;
  onProgress?: (progress: Progress) => void;
  client?: AskableClient;
  log?: (level: LogLevel, data: unknown) => void;
  /** What the client chose; a tool that runs others respects it. */
  choice?: ToolChoice;
}>;

/** One tool, independent of any protocol library. */
export type Tool = Readonly<{
  name: string;
  title: string;
  description: string;
  inputSchema: JsonObjectSchema;
  /** The same in fewest words, for lists; the input schema when not given. */
  listedSchema?: JsonObjectSchema;
  /** The schema of structured content; present only where every success has it. */
  outputSchema?: JsonObjectSchema | undefined;
  annotations: EffectHints;
  /** The permission key that a user needs to see the tool; null for a tool of the server itself. */
  service: ServiceKey | null;
  /** The operation that it runs, by which its user can switch it off; absent for tools that cannot be switched. */
  operation?: Readonly<{ service: ServiceKey; name: string; effect: Effect }>;
  /** Runs the tool, which checks the arguments and the permission itself; throws only for bugs, and `RpcError`. */
  run(user: User, args: Readonly<Record<string, unknown>>, call: ToolCall): Promise<ToolResult>;
}>;
