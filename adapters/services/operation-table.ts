import { z } from 'zod';
import type { Aliases } from '#adapters/services/aliases.ts';
import type { OperationOutput } from '#application/ports/operation-catalog.ts';
import type { Effect } from '#domain/operations/effect.ts';
import type { Outcome } from '#domain/operations/outcome.ts';

/** The methods that providers are called with. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The inputs of an operation by name. */
export type Shape = Readonly<Record<string, z.ZodType>>;

/** How a list is paged; the dialect knows where the provider's answers say so. */
export type PageStyle = 'cursor' | 'offset' | 'page' | 'relay';

/** What an answer's body is made into: parsed JSON, text as it is, nothing (null), or the bytes of a file. */
export type AnswerKind = 'json' | 'text' | 'none' | 'file';

/** The names in a path template: `{id}` fills one segment, `{+path}` keeps its slashes. */
export type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `+${infer Plain}` ? Plain : Name) | PathNames<Rest>
  : never;

/** A header that an input travels in; `percent` encodes text that a header cannot carry raw. */
export type HeaderPlan = Readonly<{ header: string; encode: 'plain' | 'percent' }>;

/** How the provider's own dialect departs from a row. `adapt` renames or completes the inputs before they travel. */
export type OwnWords = Readonly<{
  method?: Method;
  path?: string;
  /** The path when a file comes along, where it is another one. */
  uploadPath?: string;
  // A method, so that rows with different inputs fit one table.
  adapt?(inputs: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}>;

/** What an input names, in the provider's own kinds, and the input that is filled with the id of what is named. */
export type NamedInput = Readonly<{ kind: string; fills: string }>;

/** The usual needs none of these: path names fill the path, the rest is query for GET and DELETE, JSON body otherwise. */
export type RequestOptions<Names extends string = string> = Readonly<{
  /** The contract's MCP tool name; without one the operation has no tool. */
  tool?: string;
  /** A short name for people; without one the first clause of the summary is. */
  title?: string;
  /** Departs from the method's own: GET reads, DELETE destroys, the others write. */
  effect?: Effect;
  /** Whether the same call twice is as once; told for POST and PATCH, which usually are not. */
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
  /** What is accepted: a media kind of the dialect, or the input that names one. Default JSON. */
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
  /** Where the provider's own dialect departs; `absent` when the provider has no such operation. */
  own?: OwnWords | 'absent';
  /** `absent`: the contract has no such operation, the provider's own dialect has. */
  neutral?: 'absent';
  /** The REST route below `/api/{service}`, when the provider's path cannot serve as one; null when a recipe has it. */
  route?: Readonly<{ method: Method; path: string }> | null;
}>;

/** A row that is one request. */
export type RequestRow<Input extends z.ZodObject = z.ZodObject> = Readonly<{
  kind: 'request';
  method: Method;
  path: string;
  summary: string;
  input: Input;
  effect: Effect;
  isIdempotent: boolean;
  options: RequestOptions;
}>;

/** Calls another row of the same service and connection. */
export type CallRow = (name: string, input: Readonly<Record<string, unknown>>) => Promise<Outcome>;

/** Whose connection a recipe works on. `id` changes when it is connected anew; `extra` is that of its token record. */
export type RecipeConnection = Readonly<{ id: string; extra: Readonly<Record<string, unknown>> }>;

/**
 * What a recipe is told of the call it serves: the connection, the caller's patience, and who wants to hear of progress.
 * `send` carries out a request that is no row of the table.
 */
export type RecipeContext = Readonly<{
  connection: RecipeConnection;
  send: (row: RequestRow, input: Readonly<Record<string, unknown>>) => Promise<Outcome>;
  signal?: AbortSignal;
  onProgress?: (progress: Readonly<{ done: number; total: number | null; message: string }>) => void;
}>;

/** A row that takes several requests: written over the rows that are one. */
export type RecipeRow<Input extends z.ZodObject = z.ZodObject> = Readonly<{
  kind: 'recipe';
  summary: string;
  input: Input;
  effect: Effect;
  isIdempotent: boolean;
  options: Pick<RequestOptions, 'tool' | 'title' | 'answer' | 'output' | 'route' | 'aliases'>;
  // A method, so that rows with different inputs fit one table.
  run(call: CallRow, input: z.output<Input>, context: RecipeContext): Promise<Outcome>;
}>;

/** One row of a service's table. */
export type Operation = RequestRow | RecipeRow;

/** A service's operations by name ('deals.get'). */
export type OperationTable = Readonly<Record<string, Operation>>;

/** What a person calls the operation: its own title, else the first clause of its summary. */
export function titleOf({ summary, options }: Operation): string {
  return options.title ?? summary.split(/[;:,.](?:\s|$)|\s\(/)[0] ?? summary;
}

/** Whether the provider lacks the operation in the dialect that is spoken. */
export function isAbsent({ options }: RequestRow, { isOwn }: Readonly<{ isOwn: boolean }>): boolean {
  return isOwn ? options.own === 'absent' : options.neutral === 'absent';
}

/** What a caller passes to the named operation. */
export type InputOf<Table extends OperationTable, Name extends keyof Table> = z.input<Table[Name]['input']>;

type Builder = <const Path extends string, Inputs extends Shape & Readonly<Record<PathNames<Path>, z.ZodType>>>(
  path: Path,
  summary: string,
  inputs: Inputs,
  options?: RequestOptions<Extract<keyof Inputs, string>>,
) => RequestRow<z.ZodObject<Inputs>>;

const usualEffect: Readonly<Record<Method, Effect>> = {
  GET: 'read',
  POST: 'write',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'destroy',
};

function requestBuilder(method: Method): Builder {
  return (path, summary, inputs, options = {}) => {
    const stray = Object.keys(options.headers ?? {}).find((name) => !(name in inputs));
    if (stray !== undefined) throw new Error(`${method} ${path}: the header of "${stray}" has no input.`);
    return {
      kind: 'request',
      method,
      path,
      summary,
      input: objectOf(inputs, options.customNames),
      effect: options.effect ?? usualEffect[method],
      isIdempotent: options.isIdempotent ?? (method !== 'POST' && method !== 'PATCH'),
      options,
    };
  };
}

/** An object that takes nothing unknown, save names like those of custom fields; its JSON Schema says the same. */
function objectOf<Inputs extends Shape>(inputs: Inputs, customNames?: RegExp): z.ZodObject<Inputs> {
  if (customNames === undefined) return z.object(inputs).catchall(z.never());
  const open: z.ZodObject<Inputs> = z.object(inputs).catchall(z.unknown());
  const check = z.check<Record<string, unknown>>(({ value, issues }) => {
    const keys = Object.keys(value).filter((name) => !(name in inputs) && !customNames.test(name));
    if (keys.length > 0) issues.push({ code: 'unrecognized_keys', keys, input: value, inst: open });
  });
  // Unknown names are told together with what else is wrong, not after it.
  check._zod.def.when = ({ value }) => typeof value === 'object' && value !== null;
  return open.check(check).meta({
    patternProperties: { [customNames.source]: { description: 'A custom field' } },
    additionalProperties: false,
  });
}

/** A row that reads. */
export const get = requestBuilder('GET');
/** A row that posts. */
export const post = requestBuilder('POST');
/** A row that puts. */
export const put = requestBuilder('PUT');
/** A row that patches. */
export const patch = requestBuilder('PATCH');
/** A row that deletes. */
export const del = requestBuilder('DELETE');

/** What a GraphQL row is told besides; its REST route is always named. */
export type GraphqlOptions<Names extends string = string> = Readonly<{
  route: NonNullable<RequestOptions['route']>;
  tool?: string;
  title?: string;
  output?: OperationOutput;
  page?: PageStyle;
  isIdempotent?: boolean;
  local?: readonly Names[];
  own?: OwnWords | 'absent';
  neutral?: 'absent';
}>;

/** A row that is one GraphQL document, posted to `/graphql`; the inputs are its variables. The document's first field answers. */
export function graphql<Inputs extends Shape>(
  effect: Effect,
  document: string,
  summary: string,
  inputs: Inputs,
  options: GraphqlOptions<Extract<keyof Inputs, string>>,
): RequestRow<z.ZodObject<Inputs>> {
  const root = /\{\s*(?:\w+\s*:\s*)?(\w+)/.exec(document)?.[1];
  if (root === undefined) throw new Error(`No field in the document: ${document}`);
  return {
    kind: 'request',
    method: 'POST',
    path: '/graphql',
    summary,
    input: objectOf(inputs),
    effect,
    isIdempotent: options.isIdempotent ?? effect === 'read',
    options: { ...options, graphql: { document, root } },
  };
}

/** What a recipe is told besides its inputs; `answer` only where it is a file. */
export type RecipeOptions = Pick<RequestOptions, 'tool' | 'title' | 'output' | 'isIdempotent' | 'route' | 'aliases'> &
  Readonly<{ answer?: 'file' }>;

/** Builds recipes over typed rows: the compiler checks the names and inputs of the rows that a recipe calls. */
export function recipesOver<Table extends OperationTable>(_rows: Table) {
  type TypedCall = <Name extends Extract<keyof Table, string>>(
    name: Name,
    input: InputOf<Table, Name>,
  ) => Promise<Outcome>;
  return <Inputs extends Shape>(
    effect: Effect,
    summary: string,
    inputs: Inputs,
    { isIdempotent, ...options }: RecipeOptions,
    run: (call: TypedCall, input: z.output<z.ZodObject<Inputs>>, context: RecipeContext) => Promise<Outcome>,
  ): RecipeRow<z.ZodObject<Inputs>> => ({
    kind: 'recipe',
    summary,
    input: objectOf(inputs),
    effect,
    isIdempotent: isIdempotent ?? effect === 'read',
    options,
    run: (call, input, context) => run(call, input, context),
  });
}
