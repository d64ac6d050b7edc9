import type {
  CallToolResult,
  CompleteResult,
  ContentBlock,
  EmptyResult,
  GetPromptResult,
  InitializeResult,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ListToolsResult,
  ReadResourceResult,
  PromptMessage as SdkPromptMessage,
} from '@modelcontextprotocol/sdk/types.js';

/** A read-only version of an MCP SDK type, without the index signature for unknown members. */
type Frozen<Value> = Value extends (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value as string extends Name ? never : Name]: Frozen<Value[Name]> }
    : Value;

/** A request's id, as sent by the client. */
export type RpcId = string | number;

/** A level of `logging/setLevel`. */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** A content block of a tool's answer or of a prompt. */
export type Content = Frozen<ContentBlock>;

/** The content of a resource: text, or bytes as base64. */
export type ResourceContents = Frozen<ReadResourceResult['contents'][number]>;

/** A message that a prompt adds to the conversation. */
export type PromptMessage = Frozen<SdkPromptMessage>;

/**
 * A tool's result: content for the model, the same as structured data where there is some, and whether the call failed.
 */
export type ToolResult = Readonly<{
  content: readonly Content[];
  structuredContent?: Readonly<Record<string, unknown>>;
  isError?: true;
}>;

/** The progress of a long-running call; `total` is null when unknown. */
export type Progress = Readonly<{ done: number; total: number | null; message: string }>;

/** The result types of the protocol's methods that the SDK defines, by method name. */
export type MethodResults = Readonly<{
  initialize: Frozen<InitializeResult>;
  ping: Frozen<EmptyResult>;
  'logging/setLevel': Frozen<EmptyResult>;
  'tools/list': Frozen<ListToolsResult>;
  'tools/call': Frozen<CallToolResult>;
  'resources/list': Frozen<ListResourcesResult>;
  'resources/templates/list': Frozen<ListResourceTemplatesResult>;
  'resources/read': Frozen<ReadResourceResult>;
  'resources/subscribe': Frozen<EmptyResult>;
  'resources/unsubscribe': Frozen<EmptyResult>;
  'prompts/list': Frozen<ListPromptsResult>;
  'prompts/get': Frozen<GetPromptResult>;
  'completion/complete': Frozen<CompleteResult>;
}>;

/** JSON as a string, or as a string followed by prebuilt bytes. */
export type Json = string | Readonly<{ head: string; rest: Buffer }>;

/** JSON as text. */
export const textOf = (json: Json): string => (typeof json === 'string' ? json : json.head + json.rest.toString());
