import { type FoundActivity, findActivity } from '#adapters/http/activity/activity-query.ts';
import { changePage, changeStateText } from '#adapters/http/activity/change-routes.ts';
import { nextBefore, perChunk, sendCsv } from '#adapters/http/answers/csv-file.ts';
import { Emails } from '#adapters/http/answers/emails.ts';
import { sendFailure, statusOfFailure } from '#adapters/http/answers/problem.ts';
import { refuse } from '#adapters/http/answers/refuse.ts';
import { showPage } from '#adapters/http/answers/show-page.ts';
import { shownAge, timeReader } from '#adapters/http/answers/shown-time.ts';
import { shownClientName, shownText } from '#adapters/http/answers/templates.ts';
import { unreadableMember } from '#adapters/http/answers/unreadable-rows.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import type { Route, RouteContext } from '#adapters/http/route.ts';
import type { ActivityLog, StoredActivity } from '#application/ports/activity-log.ts';
import type { KeptChanges, KeptSummary } from '#application/ports/kept-changes.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import type { Users } from '#application/ports/users.ts';
import { undoStateOf } from '#domain/changes/undo-state.ts';
import { forPeople } from '#domain/operations/input-error.ts';
import { isOfProgram, programTexts } from '#domain/programs/program-names.ts';
import type { User } from '#domain/users/user.ts';

/**
 * The dependencies of the activity routes; `linkTo` is the address where a user can see the record of an entry, null
 * when there is none.
 */
type ActivityRoutesDependencies = Readonly<{
  log: Pick<ActivityLog, 'list' | 'apps'>;
  users: Pick<Users, 'find' | 'findAll' | 'findByEmail'>;
  catalog: Pick<OperationCatalog, 'names' | 'operations'>;
  linkTo: (entry: StoredActivity, viewerId: number) => Promise<string | null>;
  kept: Pick<KeptChanges, 'summaries'>;
  /** Now, in Unix ms. */
  now: () => number;
}>;

const perPage = 50;
const perAnswer = 200;
const effects = {
  read: { text: 'read', kind: '' },
  write: { text: 'write', kind: 'info' },
  destroy: { text: 'overwrite', kind: 'warn' },
} as const;
/** What a page shows beside the reason why nothing was found. */
const nothing: FoundActivity = { isOfAll: false, filter: {}, address: new URLSearchParams(), day: '', entries: [] };
const noName = 'An app connected before apps were listed';

/** Serves what apps did: the page /activity, its CSV for administrators, and the same as JSON (ACT-005, ACT-006, ACT-011). */
export function activityRoutes(dependencies: ActivityRoutesDependencies): readonly Route[] {
  const { users, log, catalog } = dependencies;
  const source = { services: catalog.names.keys, users, log };
  const page = async (ctx: RouteContext): Promise<void> => {
    const found = await findActivity(ctx, source, { isForm: true, limit: perPage });
    const values = await pageOf(userOf(ctx), found.ok ? found.value : nothing, dependencies);
    const problem = found.ok ? null : shownText(forPeople(found.failure.message), 1_000);
    showPage(
      ctx,
      'activity',
      { ...values, problem },
      found.ok ? {} : { status: statusOfFailure[found.failure.reason] },
    );
  };
  const json = async (ctx: RouteContext): Promise<void> => {
    const found = await findActivity(ctx, source, { isForm: false, limit: perAnswer });
    if (!found.ok) return sendFailure(ctx, found.failure);
    const { entries } = found.value;
    const next = entries.length === perAnswer ? String(entries.at(-1)?.id) : null;
    const pagination = { next, hasMore: next !== null };
    const changes = await changesOf(userOf(ctx), found.value, dependencies.kept);
    const data = entries.map((entry) => asJson(entry, undoAsJson(changes.get(entry.keptId ?? ''), dependencies.now())));
    ctx.body = { data, pagination, ...unreadableMember(ctx, 'activity') };
  };
  const csv = async (ctx: RouteContext): Promise<void> => {
    const found = await findActivity(ctx, source, { isForm: true, limit: perChunk });
    if (!found.ok) {
      const { reason, message } = found.failure;
      return refuse(ctx, { status: statusOfFailure[reason], error: reason, description: forPeople(message) });
    }
    const { filter, entries: first } = found.value;
    const known = new Emails(users);
    const read = async (before: number | undefined) => {
      const entries = before === undefined ? first : await log.list({ ...filter, before, limit: perChunk });
      const emails = await known.with(entries.map(({ userId }) => userId));
      return { rows: entries.map((entry) => rowOf(entry, emails)), before: nextBefore(entries) };
    };
    const head = ['time', 'user', 'app', 'service', 'operation', 'effect', 'record', 'outcome', 'ms'];
    sendCsv(ctx, { name: 'activity', head, read });
  };
  const route = { method: 'GET', body: 'none' } as const;
  return [
    { ...route, path: '/activity', who: 'person', run: page },
    { ...route, path: '/activity.csv', who: 'person', permission: 'administrator', run: csv },
    { ...route, path: '/api/activity', who: 'person-or-app', hasQuery: true, run: json },
  ];
}

