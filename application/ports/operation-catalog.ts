import type { Effect } from '#domain/operations/effect.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';

/** A JSON Schema (draft 2020-12) of type object. */
export type JsonObjectSchema = Readonly<{ type: 'object'; [keyword: string]: unknown }>;

/** A place in an answer where something else stands than is documented there, and what that is, in words ("a number"). */
export type SchemaMismatch = Readonly<{ path: readonly PropertyKey[]; documented: string }>;

/**
 * What an operation that worked answers. Schemas are open, and no member of a record is required: providers leave members out, callers
 * ask for fewer, and what is too long is cut.
 */
export type OperationOutput = Readonly<{
  /** Whether it is one record, a list, or nothing but that it is done. */
  kind: 'record' | 'list' | 'done';
  /** The `data` of the outcome: the record, the list, or null. */
  dataSchema: Readonly<Record<string, unknown>>;
  /** Structured content: the record itself, the list as `data` beside its `pagination`, or `{done: true}`; built once at start. */
  contentSchema: JsonObjectSchema;
  /** Where structured content departs from its schema; without these places it fits. */
  mismatchesIn(content: Readonly<Record<string, unknown>>): readonly SchemaMismatch[];
}>;

/**
 * One outbound operation as the edges see it: enough to list, document and call it, free of any provider's wire.
 * `name` is unique within the service ('notes.read'); `tool` is the name of its MCP tool (TOOL-001) or null when it has none;
 * `route` is its REST address below `/api/{service}` ('{id}' one segment, '{+path}' the rest) or null when it has none.
 */
export type OperationInfo = Readonly<{
  service: ServiceKey;
  name: string;
  tool: string | null;
  title: string;
  summary: string;
  effect: Effect;
  isIdempotent: boolean;
  /** False for the vault, whose notes are the user's own place; true for the four cloud services. */
  isOpenWorld: boolean;
  /** The input that is a file, or null: over REST its bytes may come as the raw body. */
  upload: string | null;
  /** Built once at start; never per request. */
  inputSchema: JsonObjectSchema;
  /** Null where it answers with Markdown or other text, which would only be there twice, or with a file. */
  output: OperationOutput | null;
  /** Whether it answers with a file: over REST its bytes as they are, without an envelope. */
  isFile: boolean;
  route: Readonly<{ method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; path: string }> | null;
}>;

/** What models are told of a service, beside what its tools say of themselves. */
export type ServiceInstructions = Readonly<{
  /** What its tools' names begin with: 'suite_*'. */
  tools: string;
  /** What it is for, after its name: 'for issues'. */
  purpose?: string;
  /** What to know when working with it, a sentence or two each. */
  tips?: readonly string[];
}>;

/** All operations of all services, in the order of their tables, and how the services are called. */
export interface OperationCatalog {
  readonly names: ServiceNames;
  readonly operations: readonly OperationInfo[];
  /** What models are told of the services, in their order; nothing when not given. */
  readonly instructions?: readonly Readonly<ServiceInstructions & { name: string }>[];
}
