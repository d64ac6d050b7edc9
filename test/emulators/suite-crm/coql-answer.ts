import { own } from '#domain/shared/own.ts';
import type { ReadQuery, Selected } from '#test/emulators/suite-crm/coql-text.ts';
import { meets, plain, type ReadField, type Stored } from '#test/emulators/suite-crm/query-text.ts';
import { schema } from '#test/emulators/suite-crm/schema.ts';
import type { CrmState } from '#test/emulators/suite-crm/state.ts';

/** What a query gives, and whether there is more after it. */
export function answerQuery(state: CrmState, query: ReadQuery): Readonly<{ data: readonly Stored[]; more: boolean }> {
  const read = reader(state, query.from);
  const found = state.all(query.from).filter((record) => meets(record, query.where, read));
  const rows = query.select.some(({ aggregate }) => aggregate !== null)
    ? groups(found, query, read)
    : inOrder(found, query, read).map((record) => ({ id: record['id'], ...selected(record, query.select, read) }));
  const data = rows.slice(query.offset, query.offset + query.limit);
  return { data, more: rows.length > query.offset + query.limit };
}

/** Reads a field, also one of the record that a lookup leads to. */
function reader(state: CrmState, module: string): ReadField {
  return (record, path) => {
    const [field = '', further] = path.split('.', 2);
    const value = record[field];
    if (further === undefined) return value;
    const to = own(schema, module)?.find(({ api_name }) => api_name === field)?.lookup;
    return to === undefined ? null : (state.find(to, plain(value))?.[further] ?? null);
  };
}

function selected(record: Stored, select: readonly Selected[], read: ReadField): Stored {
  return Object.fromEntries(select.map(({ field, name }) => [name, read(record, field) ?? null]));
}

function inOrder(records: readonly Stored[], { orderBy }: ReadQuery, read: ReadField): readonly Stored[] {
  const compare = (left: unknown, right: unknown) => {
    if (typeof left === 'number' && typeof right === 'number') return left - right;
    return plain(left) < plain(right) ? -1 : Number(plain(left) > plain(right));
  };
  return [...records].sort((left, right) => {
    for (const { field, isDescending } of orderBy) {
      const order = compare(read(left, field), read(right, field));
      if (order !== 0) return isDescending ? -order : order;
    }
    return 0;
  });
}

function groups(records: readonly Stored[], query: ReadQuery, read: ReadField): readonly Stored[] {
  const byKey = Map.groupBy(records, (record) => query.groupBy.map((field) => plain(read(record, field))).join('\0'));
  return [...byKey.values()].map((members) =>
    Object.fromEntries(query.select.map((column) => [column.name, columnOf(members, column, read)])),
  );
}

function columnOf(members: readonly Stored[], { aggregate, field }: Selected, read: ReadField): unknown {
  const values = members.map((member) => read(member, field)).filter((value) => plain(value) !== '');
  const numbers = values.map(Number);
  const sum = numbers.reduce((total, number) => total + number, 0);
  if (aggregate === 'count') return values.length;
  if (aggregate === 'sum') return sum;
  if (aggregate === 'avg') return values.length === 0 ? null : sum / values.length;
  if (aggregate === 'min') return values.length === 0 ? null : Math.min(...numbers);
  if (aggregate === 'max') return values.length === 0 ? null : Math.max(...numbers);
  return values[0] ?? null;
}
