import { showPage } from '#adapters/http/answers/show-page.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { connectHints } from '#adapters/http/pages/client-hints.ts';
import { whomToAsk } from '#adapters/http/pages/no-permission.ts';
import { signOutBinding } from '#adapters/http/pages/sign-in-routes.ts';
import { type FormGuard, formTokenField } from '#adapters/http/requests/form-guard.ts';
import type { Route, RouteContext } from '#adapters/http/route.ts';
import type { Users } from '#application/ports/users.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { guestUserId } from '#domain/users/user.ts';

/** The dependencies of home; `oauthMetadata` is whether the server serves its metadata. */
export type HomeDependencies = Readonly<{
  baseUrl: string;
  formGuard: FormGuard;
  names: ServiceNames;
  users: Pick<Users, 'list'>;
  oauthMetadata: boolean;
}>;

/** Serves the home of a signed-in user, /floki/index, and the bare address `/`, which redirects there. */
export function homeRoutes({ baseUrl, formGuard, names, users, oauthMetadata }: HomeDependencies): Route[] {
  const mcpUrl = `${baseUrl}/message`;
  const clients = connectHints(mcpUrl);
  const home = async (ctx: RouteContext): Promise<void> => {
    const user = userOf(ctx);
    showPage(ctx, 'home', {
      email: user.email,
      isGuest: user.id === guestUserId,
      isAdmin: user.isAdmin,
      permissions: user.permissions.map((service) => names.of(service)).join(', '),
      whomToAsk: await whomToAsk(user, users),
      hidden: [[formTokenField, formGuard.tokenFor(ctx, 'logout', signOutBinding(user.id))]],
      mcpUrl,
      clients,
      oauthMetadata,
    });
  };
  const toHome = (ctx: RouteContext): void => {
    ctx.status = 303;
    ctx.set('Location', '/floki/index');
    ctx.body = '';
  };
  const page = { method: 'GET', access: 'protected', body: 'none' } as const;
  return [
    { ...page, path: '/', run: toHome },
    { ...page, path: '/floki/index', run: home },
  ];
}
