import { z } from 'zod';
import { sendFailure } from '#adapters/http/answers/problem.ts';
import { refuse } from '#adapters/http/answers/refuse.ts';
import { showPage } from '#adapters/http/answers/show-page.ts';
import { shownAge, shownTime, timeReader } from '#adapters/http/answers/shown-time.ts';
import { shownClientName } from '#adapters/http/answers/templates.ts';
import { unreadableMember } from '#adapters/http/answers/unreadable-rows.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { askOptions } from '#adapters/http/oauth/ask-options.ts';
import { askChoice, askField } from '#adapters/http/oauth/authorization-fields.ts';
import { genuine, hiddenFor, seeOther } from '#adapters/http/people/person-forms.ts';
import { checkedBody } from '#adapters/http/requests/checked-input.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { parameterOf, type Route, type RouteContext } from '#adapters/http/route.ts';
import type { GrantedApps } from '#application/apps/granted-apps.ts';
import type { NoteAct } from '#application/audit/audit.ts';
import type { AllowedAlways, AllowedOperations } from '#application/ports/approval-policy.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import { askChoices } from '#domain/changes/ask-policy.ts';
import { type AppGrant, isPersonal } from '#domain/oauth/app-grant.ts';
import { failed } from '#domain/operations/outcome.ts';
import { programService } from '#domain/programs/program-names.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';

type AppRoutesDependencies = Readonly<{
  apps: GrantedApps;
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
const changeSchema = z.strictObject({ ask: z.enum(askChoices).nullable() });
const unknownText = 'You have no app with that id.';

/**
 * Serves what users granted to apps: the page /apps, its form, and the same as JSON below /api/apps (GRANT-005 to
 * GRANT-008).
 */
export function appRoutes({
  apps,
  allowedOperations,
  catalog,
  formGuard,
  names,
  note,
  now,
  hasPrograms = false,
}: AppRoutesDependencies): readonly Route[] {
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
      isReadonly: grant.isReadonly,
      isPersonal: isPersonal(grant),
      services: (grant.services ?? names.keys).map((service) => names.of(service)).join(', '),
      isEverything: grant.services === null,
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
    const app = (await apps.list(user)).find((grant) => grant.id === id);
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
    if (await apps.chooseAsk(userOf(ctx), parameterOf(ctx, 'id'), askChoice(formFields(ctx)))) seeOther(ctx, '/apps');
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
    const id = parameterOf(ctx, 'id');
    if (!(await apps.chooseAsk(user, id, given.value.ask))) return sendFailure(ctx, failed('not_found', unknownText));
    const grant = (await apps.list(user)).find((one) => one.id === id);
    ctx.body = grant === undefined ? { id } : asJson(grant);
  };
  const list = async (ctx: RouteContext): Promise<void> => {
    ctx.body = { data: (await apps.list(userOf(ctx))).map(asJson), ...unreadableMember(ctx, 'apps') };
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

/** A grant as JSON; times are Unix ms; `services` is null for all, including those permitted later. */
function asJson({ id, clientId, clientName, services, isReadonly, ask, since, lastUsedAt }: AppGrant) {
  const access = isReadonly ? 'readonly' : 'full';
  return { id, client_id: clientId, name: clientName, services, access, ask, since, last_used_at: lastUsedAt };
}
