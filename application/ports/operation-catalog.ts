import type { Effect } from '#domain/operations/effect.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';

/** A JSON Schema (draft 2020-12) of type object. */
export type JsonObjectSchema = Readonly<{ type: 'object'; [keyword: string]: unknown }>;

/** A place where an answer does not match its schema, and the documented type as a phrase ("a number"). */
export type SchemaMismatch = Readonly<{ path: readonly PropertyKey[]; documented: string }>;

/**
 * The output of a successful operation. Schemas allow additional members and require none of a record's, since
 * providers leave members out, callers request fewer, and long values are truncated.
 */
export type OperationOutput = Readonly<{
  /** Whether the answer is one record, a list, or only a confirmation. */
  kind: 'record' | 'list' | 'done';
  /** The schema of the outcome's `data`: the record, the list, or null. */
  dataSchema: Readonly<Record<string, unknown>>;
  /**
   * The schema of the structured content: the record itself, the list as `data` with its `pagination`, or `{done:
   * true}`; built once at start.
   */
  contentSchema: JsonObjectSchema;
  /** Whether structured content matches its schema, with null counting as missing. */
  isMatch(content: Readonly<Record<string, unknown>>): boolean;
  /** Lists where structured content does not match its schema; empty when it conforms. */
  mismatchesIn(content: Readonly<Record<string, unknown>>): readonly SchemaMismatch[];
}>;

/**
 * Describes an outbound operation for the edges, independently of the provider's wire format. `name` is unique within
 * the service ('notes.read'); `tool` is the name of its MCP tool (TOOL-001), or null when it has none; `route` is its
 * REST path below `/api/{service}` ('{id}' is one segment, '{+path}' the rest), or null when it has none.
 */
export type OperationInfo = Readonly<{
  service: ServiceKey;
  name: string;
  tool: string | null;
  /** The operations of the service whose tools do the same: each, when it is switched off, switches this one off. */
  standIns?: readonly string[];
  title: string;
  summary: string;
  /** The worst effect of its calls. */
  effect: Effect;
  /** The effects that its calls may have by their inputs, that of a plain call first. */
  effects: readonly Effect[];
  isIdempotent: boolean;
  /** False for the vault, whose notes belong to the user; true for all other services. */
  isOpenWorld: boolean;
  /** The name of the file input, or null; over REST its bytes may be sent as the raw body. */
  upload: string | null;
  /** Built once at start, never per request. */
  inputSchema: JsonObjectSchema;
  /** A shorter version for lists of tools; the input schema when not given. */
  listedSchema?: JsonObjectSchema;
  /** Null for Markdown and other text, which structured content would only repeat, and for a file. */
  output: OperationOutput | null;
  /** Whether the answer is a file: REST returns its bytes without an envelope. */
  isFile: boolean;
  /** The name of the remote MCP server whose tool it is, and whose its description is; absent for all others. */
  remote?: string;
  /** The effect of a call with exactly these inputs, as the caller gives them; the worst of all for invalid ones. */
  effectOf(input: unknown): Effect;
  route: Readonly<{ method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; path: string }> | null;
}>;

/** Instructions for models on using a service, in addition to its tools' descriptions. */
export type ServiceInstructions = Readonly<{
  /** A pattern that its tools' names match: 'suite_*'. */
  tools: string;
  /** The service's purpose, as a phrase that follows its name: 'for issues'. */
  purpose?: string;
  /** Usage tips, a sentence or two each. */
  tips?: readonly string[];
}>;

/** Lists all operations of all services in table order, and the services' display names. */
export interface OperationCatalog {
  readonly names: ServiceNames;
  /** As they are now: tools of remote MCP servers come and go, and the list is another one then. */
  readonly operations: readonly OperationInfo[];
  /** The services' instructions for models, in service order; none when not given. */
  readonly instructions?: readonly Readonly<ServiceInstructions & { name: string }>[];
}
