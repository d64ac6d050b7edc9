import { z } from 'zod';
import { done, listOf, pagesOf, recordOf } from '#adapters/services/answers/output.ts';
import { itemOf, shapeOf } from '#adapters/services/from-openapi/answer-types.ts';
import { type DocumentedAnswer, documentedAnswer } from '#adapters/services/from-openapi/answers.ts';
import { composeRequest, type RequestPlan } from '#adapters/services/from-openapi/compose-request.ts';
import type { OpenApiDocument } from '#adapters/services/from-openapi/document.ts';
import type { FoundOperation } from '#adapters/services/from-openapi/found-operation.ts';
import { inputShape, type PlacedInput, placedInputs, queryInput } from '#adapters/services/from-openapi/inputs.ts';
import { textOrNull } from '#adapters/services/from-openapi/json.ts';
import { shortened } from '#adapters/services/from-openapi/names.ts';
import type { PickedOperation } from '#adapters/services/from-openapi/options.ts';
import { type Paging, pagingOf } from '#adapters/services/from-openapi/paging.ts';
import { parametersOf } from '#adapters/services/from-openapi/parameters.ts';
import { requestBodyOf } from '#adapters/services/from-openapi/request-body.ts';
import { isSearch, onlySearches } from '#adapters/services/from-openapi/searches.ts';
import type { RequestRow, Shape } from '#adapters/services/requests/operation-table.ts';
import { del, get, patch, post, put } from '#adapters/services/requests/request-rows.ts';
import type { PageStyle } from '#adapters/services/requests/row-options.ts';
import type { OperationOutput } from '#application/ports/operation-catalog.ts';

/** A row of the table, and how its list is paged; null when it is not. */
export type OpenApiRow = Readonly<{ row: RequestRow; pages: Readonly<{ paging: Paging; input: string }> | null }>;

/** The names of an operation: its tool, and whether it has a REST route. */
export type RowNames = Readonly<{ tool: string | null; isRouted: boolean }>;

const builders = { GET: get, POST: post, PUT: put, PATCH: patch, DELETE: del } as const;
/** What a call does of which only the method is known; PUT replaces what was there (RFC 9110 §9.3.4). */
const usualEffect = { GET: 'read', POST: 'change', PUT: 'lose', PATCH: 'change', DELETE: 'lose' } as const;
const pageStyles: Readonly<Record<Paging['kind'], PageStyle>> = {
  cursor: 'cursor',
  link: 'page',
  page: 'page',
  offset: 'offset',
};

/** Creates the row of an operation. */
export function operationRow(
  document: OpenApiDocument,
  found: FoundOperation,
  { pick, names }: Readonly<{ pick: Exclude<PickedOperation, string>; names: RowNames }>,
): OpenApiRow {
  const answer = documentedAnswer(document, found);
  const body = found.method === 'GET' ? null : requestBodyOf(document, found);
  const described = placedInputs(parametersOf(document, found), body);
  const searches = isSearch(found) && onlySearches(body) && answer.kind === 'json';
  const paging = pick.paging === undefined ? pagingOf(described, answer, { isSearch: searches }) : pick.paging;
  const inputs = withPagingInput(described, paging);
  const plan: RequestPlan = { path: found.path, inputs, body };
  const file = inputs.find(({ schema }) => schema === 'file')?.input;
  const asked = paging === null ? null : (inputs.find((one) => isPagingInput(one, paging))?.input ?? null);
  const output = outputOf(answer, paging);
  const row = builders[found.method](
    routePath(found.path, inputs),
    summaryOf(found, pick),
    shapeWithNumerals(inputs, asked),
    {
      ...(names.tool === null ? {} : { tool: names.tool }),
      ...(names.isRouted ? {} : { route: null }),
      ...(pick.title === undefined ? {} : { title: pick.title }),
      effect: pick.effect ?? (searches ? 'read' : usualEffect[found.method]),
      ...(pick.effectBy === undefined ? {} : { effectBy: pick.effectBy }),
      ...(pick.isIdempotent === undefined ? {} : { isIdempotent: pick.isIdempotent }),
      ...(answer.kind === 'json' ? {} : { answer: answer.kind }),
      ...(answer.mediaType === null ? {} : { accept: { kind: answer.mediaType } }),
      ...(output === null ? {} : { output }),
      ...(paging === null ? {} : { page: pageStyles[paging.kind] }),
      ...(file === undefined ? {} : { multipart: file }),
      compose: (values) => composeRequest(plan, values),
    },
  );
  return { row, pages: paging === null || asked === null ? null : { paging, input: asked } };
}

const isPagingInput = ({ place, name }: PlacedInput, { input }: Paging): boolean =>
  (place === 'query' || place === 'body') && name === input;

function withPagingInput(inputs: readonly PlacedInput[], paging: Paging | null): readonly PlacedInput[] {
  if (paging === null || inputs.some((one) => isPagingInput(one, paging))) return inputs;
  return [...inputs, queryInput(paging.input)];
}

/**
 * Lets a numeric paging input accept a numeral, since a page's `next` is returned as text and passed back unchanged.
 */
function shapeWithNumerals(inputs: readonly PlacedInput[], asked: string | null): Shape {
  const shape = inputShape(inputs);
  const type = asked === null ? undefined : shape[asked];
  if (asked === null || type === undefined) return shape;
  const isNumber = inputs.some(
    ({ input, schema }) =>
      input === asked && schema !== 'file' && schema.types.some((one) => /^(?:integer|number)$/.test(one)),
  );
  if (!isNumber) return shape;
  const numeral = (value: unknown) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value);
  return { ...shape, [asked]: z.preprocess(numeral, type).meta({ ...type.meta() }) };
}

/** The path of the REST route: with the inputs' names, and without characters that are special to a router. */
function routePath(path: string, inputs: readonly PlacedInput[]): string {
  return path
    .split(/(\{[^{}]+\})/)
    .map((part, index) => {
      if (index % 2 === 0)
        return part
          .replaceAll(':', '/')
          .replaceAll(/[^\w\-.~/]/g, '_')
          .replaceAll(/\/{2,}/g, '/');
      const name = part.slice(1, -1);
      return `{${inputs.find((one) => one.place === 'path' && one.name === name)?.input ?? name}}`;
    })
    .join('');
}

function summaryOf({ operation, method, path }: FoundOperation, pick: Exclude<PickedOperation, string>): string {
  const [summary, description] = [textOrNull(operation['summary']), textOrNull(operation['description'])];
  // "List" alone says nothing of what is listed.
  const isShort = summary !== null && summary.trim().split(/\s+/, 3).length < 3;
  const full = isShort && description !== null ? `${summary}: ${description}` : (summary ?? description);
  return pick.summary ?? shortened(full ?? `${method} ${path}`);
}

function outputOf({ kind, schema }: DocumentedAnswer, paging: Paging | null): OperationOutput | null {
  if (kind === 'text' || kind === 'file') return null;
  if (kind === 'none') return done;
  const list = listSchema(schema, paging);
  if (list !== null) return paging === null ? listOf(itemOf(list.items)) : pagesOf(itemOf(list.items));
  return recordOf(shapeOf(schema));
}

/** The schema of the answered list; null for a record. */
function listSchema(schema: DocumentedAnswer['schema'], paging: Paging | null): DocumentedAnswer['schema'] | null {
  const path = paging?.list?.split('.') ?? [];
  let here: DocumentedAnswer['schema'] | undefined = schema;
  for (const name of path) here = here?.properties.get(name);
  if (here?.types.includes('array') === true) return here;
  return paging === null ? null : { ...schema, types: ['array'], items: null };
}
