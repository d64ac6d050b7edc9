import type { Aliases } from '#adapters/services/aliases.ts';
import type { OperationOutput } from '#application/ports/operation-catalog.ts';
import type { Effect } from '#domain/operations/effect.ts';

/** The methods that providers are called with. */
export type RowMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** How a list is paged; the dialect knows where the provider's answers say so. */
export type PageStyle = 'cursor' | 'offset' | 'page' | 'relay';

/** What an answer's body is made into: parsed JSON, text as it is, nothing (null), or the bytes of a file. */
export type AnswerKind = 'json' | 'text' | 'none' | 'file';

/** A header that an input travels in; `percent` encodes text that a header cannot carry raw. */
export type HeaderPlan = Readonly<{ header: string; encode: 'plain' | 'percent' }>;

/** A request that its row has composed itself; credentials and the address are added to it. */
export type ComposedRequest = Readonly<{
  /** The path, filled and encoded. */
  path: string;
  query: URLSearchParams;
  /** By names in lower case. */
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array | AsyncIterable<Uint8Array>;
}>;

/** How a dialect departs from a row. `adapt` renames or completes the inputs before they travel. */
export type RowInDialect = Readonly<{
  method?: RowMethod;
  path?: string;
  /** The path when a file comes along, where it is another one. */
  uploadPath?: string;
  // A method, so that rows with different inputs fit one table.
  adapt?(inputs: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}>;

/** Where dialects depart from a row, by the dialect's name; `absent` where the provider has no such operation in it. */
export type RowInDialects = Readonly<Record<string, RowInDialect | 'absent'>>;

/** What an input names, in the provider's own kinds, and the input that is filled with the id of what is named. */
export type NamedInput = Readonly<{ kind: string; fills: string }>;

/** The usual needs none of these: path names fill the path, the rest is query for GET and DELETE, JSON body otherwise. */
export type RequestOptions<Names extends string = string> = Readonly<{
  /** The name of its MCP tool (TOOL-001); without one the operation has no tool. */
  tool?: string;
  /** A short name for people; without one the first clause of the summary is. */
  title?: string;
  /** Departs from the method's own: GET reads, DELETE destroys, the others write. */
  effect?: Effect;
  /** Whether the same call twice has the effect of one; stated for POST and PATCH, which usually are not idempotent. */
  isIdempotent?: boolean;
  /** Inputs that go into the query although the method has a body. */
  query?: readonly Names[];
  /** List inputs whose query name is repeated for each item; the others go as comma separated text. */
  repeat?: readonly Names[];
  /** The input that is the whole body. A text is sent as `contentType`; any other value as JSON. */
  body?: Names;
  /** The media type of a text body; a media kind of the dialect, or the input that names one. Default `application/json`. */
  contentType?: Readonly<{ kind: string } | { input: Names }>;
  /** Inputs that travel in headers; a name that is no input is refused when the table is built. */
  headers?: Readonly<Record<string, HeaderPlan>>;
  /** The Accept header: a media kind of the dialect, or the input that names one. Default JSON. */
  accept?: Readonly<{ kind: string } | { input: Names }>;
  answer?: AnswerKind;
  /** The shape of what it answers; none for text and files. */
  output?: OperationOutput;
  page?: PageStyle;
  /** Inputs whose names are like this are passed on in the body besides the known ones: custom fields. */
  customNames?: RegExp;
  /** The input that is a file: when it is given the body is multipart/form-data, and the other inputs are its fields (`fileInput`). */
  multipart?: Names;
  /** A GraphQL document: the body is `{query, variables}`, the inputs are its variables, `root` is the field that answers. */
  graphql?: Readonly<{ document: string; root: string }>;
  /** Other names that inputs are taken by. */
  aliases?: Aliases;
  /** Inputs that name a record, and the input that takes its id; the provider looks them up (`Provider.resolveNames`). */
  named?: Readonly<Record<string, NamedInput>>;
  /** Inputs that are for us and not for the provider, such as `fields`, the projection of a list. */
  local?: readonly Names[];
  /** Renames or completes the inputs before they travel, in every dialect. A method, so that rows with different inputs fit one table. */
  adapt?(inputs: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Composes the request in place of all rules above, where an outside document says how inputs travel. */
  compose?(inputs: Readonly<Record<string, unknown>>): ComposedRequest;
  /** Where dialects depart: `{ pipedrive: { path: '/v1/goals/find' } }`. */
  dialects?: RowInDialects;
  /** The REST route below `/api/{service}`, when the provider's path cannot serve as one; null when a recipe has it. */
  route?: Readonly<{ method: RowMethod; path: string }> | null;
}>;
