import type { InboxQuery } from '#application/ports/webhook-inbox.ts';

/** The columns that a text is looked for in. */
const searched = ['event', 'delivery_id', 'order_key', "coalesce(outcome, '')"];

/** The condition for a query's entries, and the values of its placeholders. */
export function inboxCondition({ state, service, since, until, text, before }: InboxQuery): Readonly<{
  where: string;
  values: readonly (string | number)[];
}> {
  const conditions: readonly (readonly [string, string | number | undefined])[] = [
    ['state = ?', state],
    ['service = ?', service],
    ['received_at >= ?', since],
    ['received_at < ?', until],
    ['seq < ?', before],
  ];
  const simple = conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, values: [value] }]));
  const all = text === undefined ? simple : [...simple, containing(text)];
  const where = all.length === 0 ? '' : `where ${all.map(({ sql }) => sql).join(' and ')}`;
  return { where, values: all.flatMap(({ values }) => values) };
}

/**
 * What is special in a pattern of LIKE is meant as it is. The database makes both sides small: SQLite knows the capitals of
 * ASCII only.
 */
function containing(text: string) {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const sql = searched.map((column) => `lower(${column}) like lower(?) escape '\\'`).join(' or ');
  return { sql: `(${sql})`, values: searched.map(() => pattern) };
}
