import { refuse } from '#adapters/http/answers/refuse.ts';
import { showPage } from '#adapters/http/answers/show-page.ts';
import { shownTime, timeReader } from '#adapters/http/answers/shown-time.ts';
import { shownClientName } from '#adapters/http/answers/templates.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { accessChoice, accessRows } from '#adapters/http/oauth/access-fields.ts';
import { genuine, hiddenFor, seeOther } from '#adapters/http/people/person-forms.ts';
import type { Switchboard } from '#adapters/http/people/switchboard.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { parameterOf, type Route, type RouteContext } from '#adapters/http/route.ts';
import type { ChangeApp } from '#application/apps/change-app.ts';
import type { GrantedApps } from '#application/apps/granted-apps.ts';
import { type AppGrant, isPersonal } from '#domain/oauth/app-grant.ts';
import { grantOfScope } from '#domain/oauth/grant.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { isPermitted } from '#domain/users/rights.ts';

type AppPageDependencies = Readonly<{
  apps: GrantedApps;
  changing: ChangeApp;
  switchboard: Switchboard;
  formGuard: FormGuard;
  names: ServiceNames;
  /** Now, in Unix ms. */
  now: () => number;
}>;

const purpose = 'app-access';
const unknownText = 'You have no app with that id.';
const noService = 'Leave at least one service, or revoke the app on the page Your apps.';

/** Serves the page of an app, /apps/{id}: its access to each service, and its tools (GRANT-011 to GRANT-016). */
export function appPageRoutes({
  apps,
  changing,
  switchboard,
  formGuard,
  names,
  now,
}: AppPageDependencies): readonly Route[] {
  const found = async (ctx: RouteContext): Promise<AppGrant | null> => {
    const app = await apps.find(userOf(ctx), parameterOf(ctx, 'id'));
    if (app === null) refuse(ctx, { status: 404, error: 'not_found', description: unknownText });
    return app;
  };
  const showApp = (ctx: RouteContext, app: AppGrant, banner: string | null): void => {
    const user = userOf(ctx);
    const granted = grantOfScope(app.scope, names.keys);
    const services = names.keys.filter((service) => granted.has(service) && isPermitted(user, service));
    const groups = [...services, ...switchboard.otherKeys].map((service) => {
      const own = switchboard.groupsOf(service, app.switchedOff);
      const switches = own.flatMap((group) => [group, ...group.tools, ...group.more]);
      return {
        service,
        name: switchboard.nameOf(service),
        groups: own,
        off: switches.filter(({ isOn }) => !isOn).length,
      };
    });
    showPage(
      ctx,
      'app',
      {
        id: app.id,
        name: shownClientName(app.clientName),
        isPersonal: isPersonal(app),
        since: shownTime(app.since, timeReader(user, now()).timeZone),
        access: accessRows(names, user, granted),
        tools: groups,
        banner,
        hidden: hiddenFor(ctx, formGuard, purpose),
      },
      { status: banner === null ? 200 : 400 },
    );
  };
  const show = async (ctx: RouteContext): Promise<void> => {
    const app = await found(ctx);
    if (app !== null) showApp(ctx, app, null);
  };
  const keepAccess = async (ctx: RouteContext): Promise<void> => {
    const app = await found(ctx);
    if (app === null) return;
    const choice = accessChoice(formFields(ctx), names.keys) ?? new Map();
    const changed = await changing.run(userOf(ctx), app, { choice });
    if (changed.ok) seeOther(ctx, `/apps/${app.id}`);
    else showApp(ctx, app, noService);
  };
  const keepTools = async (ctx: RouteContext): Promise<void> => {
    const app = await found(ctx);
    if (app === null) return;
    const fields = formFields(ctx);
    const service = fieldOf(fields, 'service');
    const off = switchboard.afterForm(fields, service, app.switchedOff);
    await changing.run(userOf(ctx), app, { off });
    seeOther(ctx, `/apps/${app.id}#tools-${encodeURIComponent(service)}`);
  };
  const form = (run: (ctx: RouteContext) => Promise<void>) =>
    ({ who: 'person', method: 'POST', body: 'form', run: genuine(formGuard, purpose, run) }) as const;
  return [
    { who: 'person', method: 'GET', path: '/apps/:id', body: 'none', run: show },
    { ...form(keepAccess), path: '/apps/:id/access' },
    { ...form(keepTools), path: '/apps/:id/tools' },
  ];
}
