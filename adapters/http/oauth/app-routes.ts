import { sendFailure } from '#adapters/http/answers/problem.ts';
import { refuse } from '#adapters/http/answers/refuse.ts';
import { showPage } from '#adapters/http/answers/show-page.ts';
import { shownAge, shownTime, timeReader } from '#adapters/http/answers/shown-time.ts';
import { shownClientName } from '#adapters/http/answers/templates.ts';
import { unreadableMember } from '#adapters/http/answers/unreadable-rows.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { genuine, hiddenFor, seeOther } from '#adapters/http/people/person-forms.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { parameterOf, type Route, type RouteContext } from '#adapters/http/route.ts';
import type { GrantedApps } from '#application/apps/granted-apps.ts';
import type { AppGrant } from '#domain/oauth/app-grant.ts';
import { failed } from '#domain/operations/outcome.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';

type AppRoutesDependencies = Readonly<{
  apps: GrantedApps;
  formGuard: FormGuard;
  names: ServiceNames;
  /** Now, in Unix ms. */
  now: () => number;
}>;

const purpose = 'revoke-app';
const unknownText = 'You have no app with that id.';

/**
 * Serves what users granted to apps: the page /apps, its form, and the same as JSON below /api/apps (GRANT-005 to
 * GRANT-008).
 */
export function appRoutes({ apps, formGuard, names, now }: AppRoutesDependencies): readonly Route[] {
  const show = async (ctx: RouteContext): Promise<void> => {
    const user = userOf(ctx);
    const reader = timeReader(user, now());
    const granted = (await apps.list(user)).map((grant) => ({
      id: grant.id,
      name: shownClientName(grant.clientName),
      isReadonly: grant.isReadonly,
      services: (grant.services ?? names.keys).map((service) => names.of(service)).join(', '),
      isEverything: grant.services === null,
      since: shownTime(grant.since, reader.timeZone),
      lastUsed: grant.lastUsedAt === null ? null : shownAge(grant.lastUsedAt, reader),
    }));
    showPage(ctx, 'apps', { apps: granted, hidden: hiddenFor(ctx, formGuard, purpose) });
  };
  const revoke = async (ctx: RouteContext): Promise<void> => {
    if (await apps.revoke(userOf(ctx), parameterOf(ctx, 'id'))) seeOther(ctx, '/apps');
    else refuse(ctx, { status: 404, error: 'not_found', description: unknownText });
  };
  const list = async (ctx: RouteContext): Promise<void> => {
    ctx.body = { data: (await apps.list(userOf(ctx))).map(asJson), ...unreadableMember(ctx, 'apps') };
  };
  const remove = async (ctx: RouteContext): Promise<void> => {
    const id = parameterOf(ctx, 'id');
    if (await apps.revoke(userOf(ctx), id)) ctx.body = { id, state: 'revoked' };
    else sendFailure(ctx, failed('not_found', unknownText));
  };
  const route = { who: 'person', body: 'none' } as const;
  return [
    { ...route, method: 'GET', path: '/apps', run: show },
    { ...route, method: 'POST', path: '/apps/:id/revoke', body: 'form', run: genuine(formGuard, purpose, revoke) },
    { ...route, method: 'GET', path: '/api/apps', run: list },
    { ...route, method: 'DELETE', path: '/api/apps/:id', run: remove },
  ];
}

/** A grant as JSON; times are Unix ms; `services` is null for all, including those permitted later. */
function asJson({ id, clientId, clientName, services, isReadonly, since, lastUsedAt }: AppGrant) {
  const access = isReadonly ? 'readonly' : 'full';
  return { id, client_id: clientId, name: clientName, services, access, since, last_used_at: lastUsedAt };
}
