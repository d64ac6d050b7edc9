import type { Lane } from '#domain/webhooks/lane.ts';
import type { DatabaseKind } from '#infrastructure/database/open-database.ts';

/**
 * The entries to select: how many at most, and from which lanes, undefined for all; `now` is SQL for the current time.
 */
export type DueQuery = Readonly<{
  kind: DatabaseKind;
  now: string;
  limit: number;
  lanes: readonly Lane[] | undefined;
}>;

/**
 * Builds the common table expression `due`: the `seq` of entries that may be processed, the earliest first. Each lane
 * is queried separately through its index, so that a backlog of one service does not slow down the others. On
 * PostgreSQL rows that another process is claiming are skipped.
 */
export function dueSql({ kind, now, limit, lanes }: DueQuery): string {
  const most = Math.trunc(limit);
  const part = (name: string, where: string, index = '') => `${name} as materialized (
    select entry.seq from webhook_inbox entry ${index}
    where entry.state in ('pending', 'leased') ${where}
      and case entry.state when 'pending' then entry.available_at else entry.lease_until end <= ${now}
      and not exists (select 1 from webhook_inbox earlier where earlier.order_key = entry.order_key
        and earlier.seq < entry.seq and earlier.state in ('pending', 'leased', 'dead'))
    order by entry.seq limit ${most} ${kind === 'postgres' ? 'for update of entry skip locked' : ''}
  )`;
  // SQLite would use the index over states, and sort the whole backlog at each claim.
  const inOrder = kind === 'sqlite' ? 'indexed by webhook_inbox_due' : '';
  if (lanes === undefined) return `with ${part('due', '', inOrder)}`;
  const names = lanes.map((_, index) => `lane_${index}`);
  const parts = lanes.map((lane, index) => part(`lane_${index}`, isIn(lane)));
  const union = names.map((name) => `select seq from ${name}`).join(' union all ');
  return `with ${parts.join(', ')}, due as materialized (select seq from (${union}) lanes order by seq limit ${most})`;
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

/** Interpolated into SQL: the keys are literals of this program, never external input. */
function isIn({ from, calls }: Lane): string {
  return `and entry.service = '${from}' and entry.calls ${isCalled(calls)}`;
}

const isCalled = (calls: Lane['calls']): string => (calls === null ? 'is null' : `= '${calls}'`);
