import { z } from 'zod';
import { sendFailure } from '#adapters/http/answers/problem.ts';
import { refuse } from '#adapters/http/answers/refuse.ts';
import { showPage } from '#adapters/http/answers/show-page.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { genuine, hiddenFor, seeOther } from '#adapters/http/people/person-forms.ts';
import type { Switchboard } from '#adapters/http/people/switchboard.ts';
import { checkedBody } from '#adapters/http/requests/checked-input.ts';
import { formFields } from '#adapters/http/requests/form-fields.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { parameterOf, type Route, type RouteContext } from '#adapters/http/route.ts';
import type { Users } from '#application/ports/users.ts';
import { invalidInput } from '#domain/operations/outcome.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { isPermitted } from '#domain/users/rights.ts';

type SwitchRoutesDependencies = Readonly<{
  users: Pick<Users, 'change'>;
  names: ServiceNames;
  switchboard: Switchboard;
  formGuard: FormGuard;
}>;

const purpose = 'switches';

/** The schema of a list of switches. */
export const switchesSchema = z.array(z.string().max(200)).max(1_000);
const givenSchema = z.strictObject({ off: switchesSchema });

/**
 * Serves the switches for what apps may not do on a user's behalf: /tools/{service}, and the same as JSON (SWITCH-001).
 */
export function switchRoutes({ users, names, switchboard, formGuard }: SwitchRoutesDependencies): readonly Route[] {
  const serviceOf = (ctx: RouteContext): string | null => {
    const service = parameterOf(ctx, 'service');
    const isOther = switchboard.otherKeys.includes(service);
    if (isOther || (names.keys.includes(service) && isPermitted(userOf(ctx), service))) return service;
    refuse(ctx, { status: 404, error: 'not_found', description: 'You have no service of that name.' });
    return null;
  };
  const show = async (ctx: RouteContext): Promise<void> => {
    const service = serviceOf(ctx);
    if (service === null) return;
    const { switchedOff = [] } = userOf(ctx);
    showPage(ctx, 'tools', {
      service,
      name: switchboard.nameOf(service),
      groups: switchboard.groupsOf(service, switchedOff),
      hidden: hiddenFor(ctx, formGuard, purpose),
    });
  };
  const keep = async (ctx: RouteContext): Promise<void> => {
    const service = serviceOf(ctx);
    if (service === null) return;
    const { id, switchedOff = [] } = userOf(ctx);
    await users.change(id, { switchedOff: switchboard.afterForm(formFields(ctx), service, switchedOff) });
    seeOther(ctx, `/tools/${service}`);
  };
  const list = async (ctx: RouteContext): Promise<void> => {
    ctx.body = { off: userOf(ctx).switchedOff ?? [] };
  };
  const replace = async (ctx: RouteContext): Promise<void> => {
    const given = checkedBody(ctx, givenSchema);
    if (!given.ok) return sendFailure(ctx, given.failure);
    const { id, permissions } = userOf(ctx);
    const off = [...new Set(given.value.off)];
    const errors = switchboard.errorsIn(given.value.off, permissions);
    if (errors.length > 0) return sendFailure(ctx, invalidInput(errors));
    await users.change(id, { switchedOff: off });
    ctx.body = { off };
  };
  const route = { who: 'person' } as const;
  return [
    { ...route, method: 'GET', path: '/tools/:service', body: 'none', run: show },
    { ...route, method: 'POST', path: '/tools/:service', body: 'form', run: genuine(formGuard, purpose, keep) },
    { ...route, method: 'GET', path: '/api/switches', body: 'none', run: list },
    { ...route, method: 'PUT', path: '/api/switches', body: 'json', run: replace },
  ];
}
