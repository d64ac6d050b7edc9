import type { LogLevel } from '#adapters/mcp/client-channel.ts';
import type { AskableClient } from '#adapters/mcp/client-requests.ts';
import type { ToolChoice } from '#adapters/mcp/tool-choice.ts';
import type { JsonObjectSchema } from '#application/ports/operation-catalog.ts';
import type { EffectHints } from '#domain/operations/effect.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { User } from '#domain/users/user.ts';

/** What a resource holds: text, or bytes as base64. */
export type ResourceContents = Readonly<{ uri: string; mimeType: string } & ({ text: string } | { blob: string })>;

/** A piece of a tool's answer or of a prompt, as MCP names it. */
export type Content =
  | Readonly<{ type: 'text'; text: string }>
  | Readonly<{ type: 'image' | 'audio'; data: string; mimeType: string }>
  | Readonly<{ type: 'resource'; resource: ResourceContents }>
  | Readonly<{
      type: 'resource_link';
      uri: string;
      name: string;
      mimeType: string;
      size?: number;
      description?: string;
    }>;

/** What a tool answers: text for the model, the same as data where there is some, and whether it failed. */
export type ToolResult = Readonly<{
  content: readonly Content[];
  structuredContent?: Readonly<Record<string, unknown>>;
  isError?: true;
}>;

/** How far long work has come; `total` is null when unknown. */
export type ToolProgress = Readonly<{ done: number; total: number | null; message: string }>;

/** What accompanies a call: `signal` aborts when nobody waits any more; `onProgress` is there when the client asked for it. */
export type ToolCall = Readonly<{
  signal: AbortSignal;
  onProgress?: (progress: ToolProgress) => void;
  client?: AskableClient;
  log?: (level: LogLevel, data: unknown) => void;
  /** What the client chose; a tool that runs others keeps to it. */
  choice?: ToolChoice;
}>;

/** One tool, free of any protocol library. */
export type Tool = Readonly<{
  name: string;
  title: string;
  description: string;
  inputSchema: JsonObjectSchema;
  /** Only where every success has structured content of this shape. */
  outputSchema?: JsonObjectSchema;
  annotations: EffectHints;
  /** The permission key that a user needs to see the tool; null for a tool of the server itself. */
  service: ServiceKey | null;
  /** Checks the arguments and the permission itself; throws only for what is broken, and `RpcError`. */
  run(user: User, args: Readonly<Record<string, unknown>>, call: ToolCall): Promise<ToolResult>;
}>;
