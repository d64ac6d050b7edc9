import { z } from 'zod';
import { defaultPageSize, pagingInLists } from '#adapters/services/requests/page-size.ts';
import type { Pagination } from '#domain/operations/outcome.ts';
import { inLists } from '#infrastructure/json-schema/tool-schema.ts';

/** A list's paging data. `next_page_token` continues beyond the first 2000 records, `next_index` pages e-mails. */
const infoSchema = z.object({
  page: z.number().int().optional(),
  per_page: z.number().int().optional(),
  more_records: z.boolean().optional(),
  next_page_token: z.string().nullish(),
  next_index: z.string().nullish(),
});

/** How a dialect pages: by page numbers only, or by numbers for the first records and by a token after them. */
export type PagingWords = Readonly<{ hasTokens: boolean }>;

/** The number of records reachable by page numbers; beyond it only a page token continues. */
const numberedReach = 2_000;
const tokenMark = 'token:';
const indexMark = 'index:';

/** The requested page: a number from 1, or the `next` of the previous page. */
export const page = z
  .union([z.number().int().min(1), z.string().regex(/^(?:[1-9]\d*|(?:token|index):.+)$/)])
  .optional()
  .describe('Which page: a number from 1, or the `next` of the previous page; the first by default')
  .meta(inLists({ type: 'string', description: pagingInLists }));

/** The number of records per page. */
export const perPage = z
  .number()
  .int()
  .min(1)
  .max(200)
  .default(defaultPageSize)
  .describe('Records per page, 1 to 200')
  .meta(inLists('At most 200'));

/**
 * Reads a list's paging data. `asked` is the requested page. What was asked for by a token or an index continues by
 * another one only (SUITE-011): its answer's `info.page` may be 1. One that repeats ends the list.
 */
export function paginationOf(info: unknown, asked: unknown, { hasTokens }: PagingWords): Pagination {
  const parsed = infoSchema.safeParse(info);
  if (!parsed.success || parsed.data.more_records !== true) return { next: null, hasMore: false };
  const { next_page_token: token, next_index: index, per_page: size = 0 } = parsed.data;
  const from = typeof asked === 'string' ? asked : '';
  const after = (mark: string, value: string | null | undefined): Pagination => {
    const next = typeof value === 'string' && value !== '' ? `${mark}${value}` : null;
    return { next: next === from ? null : next, hasMore: true };
  };
  if (from.startsWith(tokenMark)) return after(tokenMark, token);
  if (from.startsWith(indexMark) || (typeof index === 'string' && index !== '')) return after(indexMark, index);
  const number = parsed.data.page ?? (/^\d+$/.test(String(asked)) ? Number(asked) : 1);
  if (!hasTokens || number * size < numberedReach) return { next: String(number + 1), hasMore: true };
  return after(tokenMark, token);
}

/** Converts the paging input to the provider's: `page`, `page_token` or `index`. */
export function zohoPaging(inputs: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { page: asked, ...rest } = inputs;
  if (asked === undefined) return rest;
  const text = typeof asked === 'string' ? asked : '';
  if (text.startsWith(tokenMark)) return { ...rest, page_token: text.slice(tokenMark.length) };
  if (text.startsWith(indexMark)) return { ...rest, index: text.slice(indexMark.length) };
  return { ...rest, page: asked };
}
