import { z } from 'zod';
import { sendFailure } from '#adapters/http/answers/problem.ts';
import { refuse } from '#adapters/http/answers/refuse.ts';
import { showPage } from '#adapters/http/answers/show-page.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { genuine, hiddenFor, seeOther } from '#adapters/http/people/person-forms.ts';
import { checkedBody } from '#adapters/http/requests/checked-input.ts';
import { formFields } from '#adapters/http/requests/form-fields.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { parameterOf, type Route, type RouteContext } from '#adapters/http/route.ts';
import { byOperations } from '#application/operations/by-operations.ts';
import type { OperationCatalog, OperationInfo } from '#application/ports/operation-catalog.ts';
import type { Users } from '#application/ports/users.ts';
import { storedEffectOf } from '#domain/operations/effect.ts';
import { unknownValue } from '#domain/operations/input-error.ts';
import { invalidInput } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { groupSwitch, isPermitted, operationSwitch } from '#domain/users/rights.ts';

type SwitchRoutesDependencies = Readonly<{
  users: Pick<Users, 'change'>;
  catalog: Pick<OperationCatalog, 'names' | 'operations'>;
  formGuard: FormGuard;
  /** What can be switched off besides operations, each under a key that is no service's. */
  others?: readonly Switchable[];
}>;

/** What can be switched off. */
type Switchable = Pick<OperationInfo, 'service' | 'name' | 'title' | 'effects'>;

const purpose = 'switches';
const givenSchema = z.strictObject({ off: z.array(z.string().max(200)).max(1_000) });
/** The maximum number of unknown switches that are reported. */
const maxErrors = 20;
const effects = ['read', 'write', 'destroy'] as const;
const groupTitles = { read: 'Reading', write: 'Changing', destroy: 'Overwriting or deleting' } as const;

/**
 * Serves the switches for what apps may not do on a user's behalf: /tools/{service}, and the same as JSON (SWITCH-001).
 */
export function switchRoutes({ users, catalog, formGuard, others = [] }: SwitchRoutesDependencies): readonly Route[] {
  const { names } = catalog;
  const all = (): readonly Switchable[] => [...catalog.operations.filter(({ tool }) => tool !== null), ...others];
  const isOther = (service: string): boolean => others.some((one) => one.service === service);
  const switchesOf = (services: readonly ServiceKey[]): readonly string[] => [
    ...services.flatMap((service) => effects.map((effect) => groupSwitch({ service, effect }))),
    ...catalog.operations.filter(({ service }) => services.includes(service)).map(operationSwitch),
    ...others.map(operationSwitch),
  ];
  const known = byOperations(catalog, () => new Set(switchesOf(names.keys)));
  /** Replaces the switched-off tools for which `isMeant` is true, and keeps the others. */
  const store = async (ctx: RouteContext, off: readonly string[], isMeant: (key: string) => boolean): Promise<void> => {
    const { id, switchedOff = [] } = userOf(ctx);
    const kept = switchedOff.filter((key) => !isMeant(key));
    await users.change(id, { switchedOff: [...new Set([...kept, ...off.filter((key) => known().has(key))])] });
  };
  const serviceOf = (ctx: RouteContext): string | null => {
    const service = parameterOf(ctx, 'service');
    if (isOther(service) || (names.keys.includes(service) && isPermitted(userOf(ctx), service))) return service;
    refuse(ctx, { status: 404, error: 'not_found', description: 'You have no service of that name.' });
    return null;
  };
  const show = async (ctx: RouteContext): Promise<void> => {
    const service = serviceOf(ctx);
    if (service === null) return;
    const { switchedOff = [] } = userOf(ctx);
    const own = all().filter((one) => one.service === service);
    const groups = effects.map((effect) => ({
      key: groupSwitch({ service, effect }),
      title: groupTitles[effect],
      isOn: !switchedOff.includes(groupSwitch({ service, effect })),
      tools: own
        .filter(({ effects: [plain] }) => plain !== undefined && storedEffectOf(plain) === effect)
        .map((operation) => ({
          key: operationSwitch(operation),
          title: operation.title,
          isOn: !switchedOff.includes(operationSwitch(operation)),
        })),
    }));
    const hidden = hiddenFor(ctx, formGuard, purpose);
    showPage(ctx, 'tools', {
      service,
      name: isOther(service) ? 'Programs' : names.of(service),
      groups: groups.filter(({ tools }) => tools.length > 0),
      hidden,
    });
  };
  const keep = async (ctx: RouteContext): Promise<void> => {
    const service = serviceOf(ctx);
    if (service === null) return;
    const fields = formFields(ctx);
    const on = fields.getAll('on');
    // Only tools that the page showed are switched off: a tool that was added since stays on.
    const off = fields.getAll('shown').filter((key) => !on.includes(key));
    await store(ctx, off, (key) => key.startsWith(`${service}:`));
    seeOther(ctx, `/tools/${service}`);
  };
  const list = async (ctx: RouteContext): Promise<void> => {
    ctx.body = { off: userOf(ctx).switchedOff ?? [] };
  };
  const replace = async (ctx: RouteContext): Promise<void> => {
    const given = checkedBody(ctx, givenSchema);
    if (!given.ok) return sendFailure(ctx, given.failure);
    const unknown = [...given.value.off.entries()].filter(([, key]) => !known().has(key)).slice(0, maxErrors);
    if (unknown.length > 0) {
      const switches = switchesOf(userOf(ctx).permissions);
      const errors = unknown.map(([index, key]) =>
        unknownValue(['off', String(index)], { title: 'switch', given: key, known: switches }),
      );
      return sendFailure(ctx, invalidInput(errors));
    }
    await store(ctx, given.value.off, () => true);
    ctx.body = { off: [...new Set(given.value.off)] };
  };
  const route = { who: 'person' } as const;
  return [
    { ...route, method: 'GET', path: '/tools/:service', body: 'none', run: show },
    { ...route, method: 'POST', path: '/tools/:service', body: 'form', run: genuine(formGuard, purpose, keep) },
    { ...route, method: 'GET', path: '/api/switches', body: 'none', run: list },
    { ...route, method: 'PUT', path: '/api/switches', body: 'json', run: replace },
  ];
}
