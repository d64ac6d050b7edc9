import { nextBefore, perChunk, sendCsv } from '#adapters/http/answers/csv-file.ts';
import { Emails } from '#adapters/http/answers/emails.ts';
import { sendFailure, statusOfFailure } from '#adapters/http/answers/problem.ts';
import { refuse } from '#adapters/http/answers/refuse.ts';
import { showPage } from '#adapters/http/answers/show-page.ts';
import { shownAge, timeReader } from '#adapters/http/answers/shown-time.ts';
import { shownText } from '#adapters/http/answers/templates.ts';
import { unreadableMember } from '#adapters/http/answers/unreadable-rows.ts';
import { type AskedAudit, askedAudit } from '#adapters/http/audit/audit-query.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import type { Route, RouteContext } from '#adapters/http/route.ts';
import type { AuditLog, StoredAudit } from '#application/ports/audit-log.ts';
import type { Users } from '#application/ports/users.ts';
import { auditActions, auditTitles } from '#domain/audit/audit-entry.ts';
import { forPeople } from '#domain/operations/input-error.ts';

type AuditRoutesDependencies = Readonly<{
  log: Pick<AuditLog, 'list'>;
  users: Pick<Users, 'findAll' | 'findByEmail'>;
  /** Now, in Unix ms. */
  now: () => number;
}>;

const perPage = 50;
const perAnswer = 200;

/** Serves who administered what, to administrators in a browser: a page, a CSV file, and JSON (AUDIT-003 to AUDIT-006). */
export function auditRoutes(dependencies: AuditRoutesDependencies): readonly Route[] {
  const { log, users } = dependencies;
  const page = async (ctx: RouteContext): Promise<void> => {
    const asked = await askedAudit(ctx, users, true);
    const values = await pageOf(ctx, asked.ok ? asked.value : nothing, dependencies);
    const problem = asked.ok ? null : shownText(forPeople(asked.failure.message), 1_000);
    const status = asked.ok ? 200 : statusOfFailure[asked.failure.reason];
    ctx.set('Cache-Control', 'no-store');
    showPage(ctx, 'audit', { ...values, problem }, { status });
  };
  const json = async (ctx: RouteContext): Promise<void> => {
    const asked = await askedAudit(ctx, users, false);
    if (!asked.ok) return sendFailure(ctx, asked.failure);
    const entries = await log.list({ ...asked.value.filter, limit: perAnswer });
    const next = entries.length === perAnswer ? String(entries.at(-1)?.id) : null;
    ctx.body = {
      data: entries.map(asJson),
      pagination: { next, hasMore: next !== null },
      ...unreadableMember(ctx, 'audit'),
    };
  };
  const csv = async (ctx: RouteContext): Promise<void> => {
    const asked = await askedAudit(ctx, users, true);
    if (!asked.ok) {
      const { reason, message } = asked.failure;
      return refuse(ctx, { status: statusOfFailure[reason], error: reason, description: forPeople(message) });
    }
    const head = ['time', 'by', 'action', 'user', 'subject', 'detail'];
    const namesOf = namesBy(new Emails(users));
    sendCsv(ctx, { name: 'audit', head, read: (before) => rowsBefore(asked.value, before, { log, namesOf }) });
  };
  const route = { method: 'GET', body: 'none', who: 'person', permission: 'administrator' } as const;
  return [
    { ...route, path: '/audit', run: page },
    { ...route, path: '/audit.csv', run: csv },
    { ...route, path: '/api/audit', hasQuery: true, run: json },
  ];
}

/** What is listed for a query that does not conform. */
const nothing: AskedAudit = { filter: { before: 1 }, address: new URLSearchParams() };

async function pageOf(
  ctx: RouteContext,
  { filter, address }: AskedAudit,
  { log, users, now }: AuditRoutesDependencies,
) {
  const reader = timeReader(userOf(ctx), now());
  const entries = await log.list({ ...filter, limit: perPage });
  const nameOf = await namesBy(new Emails(users))(entries);
  const query = address.toString();
  const next = entries.length === perPage ? (entries.at(-1)?.id ?? null) : null;
  return {
    user: address.get('user') ?? '',
    day: address.get('day') ?? '',
    actions: auditActions.map((id) => ({ id, text: auditTitles[id], isChosen: id === filter.action })),
    isFiltered: query !== '',
    entries: entries.map((entry) => ({
      time: shownAge(entry.at, reader),
      by: nameOf(entry.actorId) ?? 'Command line',
      title: auditTitles[entry.action],
      whom: nameOf(entry.userId),
      subject: entry.subject === null ? null : shownText(entry.subject, 120),
      detail: entry.detail === null ? null : shownText(entry.detail, 300),
    })),
    more: next === null ? null : `/audit?${query}${query === '' ? '' : '&'}before=${next}`,
    csv: `/audit.csv${query === '' ? '' : `?${query}`}`,
  };
}

/** Returns what the users of entries are called: null for the command line, 'User 7' for one who was deleted. */
type NamesOf = (entries: readonly StoredAudit[]) => Promise<(id: number | null) => string | null>;

function namesBy(emails: Emails): NamesOf {
  return async (entries) => {
    const known = await emails.with(entries.flatMap(({ actorId, userId }) => [actorId, userId]));
    return (id) => (id === null ? null : (known.get(id) ?? `User ${id}`));
  };
}

function asJson({ id, at, actorId, action, userId, subject, detail }: StoredAudit) {
  return { id, at, actor_id: actorId, action, user_id: userId, subject, detail };
}

/** The entries before an id as rows of the CSV file. */
async function rowsBefore(
  { filter }: AskedAudit,
  before: number | undefined,
  { log, namesOf }: Readonly<{ log: AuditRoutesDependencies['log']; namesOf: NamesOf }>,
) {
  const entries = await log.list({ ...filter, ...(before === undefined ? {} : { before }), limit: perChunk });
  const nameOf = await namesOf(entries);
  const rows = entries.map(({ at, actorId, action, userId, subject, detail }) => [
    new Date(at).toISOString(),
    nameOf(actorId) ?? 'command line',
    action,
    nameOf(userId),
    subject,
    detail,
  ]);
  return { rows, before: nextBefore(entries) };
}
