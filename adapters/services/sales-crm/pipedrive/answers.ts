import { z } from 'zod';
import { cursorText, type NextOf } from '#adapters/services/sales-crm/neutral/answers.ts';

const offsets = z.object({
  start: z.number().catch(0),
  limit: z.number().nullish().catch(null),
  more_items_in_collection: z.boolean().catch(false),
  next_start: z.number().nullish().catch(null),
});

/**
 * The vendor's locations: `additional_data.next_cursor` in v2; in v1 the next offset, in `pagination` or beside it
 * (leads do not state it, so it is computed).
 */
export const pipedriveNext: NextOf = ({ row }, additional) => {
  if (row.options.page === 'cursor') return cursorText(additional['next_cursor']);
  const parsed = offsets.safeParse(additional['pagination'] ?? additional);
  if (!parsed.success || !parsed.data.more_items_in_collection) return null;
  const { start, limit, next_start: next } = parsed.data;
  if (next !== null && next !== undefined) return String(next);
  return limit === null || limit === undefined ? null : String(start + limit);
};
