import { statusOfFailure } from '#adapters/http/answers/problem.ts';
import { showPage } from '#adapters/http/answers/show-page.ts';
import { timeReader } from '#adapters/http/answers/shown-time.ts';
import { shownText } from '#adapters/http/answers/templates.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { hiddenFor } from '#adapters/http/people/person-forms.ts';
import { type UserRoutesDependencies, userIdIn, usersPurpose } from '#adapters/http/people/user-dependencies.ts';
import {
  appRows,
  connectionRows,
  leavingEffects,
  serviceChoices,
  shownUser,
  stateChoices,
  type UserShowing,
  userRow,
} from '#adapters/http/people/user-pages.ts';
import { filterIn, listAddress, usersPageQuery } from '#adapters/http/people/user-query.ts';
import { badNotice, doneNotice, type UserNotice, userAnswers, userTexts } from '#adapters/http/people/user-texts.ts';
import { checkedFormQuery } from '#adapters/http/requests/checked-input.ts';
import type { RouteContext } from '#adapters/http/route.ts';
import type { AutomationUser } from '#application/users/automation-user.ts';
import { forPeople } from '#domain/operations/input-error.ts';
import type { User } from '#domain/users/user.ts';

const perPage = 50;

/** What was done before, or why work waits for the automation user; null for nothing. */
export async function waitingNotice(ctx: RouteContext, automation: AutomationUser): Promise<UserNotice | null> {
  const reason = await automation.reasonToWait();
  return doneNotice(ctx.query) ?? (reason === null ? null : { kind: 'bad', text: reason });
}

function showingFor(ctx: RouteContext, { names, automation, now }: UserRoutesDependencies): UserShowing {
  const viewer = userOf(ctx);
  return { names, automationId: automation.id, viewerId: viewer.id, reader: timeReader(viewer, now()) };
}

/** What is said above a page, its status (200 by default), and a link to pass on. */
type Shown = Readonly<{ notice: UserNotice | null; status?: number; link?: string | null }>;

/** Shows the table of users. */
export async function showUsers(ctx: RouteContext, dependencies: UserRoutesDependencies, shown: Shown): Promise<void> {
  const { users, defaults, names, stated, formGuard } = dependencies;
  const query = usersPageQuery(names.keys);
  const isGet = ctx.method !== 'POST';
  const read = isGet ? checkedFormQuery(ctx, query) : ({ ok: true, value: query.parse({}) } as const);
  const given = read.ok ? read.value : query.parse({});
  const found = read.ok ? await users.page({ ...filterIn(given), limit: perPage }) : [];
  const connections = await stated(found.map(({ id }) => id));
  const showing = showingFor(ctx, dependencies);
  const address = listAddress(given).toString();
  const next = found.length === perPage ? (found.at(-1)?.id ?? null) : null;
  const values = {
    users: found.map((user) => userRow(user, connections, showing)),
    services: serviceChoices(names, await defaults.find()),
    search: given.search ?? '',
    states: stateChoices(given.state),
    roles: (['administrator', 'member'] as const).map((id) => ({ id, isChosen: id === given.role })),
    permission: given.permission ?? '',
    isFiltered: address !== '',
    problem: read.ok ? null : shownText(forPeople(read.failure.message), 1_000),
    more: next === null ? null : `/users?${address}${address === '' ? '' : '&'}after=${next}`,
    notice: shown.notice,
    hidden: hiddenFor(ctx, formGuard, usersPurpose),
  };
  ctx.set('Cache-Control', 'no-store');
  showPage(ctx, 'users', values, { status: read.ok ? (shown.status ?? 200) : statusOfFailure[read.failure.reason] });
}

/** Shows the page of the user in the path; the table where there is none. */
export async function showUser(ctx: RouteContext, dependencies: UserRoutesDependencies, shown: Shown): Promise<void> {
  const { users, apps, connections, names, formGuard } = dependencies;
  // As stored: when somebody was last here is not in the cache.
  const [user] = await users.findAll([userIdIn(ctx)]);
  if (user === undefined) {
    const notice = badNotice(userTexts.unknown_user);
    return showUsers(ctx, dependencies, { notice, status: userAnswers.unknown_user.status });
  }
  const showing = showingFor(ctx, dependencies);
  const values = {
    user: shownUser(user, showing),
    services: serviceChoices(names, user.permissions),
    connections: connectionRows(await connections(user), names),
    apps: appRows(await apps.list(user), showing.reader),
    notice: shown.notice,
    link: shown.link ?? null,
    hidden: hiddenFor(ctx, formGuard, usersPurpose),
  };
  ctx.set('Cache-Control', 'no-store');
  showPage(ctx, 'user', values, { status: shown.status ?? 200 });
}

/** Asks whether these users are to be deactivated, or deleted, on a page that names the effects. */
export function askToLeave(
  ctx: RouteContext,
  { formGuard }: UserRoutesDependencies,
  { users, isDelete }: Readonly<{ users: readonly User[]; isDelete: boolean }>,
): void {
  const [only] = users.length === 1 ? users : [];
  const verb = isDelete ? 'delete' : 'deactivate';
  const chosen = users.map(({ id }) => ['user', String(id)] as const);
  const ofSeveral = [['do', 'deactivate'], ['sure', '1'], ...chosen] as const;
  const hidden = [...hiddenFor(ctx, formGuard, usersPurpose), ...(only === undefined ? ofSeveral : [])];
  ctx.set('Cache-Control', 'no-store');
  showPage(ctx, 'users-leave', {
    title: `${isDelete ? 'Delete' : 'Deactivate'} ${only?.email ?? `${users.length} users`}?`,
    button: `${isDelete ? 'Delete' : 'Deactivate'}${only === undefined ? ` ${users.length} users` : ''}`,
    emails: only === undefined ? users.map(({ email }) => email) : [],
    effects: leavingEffects(isDelete),
    action: only === undefined ? '/users/several' : `/users/${only.id}/${verb}`,
    back: only === undefined ? '/users' : `/users/${only.id}`,
    hidden,
  });
}
