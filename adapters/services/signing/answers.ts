import { z } from 'zod';
import type { GoodAnswer } from '#adapters/services/definitions/dialect.ts';
import { defaultPageSize } from '#adapters/services/requests/page-size.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';
import { documentStateOf, isBeingCreated } from '#domain/signing/document-state.ts';

const record = z.record(z.string(), z.unknown());
const listBody = z.array(z.unknown());
const pageInputs = z.object({ page: z.number().default(1), count: z.number().default(defaultPageSize) });

/** Lists that are returned whole, by the path of their row, and the names under which an answer may have them. */
const wholeLists: Readonly<Record<string, readonly string[]>> = {
  '/public/v1/documents/{id}/recipients': ['recipients'],
  '/public/v1/documents/{id}/fields': ['fields'],
  '/public/v1/documents/{id}/attachments': ['attachments'],
  '/public/v1/documents/{id}/quotes': ['quotes'],
  '/public/v1/documents/{id}/linked-objects': ['linked_objects'],
};

/** The warning for a document that is still being processed (SIGN-003). */
export const notReady =
  'The document is not ready yet: it is still being made (state "uploaded"). It can be sent, changed or downloaded once it ' +
  'is a draft, usually after a few seconds; get the document to see its state.';

/**
 * Converts a successful answer to an outcome: unwraps lists, derives paging, and warns about a document that is not
 * ready. `wholePages` are the paths of paged lists that the provider returns whole.
 */
export function readSuccess(wholePages: readonly string[]): (answer: GoodAnswer) => Outcome {
  return (answer) => {
    const { row, body } = answer;
    if (row.options.page !== undefined) return pageOf(answer, wholePages.includes(row.path));
    const names = row.method === 'GET' ? own(wholeLists, row.path) : undefined;
    if (names !== undefined) return wholeList(body, names);
    if (row.method === 'POST' && row.path === '/public/v1/documents') return created(body);
    return succeeded(body);
  };
}

/**
 * Derives paging: a short page is the last one, since the service reports no totals. A list that is returned whole is
 * paged here.
 */
function pageOf({ inputs, body }: GoodAnswer, isWhole: boolean): Outcome {
  const items = listIn(body, ['results']);
  if (items === null) return noList;
  const { page, count } = pageInputs.parse(inputs);
  const shown = isWhole ? items.slice((page - 1) * count, page * count) : items;
  const hasMore = isWhole ? items.length > page * count : (saysMore(body) ?? items.length >= count);
  return succeeded(shown, { next: hasMore ? String(page + 1) : null, hasMore });
}

/** Whether there is another page, as answers about forms state; null when not stated. */
function saysMore(body: unknown): boolean | null {
  const parsed = z.object({ has_next_page: z.boolean() }).safeParse(body);
  return parsed.success ? parsed.data.has_next_page : null;
}

function wholeList(body: unknown, names: readonly string[]): Outcome {
  const items = listIn(body, [...names, 'results']);
  return items === null ? noList : succeeded(items);
}

/**
 * The list in an answer: the answer itself, or the first of the names found; also below `pricing`, where details have
 * quotes.
 */
function listIn(body: unknown, names: readonly string[]): readonly unknown[] | null {
  const bare = listBody.safeParse(body);
  if (bare.success) return bare.data;
  const parsed = record.safeParse(body);
  if (!parsed.success) return null;
  const places = [parsed.data, record.safeParse(parsed.data['pricing']).data ?? {}];
  const found = places.flatMap((place) => names.map((name) => place[name])).find(Array.isArray);
  // The details of a document omit what it has none of.
  return found ?? ('pricing' in parsed.data && names.includes('quotes') ? [] : null);
}

const noList = failed('unavailable', 'The signing service answered with something that is not a list.');

function created(body: unknown): Outcome {
  const state = documentStateOf(record.safeParse(body).data?.['status']);
  return state !== null && isBeingCreated(state) ? { ...succeeded(body), warnings: [notReady] } : succeeded(body);
}