async function pageOf(
  user: User,
  found: FoundActivity,
  { log, users, catalog, linkTo, kept, now }: ActivityRoutesDependencies,
) {
  const { isOfAll, filter, address, day, entries } = found;
  const changes = await changesOf(user, found, kept);
  const reader = timeReader(user, now());
  const apps = await log.apps(isOfAll ? null : user.id);
  const emails = await new Emails(users).with(isOfAll ? entries.map(({ userId }) => userId) : []);
  const chosen = filter.userId;
  const titles = new Map(catalog.operations.map(({ service, name, title }) => [`${service} ${name}`, title]));
  const query = address.toString();
  const next = entries.length === perPage ? (entries.at(-1)?.id ?? null) : null;
  return {
    isOfAll,
    isAdmin: user.isAdmin,
    day,
    isFiltered: query.replace('of=all', '') !== '',
    user: !isOfAll || chosen === undefined ? '' : ((await users.find(chosen))?.email ?? String(chosen)),
    services: catalog.names.keys.map((id) => ({ id, text: catalog.names.of(id), isChosen: id === filter.service })),
    apps: apps.map((id) => ({ id, text: shownClientName(id), isChosen: id === filter.app })),
    entries: await Promise.all(
      entries.map(async (entry) => ({
        time: shownAge(entry.at, reader),
        user: emails.get(entry.userId) ?? `User ${entry.userId}`,
        app: entry.app === null ? noName : shownClientName(entry.app),
        title: isOfProgram(entry)
          ? programTexts.title
          : (titles.get(`${entry.service} ${entry.operation}`) ?? entry.operation),
        service: isOfProgram(entry) ? programTexts.service : catalog.names.of(entry.service),
        isPart: entry.partOf !== undefined,
        effect: effects[entry.effect],
        record: shownText(entry.recordId ?? '–', 100),
        link: await linkTo(entry, user.id),
        outcome: outcomeText(entry.outcome),
        kind: entry.outcome === 'ok' ? 'good' : 'warn',
        ms: entry.ms,
        change: isOfProgram(entry)
          ? programChange(entry, isOfAll)
          : shownChange(changes.get(entry.keptId ?? ''), reader.now),
      })),
    ),
    more: next === null ? null : `/activity?${query}${query === '' ? '' : '&'}before=${next}`,
    csv: isOfAll ? `/activity.csv?${query}` : null,
  };
}

/** The link to what a program changed; null when it only read, and in the activity of all users. */
function programChange({ keptId, effect }: StoredActivity, isOfAll: boolean) {
  return keptId === undefined || effect === 'read' || isOfAll
    ? null
    : { href: changePage(keptId), state: 'Its changes' };
}

/** The outcome in words: 'Done', or what went wrong, such as 'Not found'. */
function outcomeText(outcome: StoredActivity['outcome']): string {
  const words = outcome === 'ok' ? 'done' : outcome.replaceAll('_', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/**
 * The kept changes of the listed entries, which the caller may take back: a person their own, an app what it did
 * itself. None where the activity of all users is listed.
 */
async function changesOf(
  user: User,
  { isOfAll, entries }: FoundActivity,
  kept: Pick<KeptChanges, 'summaries'>,
): Promise<ReadonlyMap<string, KeptSummary>> {
  if (isOfAll) return new Map();
  const isOwn = ({ grantId }: StoredActivity) => user.app === undefined || user.app.grantId === grantId;
  const ids = entries.flatMap((entry) => (entry.keptId !== undefined && isOwn(entry) ? [entry.keptId] : []));
  const found = ids.length === 0 ? [] : await kept.summaries(ids);
  return new Map(found.filter(({ userId }) => userId === user.id).map((one) => [one.id, one]));
}

function shownChange(change: KeptSummary | undefined, now: number) {
  return change === undefined ? null : { href: changePage(change.id), state: changeStateText(change, now) };
}

/** Whether an entry's change can be taken back, as JSON; no member where nothing is kept of it. */
function undoAsJson(change: KeptSummary | undefined, now: number) {
  if (change === undefined) return {};
  const state = undoStateOf(change, now);
  return { undo: { id: change.id, state, ...(state === 'impossible' ? { irreversible: change.irreversible } : {}) } };
}

/** An entry as JSON; `at` is Unix ms. */
function asJson(
  { id, at, userId, grantId, app, service, operation, effect, recordId, outcome, ms }: StoredActivity,
  undo: ReturnType<typeof undoAsJson>,
) {
  return {
    id,
    at,
    user_id: userId,
    app_id: grantId,
    app,
    service,
    operation,
    effect,
    record_id: recordId,
    outcome,
    ms,
    ...undo,
  };
}

function rowOf(
  { at, userId, app, service, operation, effect, recordId, outcome, ms }: StoredActivity,
  emails: ReadonlyMap<number, string | null>,
): readonly (string | number | null)[] {
  const user = emails.get(userId) ?? String(userId);
  return [new Date(at).toISOString(), user, app, service, operation, effect, recordId, outcome, ms];
}
