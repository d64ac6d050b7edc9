import { raw } from '@mikro-orm/core';

const dayMs = 86_400_000;

/**
 * The condition that a row's `at` is within the range, for a list in the order of ids. The database would read the list
 * from its end, or sort the whole range; so the ids of the range are looked up in the index over `at` first, and only
 * rows between them are read. The `+` keeps the database from choosing that index for the rows.
 */
export function idsBetween(table: 'activity' | 'audit', from: number | undefined, until: number | undefined) {
  const bounds = [
    ...(from === undefined ? [] : [{ sign: '>=', value: from }]),
    ...(until === undefined ? [] : [{ sign: '<', value: until }]),
  ];
  const within = (column: string): string => bounds.map(({ sign }) => `${column} ${sign} ?`).join(' and ');
  const values = bounds.map(({ value }) => value);
  const id = (which: 'min' | 'max'): string => `(select ${which}(id + 0) from ${table} where ${within('at')})`;
  return raw(`id >= ${id('min')} and id <= ${id('max')} and ${within('+at')}`, [...values, ...values, ...values]);
}

/**
 * The condition that an entry of the inbox was received within the range, for a list in the order of `seq`. Both come
 * from the database at once: an entry of another day than its neighbours is a day off at most.
 */
export function receivedBetween(since: number | undefined, until: number | undefined) {
  const seq = (sign: '>=' | '<', order: 'asc' | 'desc'): string =>
    `(select seq from webhook_inbox where received_at ${sign} ? order by received_at ${order} limit 1)`;
  const from =
    since === undefined
      ? []
      : [{ sql: `seq >= ${seq('>=', 'asc')} and +received_at >= ?`, values: [since - dayMs, since] }];
  const to =
    until === undefined
      ? []
      : [{ sql: `seq <= ${seq('<', 'desc')} and +received_at < ?`, values: [until + dayMs, until] }];
  const all = [...from, ...to];
  return raw(
    all.map(({ sql }) => sql).join(' and '),
    all.flatMap(({ values }) => values),
  );
}
