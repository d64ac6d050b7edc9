import type { Aliases } from '#adapters/services/definitions/aliases.ts';
import type { OperationOutput } from '#application/ports/operation-catalog.ts';
import type { EffectRule, StatedEffect } from '#domain/operations/effect.ts';

/** The methods that providers are called with. */
export type RowMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** How a list is paged; the dialect knows where answers contain the paging data. */
export type PageStyle = 'cursor' | 'offset' | 'page' | 'relay';

/** How an answer's body is decoded: as JSON, as text, as nothing (null), or as the bytes of a file. */
export type AnswerKind = 'json' | 'text' | 'none' | 'file';

/** A header that carries an input; `percent` encodes text that a header cannot carry raw. */
export type HeaderPlan = Readonly<{ header: string; encode: 'plain' | 'percent' }>;

/** A request composed by its row; credentials and the base URL are added to it. */
export type ComposedRequest = Readonly<{
  /** The filled and encoded path. */
  path: string;
  query: URLSearchParams;
  /** Headers by lower-cased name. */
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array | AsyncIterable<Uint8Array>;
}>;

/** How a dialect differs from a row. `adapt` renames or completes the inputs before they are sent. */
export type RowInDialect = Readonly<{
  method?: RowMethod;
  path?: string;
  /** The path used when a file of this name is uploaded, if it differs. */
  uploadPath?(fileName: string): string;
  // Declared as a method, so that rows with different inputs fit one table.
  adapt?(inputs: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}>;

/** The differences of dialects from a row, by dialect name; `absent` when the provider lacks the operation. */
export type RowInDialects = Readonly<Record<string, RowInDialect | 'absent'>>;

/**
 * The provider's kind of record that an input names, and the input that receives its id, itself by default. With
 * `filters` the records become a condition of the input `filter`, where that stands.
 */
export type NamedInput = Readonly<{
  kind: string;
  fills?: string;
  filters?(matches: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}>;

/**
 * Options of a request row. Without any, path names fill the path, and other inputs are the query for GET and DELETE,
 * else the JSON body.
 */
export type RequestOptions<Names extends string = string> = Readonly<{
  /** The name of its MCP tool (TOOL-001); without one there is no tool. */
  tool?: string;
  /** A short name for people; by default the first clause of the summary. */
  title?: string;
  /** Overrides the default by method: GET reads, POST adds, DELETE loses, others change. */
  effect?: StatedEffect;
  /** The calls with another effect, by their inputs; the first rule that holds counts. */
  effectBy?: readonly EffectRule[];
  /** Whether repeating the call has no further effect; stated for POST and PATCH, which usually are not idempotent. */
  isIdempotent?: boolean;
  /** Inputs sent in the query although the method has a body. */
  query?: readonly Names[];
  /** List inputs that are repeated in the query for each item; others are comma-separated. */
  repeat?: readonly Names[];
  /** The input that is the whole body. A string is sent as `contentType`, any other value as JSON. */
  body?: Names;
  /**
   * The media type of a text body: a media kind of the dialect, or the input that names one; `application/json` by
   * default.
   */
  contentType?: Readonly<{ kind: string } | { input: Names }>;
  /** Inputs sent as headers; a name that is not an input is rejected when the table is built. */
  headers?: Readonly<Record<string, HeaderPlan>>;
  /** The Accept header: a media kind of the dialect, or the input that names one; JSON by default. */
  accept?: Readonly<{ kind: string } | { input: Names }>;
  answer?: AnswerKind;
  /** The shape of the output; none for text and files. */
  output?: OperationOutput;
  /** The members of the answer that hold secrets, such as a webhook's password; removed at any depth. */
  withheld?: readonly string[];
  page?: PageStyle;
  /** How long its answers are cached for a connection, in ms; for requests of a vendor's own that only read. */
  keptMs?: number;
  /** The requests whose cached answers for the connection end when this one succeeds. */
  forgets?: readonly string[];
  /** Inputs with matching names are passed through in the body, besides the known ones: custom fields. */
  customNames?: RegExp;
  /**
   * The input that is a file: when it is given, the body is multipart/form-data with the other inputs as fields
   * (`fileInput`).
   */
  multipart?: Names;
  /**
   * A GraphQL document: the body is `{query, variables}`, with the inputs as variables; `root` is the field that
   * contains the answer.
   */
  graphql?: Readonly<{ document: string; root: string }>;
  /** Aliases of inputs. */
  aliases?: Aliases;
  /** Inputs that name a record; the provider resolves them before anything is sent (`Provider.resolveNames`). */
  named?: Readonly<Record<string, NamedInput>>;
  /** The operations without a tool of their own that its tool stands for: whoever switches the tool off switches them off. */
  standsFor?: readonly string[];
  /** Inputs for this server, not sent to the provider, such as `fields`, the projection of a list. */
  local?: readonly Names[];
  /**
   * Renames or completes the inputs before they are sent, in every dialect. Declared as a method, so that rows with
   * different inputs fit one table.
   */
  adapt?(inputs: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Composes the request instead of the rules above, where an external document defines how inputs are sent. */
  compose?(inputs: Readonly<Record<string, unknown>>): ComposedRequest;
  /** How the vendor sends it instead. */
  sent?: RowInDialect;
  /** The same by the names of vendors, for a service that defines its vendors with it: `{ deskly: { path: … } }`. */
  dialects?: RowInDialects;
  /**
   * The REST route below `/api/{service}`, where the provider's path cannot be used; null when a recipe has the route.
   */
  route?: Readonly<{ method: RowMethod; path: string }> | null;
}>;
