import { plain, type Stored } from '#test/emulators/suite-crm/query-text.ts';
import { type Asked, failing, nothing, ok, type Reply, refusal } from '#test/emulators/suite-crm/reply.ts';

const tokenLifeMs = 24 * 60 * 60 * 1000;
const numberedReach = 2_000;

/** How a list is answered in a dialect: whether fields are demanded, and whether pages beyond 2000 records need a token. */
export type ListWords = Readonly<{ isZoho: boolean; now: () => number; demandsFields?: boolean }>;

/** A page of a list, with `info`; 204 when there is nothing on it. */
export function page(items: readonly Stored[], asked: Asked, { isZoho, now, demandsFields = false }: ListWords): Reply {
  const { query } = asked;
  const fields = query.get('fields')?.split(',') ?? null;
  if (isZoho && demandsFields && fields === null && !query.has('ids') && !query.has('cvid')) {
    return failing(
      refusal('REQUIRED_PARAM_MISSING', 'One of the expected parameter is missing', { param_name: 'fields' }),
    );
  }
  const size = Number(query.get('per_page') ?? 200);
  if (!Number.isInteger(size) || size < 1 || size > 200) {
    return failing(refusal('INVALID_DATA', 'invalid data', { param_name: 'per_page' }));
  }
  const token = query.get('page_token');
  if (isZoho && token !== null && query.has('page')) {
    return failing(refusal('AMBIGUITY_DURING_PROCESSING', 'page and page_token were given'));
  }
  const place =
    token === null ? { at: (Number(query.get('page') ?? 1) - 1) * size, until: Infinity } : readToken(token);
  if (place === null || place.until < now())
    return failing(refusal('EXPIRED_PAGE_TOKEN', 'the page token is not valid'));
  if (isZoho && token === null && place.at + size > numberedReach) {
    return failing(refusal('DISCRETE_PAGINATION_LIMIT_EXCEEDED', 'more than 2000 records need a page token'));
  }
  const found = items.slice(place.at, place.at + size);
  if (found.length === 0) return nothing;
  const more = place.at + size < items.length;
  const next = isZoho && more ? writeToken(place.at + size, now() + tokenLifeMs) : null;
  const info = {
    per_page: size,
    count: found.length,
    // The documents leave open what a page that was asked for by a token says here.
    page: token === null ? Math.floor(place.at / size) + 1 : 1,
    more_records: more,
    ...(isZoho ? { next_page_token: next } : {}),
  };
  return ok({ data: found.map((item) => projected(item, fields)), info });
}

function projected(item: Stored, fields: readonly string[] | null): Stored {
  if (fields === null) return item;
  return Object.fromEntries(['id', ...fields].map((field) => [field, item[field] ?? null]));
}

function writeToken(at: number, until: number): string {
  return Buffer.from(JSON.stringify({ at, until })).toString('base64url');
}

function readToken(token: string): Readonly<{ at: number; until: number }> | null {
  const match = /^\{"at":(\d+),"until":(\d+)\}$/.exec(Buffer.from(token, 'base64url').toString());
  return match === null ? null : { at: Number(match[1]), until: Number(match[2]) };
}

/** Records in the order that is asked for; the newest first when nothing is asked. */
export function sorted(items: readonly Stored[], query: URLSearchParams): readonly Stored[] {
  const by = query.get('sort_by') ?? 'id';
  const sign = query.get('sort_order') === 'asc' ? 1 : -1;
  const text = (item: Stored) => plain(item[by]);
  return [...items].sort((left, right) => sign * (text(left) < text(right) ? -1 : Number(text(left) > text(right))));
}
