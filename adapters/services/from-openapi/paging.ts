import type { DocumentedAnswer } from '#adapters/services/from-openapi/answers.ts';
import type { PlacedInput } from '#adapters/services/from-openapi/inputs.ts';
import type { PlainSchema } from '#adapters/services/from-openapi/plain-schema.ts';

/** A path in an answer, as names joined by dots: 'meta.next_cursor'. */
type AnswerPath = string;

/**
 * How a list is paged. `input` is the query parameter that selects a page, or for a search the member of its body; `list` is the path of the items in the
 * answer, by default the answer itself.
 */
export type Paging = Readonly<
  { input: string; list?: AnswerPath } & (
    | {
        kind: 'cursor';
        /** The path of the value to request next: a cursor, a number, or an address that contains the parameter. */
        next: AnswerPath;
      }
    /** The `Link` header contains the address of the next page (RFC 8288). */
    | { kind: 'link' }
    /**
     * Pages by number. One of `pages`, `more`, `last` and `total` (the number of items on all pages) tells whether
     * there is another. For `total`, `size` is the query parameter for the page size, and `usualSize` its default.
     */
    | {
        kind: 'page';
        first?: number;
        pages?: AnswerPath;
        more?: AnswerPath;
        last?: AnswerPath;
        total?: AnswerPath;
        size?: string;
        usualSize?: number;
      }
    /** Pages by item offset; without `total` and `more` the list continues until a page is empty. */
    | { kind: 'offset'; total?: AnswerPath; more?: AnswerPath }
  )
>;

const cursorInputs =
  /^(?:cursor|after|marker|starting_?after|continue|(?:page|next|continuation|start|sync)_?(?:token|cursor)|page\[(?:cursor|after)\])$/i;
const pageInputs = /^(?:page|page_?(?:number|no|index)|p|page\[number\])$/i;
const offsetInputs = /^(?:offset|skip|start|start_?(?:index|at)|from|page\[offset\])$/i;

const sizeInputs = /^(?:(?:per_?page|page_?size|limit|size|count)|page\[size\])$/i;

const cursorNames =
  /^(?:(?:next|end)_?(?:cursor|(?:page_?)?token|page|link|url|offset|start)?|after|continue|cursor|continuation_?token|@odata\.nextLink)$/i;
/** What names the next page within a member `next`: its cursor, or its address. */
const nextNames = /^(?:cursor|(?:page_?)?token|after|start|offset|continuation_?token|link|url|uri|href|path)$/i;
const totalNames = /^(?:total|total_?(?:count|items|results|elements|records)|count|size)$/i;
const pagesNames = /^(?:total_?pages|page_?count|pages|last_?page)$/i;
const moreNames = /^(?:has_?more|has_?next(?:_?page)?|more(?:_items_in_collection)?|is_?truncated)$/i;
const lastNames = /^(?:last|last_?page|is_?last(?:_?page)?)$/i;

/**
 * Detects how an operation is paged from the names of its query parameters and answer members; null when they do not
 * show it.
 */
export function pagingOf(
  inputs: readonly PlacedInput[],
  { schema, headers }: DocumentedAnswer,
  { isSearch }: Readonly<{ isSearch: boolean }> = { isSearch: false },
): Paging | null {
  const list = listPath(schema);
  if (list === null) return null;
  const named = (place: PlacedInput['place']) => inputs.filter((one) => one.place === place).map(({ name }) => name);
  const queries = isSearch ? [...named('query'), ...named('body')] : named('query');
  const [cursor, page, offset] = [cursorInputs, pageInputs, offsetInputs].map((names) =>
    queries.find((name) => names.test(name)),
  );
  const any = cursor ?? page ?? offset;
  if (any === undefined) return null;
  const at = list === '' ? {} : { list };
  const found = (names: RegExp, isOf: (one: PlainSchema) => boolean = () => true) => findPath(schema, names, isOf);
  const next = found(cursorNames, isText) ?? (any === cursor ? null : found(cursorNames, isNumber));
  if (next !== null) return { kind: 'cursor', input: any, next, ...at };
  if (headers.has('link')) return { kind: 'link', input: page ?? any, ...at };
  const more = optional('more', found(moreNames, isFlag));
  if (page !== undefined) {
    const ends = {
      ...more,
      ...optional('pages', found(pagesNames, isNumber)),
      ...optional('last', found(lastNames, isFlag)),
      ...totalOf(inputs, found(totalNames, isNumber)),
    };
    return Object.keys(ends).length === 0
      ? null
      : { kind: 'page', input: page, first: firstPage(inputs, page), ...ends, ...at };
  }
  if (offset === undefined) return null;
  const ends = { ...more, ...optional('total', found(totalNames, isNumber)) };
  return { kind: 'offset', input: offset, ...ends, ...at };
}

/** The path of the total number of items, where the page size is known too. */
function totalOf(
  inputs: readonly PlacedInput[],
  total: string | null,
): Readonly<{ total?: string; size?: string; usualSize?: number }> {
  const size = inputs.find(({ place, name }) => place === 'query' && sizeInputs.test(name));
  if (total === null || size === undefined || size.schema === 'file') return {};
  const { assumed } = size.schema;
  return { total, size: size.name, ...(typeof assumed === 'number' ? { usualSize: assumed } : {}) };
}

/** The number of the first page, 0 or 1: as the document says of the parameter, else 1. */
export function firstPage(inputs: readonly PlacedInput[], name: string): number {
  const schema = inputs.find((one) => one.place === 'query' && one.name === name)?.schema;
  if (schema === undefined || schema === 'file') return 1;
  if (schema.assumed === 0 || schema.bounds.minimum === 0) return 0;
  return /\b(?:zero|0)[- ]based\b/i.test(schema.description ?? '') ? 0 : 1;
}

/**
 * The path of the list in an answer: '' when the answer is a list; null when there is none, or several equally likely
 * ones.
 */
function listPath({ types, properties }: PlainSchema): string | null {
  if (types.includes('array')) return '';
  const lists = [...properties].filter(([, { types }]) => types.includes('array')).map(([name]) => name);
  const [only = null] = lists;
  if (lists.length === 1) return only;
  return usualLists.find((name) => lists.includes(name)) ?? null;
}

const usualLists = ['data', 'items', 'results', 'values', 'records', 'entries', 'value', 'list'];

/** Members of an answer that contain paging information. */
const pagingParts =
  /^(?:meta(?:data)?|response_?meta(?:data)?|pag(?:e|ing|ination)(?:_?info)?|_?links|cursors?|next|pageInfo)$/i;

function findPath(schema: PlainSchema, names: RegExp, isOf: (one: PlainSchema) => boolean): string | null {
  for (const [name, one] of schema.properties) if (names.test(name) && isOf(one)) return name;
  for (const [part, inside] of schema.properties) {
    if (!pagingParts.test(part)) continue;
    const path = findPath(inside, names === cursorNames && part.toLowerCase() === 'next' ? nextNames : names, isOf);
    if (path !== null) return `${part}.${path}`;
  }
  return null;
}

const isText = ({ types }: PlainSchema): boolean => types.includes('string');
const isNumber = ({ types }: PlainSchema): boolean => types.includes('integer') || types.includes('number');
const isFlag = ({ types }: PlainSchema): boolean => types.includes('boolean');

function optional<Name extends string>(name: Name, path: string | null): Partial<Record<Name, string>> {
  const member: Partial<Record<Name, string>> = {};
  if (path !== null) member[name] = path;
  return member;
}
