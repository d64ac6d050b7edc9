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
  LoggingLevel,
  ReadResourceResult,
  RequestId,
  PromptMessage as SdkPromptMessage,
} from '@modelcontextprotocol/sdk/types.js';

/** A read-only type of the MCP SDK's, without the index signature for members that the protocol lacks. */
type Frozen<Value> = Value extends (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value as string extends Name ? never : Name]: Frozen<Value[Name]> }
    : Value;

/** A request's id, as the client gave it. */
export type RpcId = RequestId;

/** A level of `logging/setLevel`. */
export type LogLevel = LoggingLevel;

/** A content block of a tool's answer or of a prompt. */
export type Content = Frozen<ContentBlock>;

/** The content of a resource: text, or bytes as base64. */
export type ResourceContents = Frozen<ReadResourceResult['contents'][number]>;

/** A message that a prompt puts into the conversation. */
export type PromptMessage = Frozen<SdkPromptMessage>;

/** A tool's answer: content for the model, the same as structured data where there is some, and whether the call failed. */
export type ToolResult = Readonly<{
  content: readonly Content[];
  structuredContent?: Readonly<Record<string, unknown>>;
  isError?: true;
}>;

/** The progress of long work; `total` is null when unknown. */
export type Progress = Readonly<{ done: number; total: number | null; message: string }>;

/** The results of the protocol's methods that the SDK knows, by the methods' names. */
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

/** JSON as text, or as a text before bytes that were made beforehand. */
export type Json = string | Readonly<{ head: string; rest: Buffer }>;

/** JSON as text. */
export const textOf = (json: Json): string => (typeof json === 'string' ? json : json.head + json.rest.toString());
