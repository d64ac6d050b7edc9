import { whomToAsk } from '#adapters/http/answers/no-permission.ts';
import { showPage } from '#adapters/http/answers/show-page.ts';
import { timeReader } from '#adapters/http/answers/shown-time.ts';
import { shownClientName } from '#adapters/http/answers/templates.ts';
import { attentionLead, shownAttention } from '#adapters/http/attention/attention-pages.ts';
import { connectHints } from '#adapters/http/home/connect-hints.ts';
import { homeOverview } from '#adapters/http/home/home-overview.ts';
import { type ConnectedApp, homeSteps } from '#adapters/http/home/home-steps.ts';
import { usageParts } from '#adapters/http/home/usage-periods.ts';
import { callerOf, userOf } from '#adapters/http/middleware/authentication.ts';
import type { Route, RouteContext } from '#adapters/http/route.ts';
import type { ActivityLog } from '#application/ports/activity-log.ts';
import type { BudgetLeft, ProviderBudgets } from '#application/ports/provider-budgets.ts';
import type { Users } from '#application/ports/users.ts';
import type { AttentionItem } from '#domain/attention/attention.ts';
import type { Connection } from '#domain/connections/connection.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { guestUserId, type User } from '#domain/users/user.ts';

/** The dependencies of the home page; `oauthMetadata` is whether the server serves its metadata. */
type HomeDependencies = Readonly<{
  baseUrl: string;
  names: ServiceNames;
  users: Pick<Users, 'page'>;
  oauthMetadata: boolean;
  list: (user: User) => Promise<readonly Connection[]>;
  /** The apps that the user has connected, the most recent first. */
  appsOf: (userId: number) => Promise<readonly ConnectedApp[]>;
  usage: Pick<ActivityLog, 'usage'>;
  budgets: ProviderBudgets;
  /** What needs the user. */
  attentionOf: (user: User) => Promise<readonly AttentionItem[]>;
  /** Now, in Unix ms. */
  now: () => number;
}>;

/** The values of the overview; null while there is nothing to show, and for the guest. */
async function overviewOf(
  { usage, budgets, names, now }: HomeDependencies,
  { user, connections, isSetUp }: Readonly<{ user: User; connections: readonly Connection[]; isSetUp: boolean }>,
) {
  if (user.id === guestUserId) return null;
  const reader = timeReader(user, now());
  const parts = usageParts(reader);
  const since = parts[0] ?? reader.now;
  const own = await usage.usage({ userId: user.id, since, parts });
  const ofAll = user.isAdmin ? await usage.usage({ userId: null, since, parts }) : null;
  if (!isSetUp && own.length + (ofAll ?? []).length === 0) return null;
  const left = new Map<ServiceKey, readonly BudgetLeft[]>();
  for (const { service, isTeams } of connections) {
    if (!isTeams) left.set(service, await budgets.leftOf(user.id, service));
  }
  return homeOverview({ user, connections, budgets: left, usage: own, usageOfAll: ofAll, names, reader });
}

/** The user, as an administrator only for a person: apps see what is the user's. */
function asSeen(ctx: RouteContext): User {
  const user = userOf(ctx);
  return { ...user, isAdmin: user.isAdmin && callerOf(ctx).by === 'person' };
}

/** What Home begins with: the worst that there is to say. */
function leadOf(attention: number, isSetUp: boolean): string {
  if (attention > 0) return attentionLead(attention);
  return isSetUp
    ? 'Your connections, and what your apps did.'
    : 'In three steps, an assistant can work for you in your own services.';
}

/** Serves a signed-in user's home page, /floki/index, to which the root `/` redirects (PAGE-011, PAGE-025). */
export function homeRoutes(dependencies: HomeDependencies): Route[] {
  const { baseUrl, names, users, oauthMetadata, list, appsOf, attentionOf, now } = dependencies;
  const mcpUrl = `${baseUrl}/message`;
  const clients = connectHints(mcpUrl);
  const named = (services: readonly ServiceKey[]): readonly string[] => services.map((service) => names.of(service));
  const home = async (ctx: RouteContext): Promise<void> => {
    const user = userOf(ctx);
    const [connections, apps, attention] = await Promise.all([list(user), appsOf(user.id), attentionOf(asSeen(ctx))]);
    ctx.state.attention = attention.length;
    const { connected, troubled, words, states } = homeSteps(user, connections, apps, names);
    const isSetUp = Object.values(states).every((state) => state === 'done');
    const overview = await overviewOf(dependencies, { user, connections, isSetUp });
    const open = user.permissions.filter((service) => !connections.some((each) => each.service === service));
    showPage(ctx, 'home', {
      isGuest: user.id === guestUserId,
      isAdmin: user.isAdmin,
      whomToAsk: await whomToAsk(user, users),
      lead: leadOf(attention.length, isSetUp),
      attention: shownAttention(attention, { names, reader: timeReader(user, now()) }),
      isSetUp,
      overview,
      connected: named(connected),
      troubled: named(troubled),
      open: named(open),
      apps: [...new Set(apps.map(({ name }) => shownClientName(name)))].slice(0, 5),
      words: words === null ? null : { ...words, name: names.of(words.service) },
      hasActivity: ctx.state.pagePaths?.has('/activity') === true,
      steps: states,
      mcpUrl,
      clients,
      oauthMetadata,
    });
  };
  return [{ method: 'GET', path: '/floki/index', who: 'person-or-app', body: 'none', run: home }];
}
