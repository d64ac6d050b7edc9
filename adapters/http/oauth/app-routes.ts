import { z } from 'zod';
import { sendFailure } from '#adapters/http/answers/problem.ts';
import { refuse } from '#adapters/http/answers/refuse.ts';
import { showPage } from '#adapters/http/answers/show-page.ts';
import { shownAge, shownTime, timeReader } from '#adapters/http/answers/shown-time.ts';
import { shownClientName } from '#adapters/http/answers/templates.ts';
import { unreadableMember } from '#adapters/http/answers/unreadable-rows.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { accessWord, sameForAll, scopeSchema, servicesText } from '#adapters/http/oauth/access-fields.ts';
import { accessAsJson } from '#adapters/http/oauth/app-json.ts';
import { askOptions } from '#adapters/http/oauth/ask-options.ts';
import { askChoice, askField } from '#adapters/http/oauth/authorization-fields.ts';
import { genuine, hiddenFor, seeOther } from '#adapters/http/people/person-forms.ts';
import { switchesSchema } from '#adapters/http/people/switch-routes.ts';
import type { Switchboard } from '#adapters/http/people/switchboard.ts';
import { checkedBody } from '#adapters/http/requests/checked-input.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { parameterOf, type Route, type RouteContext } from '#adapters/http/route.ts';
import type { ChangeApp } from '#application/apps/change-app.ts';
import type { GrantedApps } from '#application/apps/granted-apps.ts';
import type { NoteAct } from '#application/audit/audit.ts';
import type { AllowedAlways, AllowedOperations } from '#application/ports/approval-policy.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import { askChoices } from '#domain/changes/ask-policy.ts';
import { type AppGrant, isPersonal } from '#domain/oauth/app-grant.ts';
import { allReadScope, fullScope, grantOfScope } from '#domain/oauth/grant.ts';
import { failed, invalidInput } from '#domain/operations/outcome.ts';
import { programService } from '#domain/programs/program-names.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';

type AppRoutesDependencies = Readonly<{
  apps: GrantedApps;
  changing: ChangeApp;
  switchboard: Switchboard;
  /** What users always allow apps. */
  allowedOperations: Pick<AllowedOperations, 'list' | 'remove'>;
  catalog: Pick<OperationCatalog, 'operations'>;
  formGuard: FormGuard;
  names: ServiceNames;
  note: NoteAct;
  /** Whether apps may send programs, which the page then says. */
  hasPrograms?: boolean;
  /** Now, in Unix ms. */
  now: () => number;
}>;

const purpose = 'revoke-app';
const unknownText = 'You have no app with that id.';
const failures = {
  unknown: failed('not_found', unknownText),
  no_service: failed('invalid_input', 'The scope names no service that you may use. Revoke the app to end its access.'),
} as const;

/**
 * Serves what users granted to apps: the page /apps, its forms, and the same as JSON below /api/apps (GRANT-005 to
 * GRANT-010, GRANT-015).
 */
