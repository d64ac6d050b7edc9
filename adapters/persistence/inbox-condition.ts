import type { InboxQuery } from '#application/ports/webhook-inbox.ts';

/** The columns that are searched for a text. */
const searched = ['event', 'delivery_id', 'order_key', "coalesce(outcome, '')"];

/** The WHERE clause of a query's entries, and the values of its placeholders. */
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
 * Matches a text anywhere in the searched columns. Escapes LIKE wildcards; the database lower-cases both sides, since
 * SQLite folds ASCII only.
 */
function containing(text: string) {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const sql = searched.map((column) => `lower(${column}) like lower(?) escape '\\'`).join(' or ');
  return { sql: `(${sql})`, values: searched.map(() => pattern) };
}
