import { type Answer, bad, type DialectName, good, invalid, pageOf } from '#test/emulators/sales-crm/answers.ts';
import { type Kind, kinds } from '#test/emulators/sales-crm/kinds.ts';
import { type CrmRecord, faultsOf, type Records } from '#test/emulators/sales-crm/records.ts';
import { type CrmRequest, type EmulatorRoute, jsonBody } from '#test/emulators/sales-crm/request.ts';
import { hitOf, relatedTo } from '#test/emulators/sales-crm/search-hits.ts';

const customFieldKey = /^[0-9a-f]{40}$/;

/** The routes that most kinds have in common: list, get, create, change, delete, search. */
export function recordRoutes(records: Records, dialect: DialectName): readonly EmulatorRoute[] {
  return kinds.flatMap((kind) => routesOf(kind, records, dialect));
}

function routesOf(kind: Kind, records: Records, dialect: DialectName): readonly EmulatorRoute[] {
  const path = `/${kind.version === 'v2' ? 'api/v2' : 'v1'}/${kind.collection}`;
  const isPipedrive = dialect === 'pipedrive';
  const routes: Record<Kind['methods'][number], EmulatorRoute> = {
    list: {
      method: 'GET',
      path,
      answer: ({ query }) => pageOf(sorted(narrowed(records.all(kind.name), kind, query), query), query, kind, dialect),
    },
    get: {
      method: 'GET',
      path: `${path}/{id}`,
      answer: (_, { id = '' }) => found(records.find(kind.name, id), records.isGone(kind.name, id)),
    },
    create: {
      method: 'POST',
      path,
      answer: (request) => checked(request, kind, isPipedrive, true, (fields) => records.create(kind.name, fields)),
    },
    PATCH: changing('PATCH'),
    PUT: changing('PUT'),
    delete: {
      method: 'DELETE',
      path: `${path}/{id}`,
      answer: (_, { id = '' }) => {
        const gone = records.isGone(kind.name, id);
        const record = records.remove(kind.name, id);
        return record === null ? found(null, gone) : good({ id: record['id'] });
      },
    },
    search: {
      method: 'GET',
      path: `${path}/search`,
      answer: ({ query }) => searchAnswer(records, [kind], query, dialect),
    },
  };
  function changing(method: 'PATCH' | 'PUT'): EmulatorRoute {
    return {
      method,
      path: `${path}/{id}`,
      answer: (request, { id = '' }) => {
        const isRestored = kind.name === 'deal' && jsonBody(request)?.['is_deleted'] === false;
        if (records.find(kind.name, id) === null && !(isRestored && records.isGone(kind.name, id)))
          return found(null, records.isGone(kind.name, id));
        return checked(request, kind, isPipedrive, false, (fields) => records.update(kind.name, id, fields));
      },
    };
  }
  return kind.methods.map((method) => routes[method]);
}

/** A record, or that there is none: 410 when it was deleted, 404 when there never was one. */
export function found(record: CrmRecord | null, wasThere: boolean): Answer {
  if (record !== null) return good(record);
  return wasThere
    ? bad(410, 'Gone', 'The record was deleted.')
    : bad(404, 'Entity was not found', 'Object was not found.');
}

/** Every record of the kinds that holds the term, best first, in a search's own shape. */
export function searchAnswer(
  records: Records,
  among: readonly Kind[],
  query: URLSearchParams,
  dialect: DialectName,
): Answer {
  const term = (query.get('term') ?? '').toLowerCase();
  const isExact = query.get('exact_match') === 'true';
  if (term.length < (isExact ? 1 : 2)) return invalid(['term: String must contain at least 2 character(s)']);
  const matches = (record: CrmRecord, kind: Kind) =>
    kind.searched.some((field) => {
      const text = textOf(record[field]).toLowerCase();
      return isExact ? text === term : text.includes(term);
    });
  const hits = among.flatMap((kind) =>
    records
      .all(kind.name)
      .filter((record) => record['is_deleted'] !== true && matches(record, kind))
      .map((record) => hitOf(records, kind.name, record)),
  );
  const page = pageOf(hits, query, { version: 'v2', name: 'item' }, dialect);
  if (page.status !== 200 || typeof page.body !== 'object' || page.body === null || !('data' in page.body)) return page;
  const isRelatedAsked = query.get('search_for_related_items') === 'true';
  const related = isRelatedAsked ? { related_items: relatedTo(records, hits) } : {};
  return { ...page, body: { ...page.body, data: { items: page.body.data, ...related } } };
}

function checked(
  request: CrmRequest,
  kind: Kind,
  isOwn: boolean,
  isWhole: boolean,
  act: (fields: CrmRecord) => CrmRecord | null,
): Answer {
  const fields = jsonBody(request);
  if (fields === null) return bad(400, 'Bad request', 'The body is no JSON object.');
  const loose = isOwn && kind.version === 'v2' ? Object.keys(fields).filter((name) => customFieldKey.test(name)) : [];
  const faults = [...faultsOf(kind, fields, isWhole), ...loose.map((name) => `${name}: belongs into custom_fields`)];
  if (faults.length > 0) return invalid(faults);
  const record = act(fields);
  return kind.name === 'goal' ? good({ goal: record }) : good(record);
}

function narrowed(all: readonly CrmRecord[], { filters }: Kind, query: URLSearchParams): readonly CrmRecord[] {
  const ids = query.get('ids')?.split(',');
  const since = query.get('updated_since');
  const until = query.get('updated_until');
  const isGone = (record: CrmRecord) => record['is_deleted'] === true;
  return all.filter(
    (record) =>
      (query.get('status') === 'deleted'
        ? isGone(record)
        : !isGone(record) && filters.every((name) => !query.has(name) || textOf(record[name]) === query.get(name))) &&
      (ids === undefined || ids.includes(String(record['id']))) &&
      (since === null || Date.parse(textOf(record['update_time'])) >= Date.parse(since)) &&
      (until === null || Date.parse(textOf(record['update_time'])) < Date.parse(until)),
  );
}

function sorted(all: readonly CrmRecord[], query: URLSearchParams): readonly CrmRecord[] {
  const [field = '', direction = 'ASC'] = (query.get('sort') ?? query.get('sort_by') ?? '').split(' ');
  const isDescending = (query.get('sort_direction') ?? direction).toLowerCase() === 'desc';
  const ordered = field === '' ? [...all] : [...all].sort((left, right) => compare(left[field], right[field]));
  return isDescending ? ordered.toReversed() : ordered;
}

function compare(left: unknown, right: unknown): number {
  return typeof left === 'number' && typeof right === 'number'
    ? left - right
    : textOf(left).localeCompare(textOf(right));
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