export function appRoutes({
  apps,
  changing,
  switchboard,
  allowedOperations,
  catalog,
  formGuard,
  names,
  note,
  now,
  hasPrograms = false,
}: AppRoutesDependencies): readonly Route[] {
  const changeSchema = changeSchemaOf(names.keys);
  const shownAllowed = ({ service, operation }: AllowedAlways) => {
    const info = catalog.operations.find((one) => one.service === service && one.name === operation);
    return { service, operation, title: info?.title ?? operation, serviceName: names.of(service) };
  };
  const show = async (ctx: RouteContext): Promise<void> => {
    const user = userOf(ctx);
    const reader = timeReader(user, now());
    const allowed = await allowedOperations.list(user.id);
    const granted = (await apps.list(user)).map((grant) => ({
      id: grant.id,
      name: shownClientName(grant.clientName),
      access: accessWord(grantOfScope(grant.scope, names.keys)),
      isPersonal: isPersonal(grant),
      services: servicesText(grantOfScope(grant.scope, names.keys), names),
      isEverything: grant.scope === fullScope || grant.scope === allReadScope,
      off: grant.switchedOff.length,
      asks: askOptions(grant.ask),
      allowed: allowed.filter(({ grantId }) => grantId === grant.id).map(shownAllowed),
      since: shownTime(grant.since, reader.timeZone),
      lastUsed: grant.lastUsedAt === null ? null : shownAge(grant.lastUsedAt, reader),
    }));
    showPage(ctx, 'apps', {
      apps: granted,
      programs: hasPrograms ? `/tools/${programService}` : null,
      hidden: hiddenFor(ctx, formGuard, purpose),
      askField,
    });
  };
  const revoked = async (ctx: RouteContext): Promise<boolean> => {
    const [user, id] = [userOf(ctx), parameterOf(ctx, 'id')];
    const app = await apps.find(user, id);
    const isRevoked = await apps.revoke(user, id);
    const act = { by: user.id, userId: user.id, subject: id, detail: app?.clientName ?? null };
    if (isRevoked) await note({ action: 'app.revoked', ...act });
    return isRevoked;
  };
  const revoke = async (ctx: RouteContext): Promise<void> => {
    if (await revoked(ctx)) seeOther(ctx, '/apps');
    else refuse(ctx, { status: 404, error: 'not_found', description: unknownText });
  };
  const choose = async (ctx: RouteContext): Promise<void> => {
    const user = userOf(ctx);
    const app = await apps.find(user, parameterOf(ctx, 'id'));
    if (app !== null && (await changing.run(user, app, { ask: askChoice(formFields(ctx)) })).ok) seeOther(ctx, '/apps');
    else refuse(ctx, { status: 404, error: 'not_found', description: unknownText });
  };
  const askAgain = async (ctx: RouteContext): Promise<void> => {
    const fields = formFields(ctx);
    const [service, operation] = [fieldOf(fields, 'service'), fieldOf(fields, 'operation')];
    const { id: userId } = userOf(ctx);
    await allowedOperations.remove({ userId, grantId: parameterOf(ctx, 'id'), service, operation });
    seeOther(ctx, '/apps');
  };
  const change = async (ctx: RouteContext): Promise<void> => {
    const given = checkedBody(ctx, changeSchema);
    if (!given.ok) return sendFailure(ctx, given.failure);
    const user = userOf(ctx);
    const { ask, off, scope } = given.value;
    const errors = switchboard.errorsIn(off ?? [], user.permissions);
    if (errors.length > 0) return sendFailure(ctx, invalidInput(errors));
    const app = await apps.find(user, parameterOf(ctx, 'id'));
    if (app === null) return sendFailure(ctx, failed('not_found', unknownText));
    const changed = await changing.run(user, app, {
      ...(ask === undefined ? {} : { ask }),
      ...(off === undefined ? {} : { off: [...new Set(off)] }),
      ...(scope === undefined ? {} : { choice: scope ?? sameForAll('full', names.keys) }),
    });
    if (changed.ok) ctx.body = asJson(changed.value, names.keys);
    else sendFailure(ctx, failures[changed.failure.reason]);
  };
  const list = async (ctx: RouteContext): Promise<void> => {
    ctx.body = {
      data: (await apps.list(userOf(ctx))).map((app) => asJson(app, names.keys)),
      ...unreadableMember(ctx, 'apps'),
    };
  };
  const remove = async (ctx: RouteContext): Promise<void> => {
    const id = parameterOf(ctx, 'id');
    if (await revoked(ctx)) ctx.body = { id, state: 'revoked' };
    else sendFailure(ctx, failed('not_found', unknownText));
  };
  const route = { who: 'person', body: 'none' } as const;
  return [
    { ...route, method: 'GET', path: '/apps', run: show },
    { ...route, method: 'POST', path: '/apps/:id/revoke', body: 'form', run: genuine(formGuard, purpose, revoke) },
    { ...route, method: 'POST', path: '/apps/:id/ask', body: 'form', run: genuine(formGuard, purpose, choose) },
    { ...route, method: 'POST', path: '/apps/:id/always', body: 'form', run: genuine(formGuard, purpose, askAgain) },
    { ...route, method: 'GET', path: '/api/apps', run: list },
    { ...route, method: 'PATCH', path: '/api/apps/:id', body: 'json', run: change },
    { ...route, method: 'DELETE', path: '/api/apps/:id', run: remove },
  ];
}

/** A grant as JSON; times are Unix ms. */
function asJson(app: AppGrant, all: readonly ServiceKey[]) {
  const { id, clientId, clientName, ask, since, lastUsedAt } = app;
  const access = accessAsJson(app, all);
  return { id, client_id: clientId, name: clientName, ...access, ask, since, last_used_at: lastUsedAt };
}

/** The schema of what is changed about an app, on a server of these services. */
function changeSchemaOf(all: readonly ServiceKey[]) {
  const members = {
    ask: z.enum(askChoices).nullable(),
    off: switchesSchema,
    scope: scopeSchema(all).nullable(),
  };
  return z
    .strictObject(members)
    .partial()
    .refine((given) => Object.keys(given).length > 0, {
      error: 'needs one of ask, off and scope',
    });
}
