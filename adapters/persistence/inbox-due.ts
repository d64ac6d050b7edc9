import type { ClaimedLane } from '#application/ports/webhook-inbox.ts';
import type { Lane } from '#domain/webhooks/lane.ts';
import type { DatabaseKind } from '#infrastructure/database/open-database.ts';

/**
 * The entries to select: how many at most, and from which lanes, undefined for all; `now` is SQL for the current time.
 */
export type DueQuery = Readonly<{
  kind: DatabaseKind;
  now: string;
  limit: number;
  lanes: readonly ClaimedLane[] | undefined;
}>;

/**
 * Builds the common table expression `due`: the `seq` of entries that may be processed, the earliest first. Each lane
 * is queried separately through its index, so that a backlog of one service does not slow down the others. On
 * PostgreSQL rows that another process is claiming are skipped, and numbers and lanes are values, so that the text is
 * always the same and planned once.
 */
export function dueSql({ kind, now, lanes, ...query }: DueQuery): DueSql {
  const reading = { kind, now };
  const limit = Math.trunc(query.limit);
  // PostgreSQL would read all that is open if it expected no more than a number that it knows.
  const [most, values] = kind === 'sqlite' ? [String(limit), []] : ['(select cast(? as bigint))', [limit]];
  if (lanes === undefined) {
    // SQLite would use the index over states, and sort the whole backlog at each claim.
    const index = kind === 'sqlite' ? 'indexed by webhook_inbox_due' : '';
    return { sql: `with due as materialized (${entriesSql(reading, { index, where: open, most })})`, values };
  }
  const found = kind === 'sqlite' ? lanesInFile(reading, lanes, limit) : lanesTogether(reading, lanes, limit);
  const sql = `with due as materialized (select seq from (select seq from ${found.sql}) lanes order by seq limit ${most})`;
  return { sql, values: [...found.values, ...values] };
}

/** SQL with `?` placeholders, and their values. */
type DueSql = Readonly<{ sql: string; values: readonly unknown[] }>;
type Reading = Pick<DueQuery, 'kind' | 'now'>;

const open = "entry.state in ('pending', 'leased')";

/**
 * Selects entries that are due, the earliest first; `most` is SQL. PostgreSQL takes nearly all rows for ones of which a
 * `case` has a value, whatever its statistics say: it would sort all that is open if it expected little. Only one index
 * has the order in which the first entry of a record is sought, from the record on, since equality would let it seek by
 * `seq` in all that is done.
 */
function entriesSql(
  { kind, now }: Reading,
  { where, index = '', most }: Readonly<{ where: string; index?: string; most: string }>,
): string {
  // SQLite would not use that index for a range.
  const from = kind === 'sqlite' ? '=' : '>=';
  return `select entry.seq from webhook_inbox entry ${index}
    where ${where} and case
      when case entry.state when 'pending' then entry.available_at else entry.lease_until end <= ${now}
        and entry.seq = (select first.seq from webhook_inbox first where first.order_key ${from} entry.order_key
          and first.state in ('pending', 'leased', 'dead') order by first.order_key, first.seq limit 1)
      then 1 end is not null
    order by entry.seq limit ${most} ${kind === 'postgres' ? 'for update of entry skip locked' : ''}`;
}

/** One query for each lane: SQLite prepares such statements once. */
function lanesInFile(reading: Reading, lanes: readonly ClaimedLane[], limit: number): DueSql {
  const queries = lanes.map(({ from, calls, most = limit }) => {
    const where = `${open} and entry.service = '${from}' and entry.calls ${isCalled(calls)}`;
    return entriesSql(reading, { where, most: String(Math.min(limit, most)) });
  });
  return { sql: `(${queries.join(') union all select seq from (')})`, values: [] };
}

/** By an index whose condition no statistics are about: by that over `seq` it would read the backlogs of others. */
function lanesTogether(reading: Reading, lanes: readonly ClaimedLane[], limit: number): DueSql {
  const isOpen = `case when ${open} then 1 end is not null`;
  const where = `${isOpen} and entry.service = lane.service and coalesce(entry.calls, '') = lane.calls`;
  const given = 'unnest(cast(? as text[]), cast(? as text[]), cast(? as bigint[])) lane (service, calls, most)';
  return {
    sql: `${given}, lateral (${entriesSql(reading, { where, most: 'lane.most' })}) found`,
    values: [
      lanes.map(({ from }) => from),
      lanes.map(({ calls }) => calls ?? ''),
      lanes.map(({ most = limit }) => Math.min(limit, most)),
    ],
  };
}

/**
 * Builds a query of one row that tells for each lane, in order, whether it has open entries, which is far cheaper than
 * claiming.
 */
export function openLanesQuery(lanes: readonly Lane[]): Readonly<{ sql: string; values: readonly string[] }> {
  const isOpen = ({ calls }: Lane, index: number) =>
    `exists (select 1 from webhook_inbox where state in ('pending', 'leased') and service = ? and calls ${isCalled(calls)}) as lane_${index}`;
  return { sql: `select ${lanes.map(isOpen).join(', ')}`, values: lanes.map(({ from }) => from) };
}

const isCalled = (calls: Lane['calls']): string => (calls === null ? 'is null' : `= '${calls}'`);
