import { type Failure, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { queryFields } from '#domain/shared/query-fields.ts';

/** One of several lists that are read as one; its name is in the cursor. */
export type JoinedList = Readonly<{
  name: string;
  page(paging: Readonly<{ limit: number; cursor?: string }>): Promise<Outcome>;
}>;

/** The paging inputs of a list, among others. */
type Paging = Readonly<Record<string, unknown>>;

/**
 * Reads a page of several lists as one: an equal share of each, in their order. The cursor names those that go on, and
 * the cursor of each. A list that the connection may not read is left out, with a warning, unless it is the only one.
 */
export async function joinedPage(lists: readonly JoinedList[], { limit: given, cursor }: Paging): Promise<Outcome> {
  const limit = Number(given);
  const places = queryFields(typeof cursor === 'string' ? cursor : lists.map(({ name }) => `${name}=`).join('&'));
  const due = lists.filter(({ name }) => places.has(name));
  const share = Math.max(1, Math.floor(limit / Math.max(1, due.length)));
  const next = new URLSearchParams();
  const data: unknown[] = [];
  const warnings: string[] = [];
  let refused: Failure | null = null;
  for (const { name, page } of due) {
    const place = places.get(name) ?? '';
    const room = Math.min(share, limit - data.length);
    if (room < 1) {
      next.set(name, place);
      continue;
    }
    const outcome = await page({ limit: room, ...(place === '' ? {} : { cursor: place }) });
    if (!outcome.ok && (outcome.reason !== 'forbidden' || due.length === 1)) return outcome;
    if (outcome.ok) {
      data.push(...(Array.isArray(outcome.data) ? outcome.data : []));
      warnings.push(...(outcome.warnings ?? []));
      if (outcome.pagination?.next != null) next.set(name, outcome.pagination.next);
    } else {
      refused = outcome;
      warnings.push(`${name}: ${outcome.message}`);
    }
  }
  if (refused !== null && warnings.length === due.length && data.length === 0) return refused;
  const following = next.size === 0 ? null : next.toString();
  const outcome = succeeded(data, { next: following, hasMore: following !== null });
  return warnings.length === 0 ? outcome : { ...outcome, warnings: [...new Set(warnings)] };
}

/** A page of a list that a provider returns whole; the cursor is the place in it. */
export function pageOf(whole: readonly unknown[], { limit: given, cursor }: Paging): Outcome {
  const limit = Number(given);
  const start = typeof cursor === 'string' && /^\d{1,9}$/.test(cursor) ? Number(cursor) : 0;
  const next = start + limit < whole.length ? String(start + limit) : null;
  return succeeded(whole.slice(start, start + limit), { next, hasMore: next !== null });
}
