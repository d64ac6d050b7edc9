import { whomToAsk } from '#adapters/http/answers/no-permission.ts';
import { showPage } from '#adapters/http/answers/show-page.ts';
import { shownClientName } from '#adapters/http/answers/templates.ts';
import { connectHints } from '#adapters/http/home/connect-hints.ts';
import { type ConnectedApp, homeSteps } from '#adapters/http/home/home-steps.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import type { Route, RouteContext } from '#adapters/http/route.ts';
import type { Users } from '#application/ports/users.ts';
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
}>;

/** Serves a signed-in user's home page, /floki/index, to which the root `/` redirects (PAGE-011). */
export function homeRoutes({ baseUrl, names, users, oauthMetadata, list, appsOf }: HomeDependencies): Route[] {
  const mcpUrl = `${baseUrl}/message`;
  const clients = connectHints(mcpUrl);
  const named = (services: readonly ServiceKey[]): readonly string[] => services.map((service) => names.of(service));
  const home = async (ctx: RouteContext): Promise<void> => {
    const user = userOf(ctx);
    const [connections, apps] = await Promise.all([list(user), appsOf(user.id)]);
    const { connected, troubled, words, states } = homeSteps(user, connections, apps, names);
    const open = user.permissions.filter((service) => !connections.some((each) => each.service === service));
    showPage(ctx, 'home', {
      isGuest: user.id === guestUserId,
      isAdmin: user.isAdmin,
      whomToAsk: await whomToAsk(user, users),
      lead: Object.values(states).every((state) => state === 'done')
        ? 'Everything is set up. Here is how to connect more.'
        : 'In three steps, an assistant can work for you in your own services.',
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
