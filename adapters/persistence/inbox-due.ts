import type { Lane } from '#domain/webhooks/lane.ts';
import type { DatabaseKind } from '#infrastructure/database/open-database.ts';

/** The entries to select: how many at most, from which lanes, all when not given; `now` is SQL for the time. */
export type DueQuestion = Readonly<{
  kind: DatabaseKind;
  now: string;
  limit: number;
  lanes: readonly Lane[] | undefined;
}>;

/**
 * Builds the common table expression `due`: the `seq` of entries that may be processed, the earliest first. Each lane is
 * queried by itself, over its index, so that thousands that wait for one service cost those of the others nothing. On
 * PostgreSQL rows that another process claims are skipped.
 */
export function dueSql({ kind, now, limit, lanes }: DueQuestion): string {
  const most = Math.trunc(limit);
  const part = (name: string, where: string) => `${name} as materialized (
    select entry.seq from webhook_inbox entry
    where entry.state in ('pending', 'leased') ${where}
      and case entry.state when 'pending' then entry.available_at else entry.lease_until end <= ${now}
      and not exists (select 1 from webhook_inbox earlier where earlier.order_key = entry.order_key
        and earlier.seq < entry.seq and earlier.state in ('pending', 'leased', 'dead'))
    order by entry.seq limit ${most} ${kind === 'postgres' ? 'for update of entry skip locked' : ''}
  )`;
  if (lanes === undefined) return `with ${part('due', '')}`;
  const names = lanes.map((_, index) => `lane_${index}`);
  const parts = lanes.map((lane, index) => part(`lane_${index}`, isIn(lane)));
  const union = names.map((name) => `select seq from ${name}`).join(' union all ');
  return `with ${parts.join(', ')}, due as materialized (select seq from (${union}) lanes order by seq limit ${most})`;
}

/** The keys are literals of this program, never text from outside. */
function isIn({ from, calls }: Lane): string {
  return `and entry.service = '${from}' and entry.calls ${calls === null ? 'is null' : `= '${calls}'`}`;
}
