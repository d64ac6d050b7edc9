import { z } from 'zod';
import type { GoodAnswer } from '#adapters/services/definitions/dialect.ts';
import type { RequestRow } from '#adapters/services/requests/operation-table.ts';
import { type Outcome, type Pagination, succeeded } from '#domain/operations/outcome.ts';

const object = z.record(z.string(), z.unknown());
const list = z.array(z.unknown()).catch([]);
const envelope = z.object({ data: z.unknown(), additional_data: object.nullish().catch(null) });
/** Returns the cursor of the page after an answer, or null on the last page; its location depends on the dialect. */
export type NextOf = (answer: GoodAnswer, additional: Readonly<Record<string, unknown>>) => string | null;

/** The neutral dialect's location: `additional_data.pagination.next_cursor` (SALES-013). */
export const neutralNext: NextOf = (_, additional) => {
  const pagination = object.safeParse(additional['pagination']);
  return pagination.success ? cursorText(pagination.data['next_cursor']) : null;
};

/** Reads a successful answer: unwraps the record or list, and reads the next cursor. */
export function successReader(nextOf: NextOf): (answer: GoodAnswer) => Outcome {
  return (answer) => {
    const parsed = envelope.safeParse(answer.body);
    if (!parsed.success) return succeeded(answer.body);
    const isList = answer.row.options.page !== undefined;
    const data = opened(parsed.data.data ?? null, answer.row);
    return isList ? succeeded(data, paginationOf(nextOf(answer, parsed.data.additional_data ?? {}))) : succeeded(data);
  };
}

/**
 * Unwraps the envelope's `data`. Search hits are in `items`; `related_items`, when requested, follow them in the same
 * list, each with `is_related: true`. Goals are in `goals` or `goal`, and an empty v1 list is null.
 */
function opened(data: unknown, { path, options }: RequestRow): unknown {
  const isList = options.page !== undefined;
  if (data === null) return isList ? [] : null;
  const parsed = object.safeParse(data);
  if (!parsed.success) return data;
  const { items, related_items: related, goals, goal, progress } = parsed.data;
  if (Array.isArray(items) && isList) return [...items, ...relatedIn(related)];
  if (!path.startsWith('/v1/goals')) return data;
  if (Array.isArray(goals)) return goals;
  return goal !== undefined && progress === undefined ? goal : data;
}

function relatedIn(related: unknown): readonly unknown[] {
  return list.parse(related).map((hit) => {
    const parsed = object.safeParse(hit);
    return parsed.success ? { ...parsed.data, is_related: true } : hit;
  });
}

/** A cursor in an answer, as text; null when there is none. */
export function cursorText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null;
}

function paginationOf(next: string | null): Pagination {
  return { next, hasMore: next !== null };
}
