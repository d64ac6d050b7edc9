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
export function dueSql({ kind, now, limit, lanes }: DueQuery): DueSql {
  const reading = { kind, now };
  const [most, values] = kind === 'sqlite' ? [String(Math.trunc(limit)), []] : [bigint, [Math.trunc(limit)]];
  if (lanes === undefined) {
    // SQLite would use the index over states, and sort the whole backlog at each claim.
    const index = kind === 'sqlite' ? 'indexed by webhook_inbox_due' : '';
    return { sql: `with ${named('due', entriesSql(reading, { index, most }))}`, values };
  }
  const parts = kind === 'sqlite' ? lanesInFile(reading, lanes, Math.trunc(limit)) : lanesTogether(reading, lanes);
  const union = parts.map(({ name }) => name).join(' union all select seq from ');
  const sql = `with ${parts.map((part) => part.sql).join(', ')},
    due as materialized (select seq from (select seq from ${union}) lanes order by seq limit ${most})`;
  return { sql, values: [...parts.flatMap((part) => part.values), ...values] };
}

/** SQL with `?` placeholders, and their values. */
type DueSql = Readonly<{ sql: string; values: readonly unknown[] }>;
type Reading = Pick<DueQuery, 'kind' | 'now'>;
type Part = DueSql & Readonly<{ name: string }>;

const bigint = 'cast(? as bigint)';

const named = (name: string, sql: string): string => `${name} as materialized (${sql})`;

/** Selects entries that are due, the earliest first; `most` is SQL. */
function entriesSql(
  { kind, now }: Reading,
  {
    where = '',
    order = '',
    index = '',
    most,
  }: Readonly<{ where?: string; order?: string; index?: string; most: string }>,
): string {
  return `select entry.seq from webhook_inbox entry ${index}
    where entry.state in ('pending', 'leased') ${where}
      and case entry.state when 'pending' then entry.available_at else entry.lease_until end <= ${now}
      and not exists (select 1 from webhook_inbox earlier where earlier.order_key = entry.order_key
        and earlier.seq < entry.seq and earlier.state in ('pending', 'leased', 'dead'))
    order by ${order}entry.seq limit ${most} ${kind === 'postgres' ? 'for update of entry skip locked' : ''}`;
}

/** One part for each lane: SQLite prepares such statements once. */
function lanesInFile(reading: Reading, lanes: readonly ClaimedLane[], limit: number): readonly Part[] {
  return lanes.map(({ from, calls, most = limit }, index) => {
    const name = `lane_${index}`;
    const where = `and entry.service = '${from}' and entry.calls ${isCalled(calls)}`;
    const entries = entriesSql(reading, { where, most: String(Math.min(limit, most)) });
    return { name, sql: named(name, entries), values: [] };
  });
}

/** One part for the lanes that call something, and one for the others. */
function lanesTogether(reading: Reading, lanes: readonly ClaimedLane[]): readonly Part[] {
  const part = (name: string, some: readonly ClaimedLane[], calls: string): Part => {
    const where = `and entry.service = lane.service and entry.calls ${calls}`;
    // By the index over lanes: by that over `seq` it would read the backlogs of others.
    const entries = entriesSql(reading, { where, order: 'entry.service, entry.calls, ', most: 'lane.most' });
    const values = 'unnest(cast(? as text[]), cast(? as text[]), cast(? as bigint[])) lane (service, calls, most)';
    return {
      name,
      sql: `${name} as materialized (select found.seq from ${values}, lateral (${entries}) found)`,
      values: [some.map(({ from }) => from), some.map((lane) => lane.calls), some.map(({ most = null }) => most)],
    };
  };
  return [
    part(
      'called',
      lanes.filter(({ calls }) => calls !== null),
      '= lane.calls',
    ),
    part(
      'uncalled',
      lanes.filter(({ calls }) => calls === null),
      'is null',
    ),
  ];
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
