import type { Effect } from '#domain/operations/effect.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';

/** A JSON Schema (draft 2020-12) of type object. */
export type JsonObjectSchema = Readonly<{ type: 'object'; [keyword: string]: unknown }>;

/** A place in an answer that differs from its schema, and what is documented there, as a phrase ("a number"). */
export type SchemaMismatch = Readonly<{ path: readonly PropertyKey[]; documented: string }>;

/**
 * The answer of a successful operation. Schemas are open, and no member of a record is required: providers leave
 * members out, callers ask for fewer, and long values are truncated.
 */
export type OperationOutput = Readonly<{
  /** Whether the answer is one record, a list, or only a confirmation. */
  kind: 'record' | 'list' | 'done';
  /** The schema of the outcome's `data`: the record, the list, or null. */
  dataSchema: Readonly<Record<string, unknown>>;
  /**
   * The schema of the structured content: the record itself, the list as `data` beside its `pagination`, or `{done:
   * true}`; built once at start.
   */
  contentSchema: JsonObjectSchema;
  /** Lists where structured content departs from its schema; without these places it conforms. */
  mismatchesIn(content: Readonly<Record<string, unknown>>): readonly SchemaMismatch[];
}>;

/**
 * The description of an outbound operation for the edges: enough to list, document and call it, free of any provider's
 * wire format. `name` is unique within the service ('notes.read'); `tool` is the name of its MCP tool (TOOL-001) or
 * null when it has none; `route` is its REST address below `/api/{service}` ('{id}' one segment, '{+path}' the rest) or
 * null when it has none.
 */
export type OperationInfo = Readonly<{
  service: ServiceKey;
  name: string;
  tool: string | null;
  title: string;
  summary: string;
  effect: Effect;
  isIdempotent: boolean;
  /** False for the vault, whose notes belong to the user; true for the four cloud services. */
  isOpenWorld: boolean;
  /** The name of the input that is a file, or null: over REST its bytes may come as the raw body. */
  upload: string | null;
  /** Built once at start; never per request. */
  inputSchema: JsonObjectSchema;
  /** The same in fewest words, as lists of tools show it; the input schema when not given. */
  listedSchema?: JsonObjectSchema;
  /** Null for Markdown or other text, which structured content would only repeat, and for a file. */
  output: OperationOutput | null;
  /** Whether the answer is a file: over REST its bytes as they are, without an envelope. */
  isFile: boolean;
  route: Readonly<{ method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; path: string }> | null;
}>;

/** The instructions on a service for models, beside the descriptions of its tools. */
export type ServiceInstructions = Readonly<{
  /** The pattern of its tools' names: 'suite_*'. */
  tools: string;
  /** The service's purpose, as a phrase after its name: 'for issues'. */
  purpose?: string;
  /** Tips for working with it, a sentence or two each. */
  tips?: readonly string[];
}>;

/** Lists all operations of all services, in the order of their tables, and the display names of the services. */
export interface OperationCatalog {
  readonly names: ServiceNames;
  readonly operations: readonly OperationInfo[];
  /** The instructions on the services for models, in their order; none when not given. */
  readonly instructions?: readonly Readonly<ServiceInstructions & { name: string }>[];
}
