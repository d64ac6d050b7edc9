import type { Kind } from '#test/emulators/sales-crm/kinds.ts';
import type { CrmRecord } from '#test/emulators/sales-crm/records.ts';

/** Whose words are spoken. */
export type DialectName = 'neutral' | 'pipedrive';

/** An answer before it is sent. Bytes go as they are, anything else as JSON. */
export type Answer = Readonly<{ status: number; headers?: Readonly<Record<string, string>>; body: unknown }>;

/** A success in the CRM's envelope. */
export const good = (data: unknown, additional: unknown = null): Answer => ({
  status: 200,
  body: { success: true, data, additional_data: additional },
});

/** A failure in the CRM's envelope. */
export const bad = (status: number, error: string, info: string | null = null): Answer => ({
  status,
  body: { success: false, error, error_info: info, data: null, additional_data: null },
});

/** Nobody, or a token that is not valid. */
export const unauthorized: Answer = {
  status: 401,
  body: { success: false, error: 'unauthorized access', errorCode: 401 },
};

/** Fields that the published schema refuses. */
export const invalid = (faults: readonly string[]): Answer => ({
  status: 400,
  body: {
    success: false,
    error: `Validation failed: ${faults.join('; ')}`,
    code: 'ERR_SCHEMA_VALIDATION_FAILED',
    data: null,
    additional_data: null,
  },
});

/** One page of items in the dialect's format; each style of paging refuses a cursor that it did not issue. */
export function pageOf(
  items: readonly CrmRecord[],
  query: URLSearchParams,
  kind: Pick<Kind, 'version' | 'name'>,
  dialect: DialectName,
): Answer {
  const byStart = dialect === 'pipedrive' && kind.version === 'v1';
  const limit = Number(query.get('limit') ?? 100);
  if (!Number.isInteger(limit) || limit < 1 || limit > 500) return invalid(['limit: Expected a number from 1 to 500']);
  const start = byStart ? Number(query.get('start') ?? 0) : startOf(query.get('cursor'));
  if (start === null || !Number.isInteger(start) || start < 0)
    return bad(400, byStart ? 'Invalid start' : 'Invalid cursor');
  const data = items.slice(start, start + limit);
  const next = start + limit < items.length ? start + limit : null;
  if (!byStart) {
    const cursor = next === null ? null : cursorOf(next);
    return good(data, dialect === 'neutral' ? { pagination: { next_cursor: cursor } } : { next_cursor: cursor });
  }
  const pagination = { start, limit, more_items_in_collection: next !== null };
  // An empty v1 list is null, and leads count for themselves.
  const listed = data.length === 0 ? null : data;
  if (kind.name === 'lead') return good(data, pagination);
  return good(listed, { pagination: { ...pagination, ...(next === null ? {} : { next_start: next }) } });
}

function cursorOf(start: number): string {
  return Buffer.from(`after:${start}`).toString('base64url');
}

function startOf(cursor: string | null): number | null {
  if (cursor === null) return 0;
  const start = /^after:(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  return start === undefined ? null : Number(start);
}
