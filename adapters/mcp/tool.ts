import type { JsonObjectSchema } from '#application/ports/operation-catalog.ts';
import type { EffectHints } from '#domain/operations/effect.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { User } from '#domain/users/user.ts';

/** A piece of a tool's answer, as MCP names it. */
export type ToolContent = Readonly<{ type: 'text'; text: string }>;

/** What a tool answers: text for the model, the same as data where there is some, and whether it failed. */
export type ToolResult = Readonly<{
  content: readonly ToolContent[];
  structuredContent?: Readonly<Record<string, unknown>>;
  isError?: true;
}>;

/** How far long work has come; `total` is null when unknown. */
export type ToolProgress = Readonly<{ done: number; total: number | null; message: string }>;

/** What accompanies a call: `signal` aborts when nobody waits any more; `onProgress` is there when the client asked for it. */
export type ToolCall = Readonly<{ signal: AbortSignal; onProgress?: (progress: ToolProgress) => void }>;

/** One tool, free of any protocol library. */
export type Tool = Readonly<{
  name: string;
  title: string;
  description: string;
  inputSchema: JsonObjectSchema;
  annotations: EffectHints;
  /** The permission key that a user needs to see the tool. */
  service: ServiceKey;
  /** Checks the arguments and the permission itself; throws only for what is broken. */
  run(user: User, args: Readonly<Record<string, unknown>>, call: ToolCall): Promise<ToolResult>;
}>;
