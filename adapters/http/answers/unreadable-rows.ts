import { type UnreadableRow, unreadableText } from '#adapters/contracts/unreadable-rows.ts';
import type { Visit } from '#adapters/http/visit.ts';
import { own } from '#domain/shared/own.ts';

/** The tables that each page lists, by the page's template. */
const tablesOf: Readonly<Record<string, readonly string[]>> = {
  users: ['users'],
  apps: ['app_grants', 'allowed_operations'],
  activity: ['activity', 'kept_changes'],
  approvals: ['approvals', 'reaction_approvals', 'reaction_refusals'],
  connections: ['outbound_tokens', 'connection_standings'],
  deliveries: ['webhook_inbox', 'webhook_stale', 'subscriptions', 'webhook_secret_uses'],
  reactions: [
    'reaction_approvals',
    'reaction_refusals',
    'reaction_calls',
    'reaction_runs',
    'reaction_switches',
    'reaction_asides',
  ],
};

const maxShown = 10;

/** A sentence on the rows that a page leaves out since they cannot be read; null when there are none. */
export function unreadableNotice(ctx: Visit, template: string): string | null {
  const rows = rowsFor(ctx, template);
  if (rows.length === 0) return null;
  const shown = rows.slice(0, maxShown).map((row) => unreadableText(row));
  const more = rows.length > maxShown ? [`${rows.length - maxShown} more`] : [];
  const what =
    rows.length === 1
      ? 'One stored row is unreadable and left out'
      : `${rows.length} stored rows are unreadable and left out`;
  return `${what}: ${[...shown, ...more].join(', ')}.`;
}

/** The member `unreadable` of a JSON list; no member when there are no such rows. */
export function unreadableMember(
  ctx: Visit,
  template: string,
): Readonly<{ unreadable?: readonly Omit<UnreadableRow, 'userId'>[] }> {
  const rows = rowsFor(ctx, template);
  return rows.length === 0 ? {} : { unreadable: rows.map(({ table, key, problem }) => ({ table, key, problem })) };
}

/** Administrators see all, others their own. */
function rowsFor({ state: { unreadable, caller } }: Visit, template: string): readonly UnreadableRow[] {
  const tables = own(tablesOf, template);
  if (unreadable === undefined || caller === undefined || tables === undefined) return [];
  const { user } = caller;
  return unreadable.all().filter(({ table, userId }) => tables.includes(table) && (user.isAdmin || userId === user.id));
}
