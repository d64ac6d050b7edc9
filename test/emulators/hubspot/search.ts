import { z } from 'zod';
import { invalid } from '#test/emulators/hubspot/answers.ts';
import type { HubSpotStore, StoredRecord } from '#test/emulators/hubspot/store.ts';
import { type EmulatedType, typeNamed } from '#test/emulators/hubspot/types.ts';
import type { Answer } from '#test/emulators/sales-crm/answers.ts';

const filter = z.strictObject({
  propertyName: z.string(),
  operator: z.enum(['EQ', 'NEQ', 'LT', 'LTE', 'GT', 'GTE', 'IN', 'CONTAINS_TOKEN', 'HAS_PROPERTY', 'NOT_HAS_PROPERTY']),
  value: z.string().optional(),
  values: z.array(z.string()).optional(),
});
const body = z.strictObject({
  query: z.string().max(3000).optional(),
  filterGroups: z.array(z.strictObject({ filters: z.array(filter).min(1).max(6) })).max(5),
  sorts: z.array(z.string()).max(1),
  properties: z.array(z.string()),
  limit: z.int().min(0).max(200),
  after: z.string(),
});

/** How many results a search has at most; `last` can be lowered for a test. */
export type SearchBounds = { last: number };

/** Answers a search; `shown` converts a record to what is answered. */
export function search(
  store: HubSpotStore,
  type: EmulatedType,
  request: unknown,
  { last, shown }: SearchBounds & { shown: (record: StoredRecord, properties: readonly string[]) => unknown },
): Answer {
  const parsed = body.safeParse(request);
  if (!parsed.success) return invalid(`Invalid input JSON: ${z.prettifyError(parsed.error)}`);
  const { query, filterGroups, sorts, properties, limit, after } = parsed.data;
  const known = new Set(store.properties(type).map(({ name }) => name));
  const unknown = filterGroups
    .flatMap(({ filters }) => filters.map(({ propertyName }) => propertyName))
    .find((name) => !known.has(name) && !name.startsWith('associations.'));
  if (unknown !== undefined) return invalid(`There was a problem with the request. property=${unknown} was not found.`);
  const start = after === '' ? 0 : Number(after);
  if (start >= last) return invalid(`Paging through ${last} results or more is not supported`);
  const groups = filterGroups.map(({ filters }) => filters);
  const found = store
    .all(type.plural)
    .filter((record) => groups.length === 0 || groups.some((all) => all.every((one) => meets(store, record, one))))
    .filter((record) => query === undefined || contains(record, query))
    .toSorted(bySort(sorts[0] ?? 'hs_object_id'));
  const end = start + limit;
  const page = found.slice(start, end).map((record) => shown(record, properties));
  const paging = end < found.length ? { paging: { next: { after: String(end) } } } : {};
  return { status: 200, body: { total: found.length, results: page, ...paging } };
}

function bySort(sort: string): (left: StoredRecord, right: StoredRecord) => number {
  const name = sort.replace(/^-/, '');
  const sign = sort.startsWith('-') ? -1 : 1;
  return ({ properties: left }, { properties: right }) => sign * compared(left[name] ?? '', right[name] ?? '');
}

function compared(left: string, right: string): number {
  const [first, second] = [Number(left), Number(right)];
  return Number.isNaN(first - second) ? left.localeCompare(right) : first - second;
}

function contains({ properties }: StoredRecord, query: string): boolean {
  const words = query.toLowerCase().split(/\s+/);
  const texts = Object.entries(properties).filter(([name]) => !/date$|^hs_object_id$/.test(name));
  const all = texts
    .map(([, text]) => text)
    .join(' ')
    .toLowerCase();
  return words.every((word) => all.includes(word));
}

function meets(
  store: HubSpotStore,
  record: StoredRecord,
  { propertyName, operator, value = '', values = [] }: z.output<typeof filter>,
): boolean {
  const other = /^associations\.(.+)$/.exec(propertyName)?.[1];
  if (other !== undefined) {
    const type = typeNamed(other);
    return type !== undefined && store.associated(record, type).some(({ to }) => to.id === value);
  }
  const is = record.properties[propertyName] ?? '';
  const [mine, given] = [timeOf(is), timeOf(value)];
  if (operator === 'IN') return values.some((one) => one.toLowerCase() === is.toLowerCase());
  if (operator === 'EQ') return is.toLowerCase() === value.toLowerCase();
  if (operator === 'NEQ') return is.toLowerCase() !== value.toLowerCase();
  if (operator === 'HAS_PROPERTY') return is !== '';
  if (operator === 'NOT_HAS_PROPERTY') return is === '';
  if (operator === 'CONTAINS_TOKEN') return hasToken(is.toLowerCase(), value.toLowerCase());
  if (Number.isNaN(mine)) return false;
  if (operator === 'LT') return mine < given;
  if (operator === 'GTE') return mine >= given;
  return operator === 'GT' ? mine > given : mine <= given;
}

/** A token is a word; an asterisk stands for any part of one. */
function hasToken(text: string, pattern: string): boolean {
  const bare = pattern.replaceAll('*', '');
  const words = text.split(/[^\p{L}\p{N}@._+-]+/u);
  const [start, end] = [pattern.endsWith('*'), pattern.startsWith('*')];
  return words.some((word) =>
    end ? (start ? word.includes(bare) : word.endsWith(bare)) : start ? word.startsWith(bare) : word === bare,
  );
}

function timeOf(text: string): number {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Date.parse(text);
}
