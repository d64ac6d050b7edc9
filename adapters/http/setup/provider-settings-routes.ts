import { z } from 'zod';
import type { EnterableSetting, ServiceSetup } from '#adapters/contracts/setup-guides.ts';
import { sendFailure } from '#adapters/http/answers/problem.ts';
import { refuse } from '#adapters/http/answers/refuse.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { genuine, seeOther } from '#adapters/http/people/person-forms.ts';
import { checkedBody, checkedQuery } from '#adapters/http/requests/checked-input.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { parameterOf, type Route, type RouteContext } from '#adapters/http/route.ts';
import { enteredSchema, givenValues, settingAsJson, shownSettings } from '#adapters/http/setup/entered-settings.ts';
import { type SignInAgainDependencies, signInAgain } from '#adapters/http/setup/sign-in-again.ts';
import { choiceAsJson, vendorsSchema } from '#adapters/http/setup/vendor-choices.ts';
import { checkInput } from '#adapters/input/check-input.ts';
import type { Users } from '#application/ports/users.ts';
import type { RecentSignIn } from '#application/session/recent-sign-in.ts';
import type { ProviderSettings } from '#application/setup/provider-settings.ts';
import { withVendor } from '#application/setup/vendor-choice.ts';
import { errorsText, forPeople, type InputError } from '#domain/operations/input-error.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** How the page of a service is shown after a form that changed nothing. */
export type SetupNotice = Readonly<{ kind: 'good' | 'bad'; text: string; status: number }>;

/** The dependencies of the routes. `show` shows the page of the service again. */
type ProviderSettingsDependencies = SignInAgainDependencies &
  Readonly<{
    setups: () => readonly ServiceSetup[];
    settings: Pick<ProviderSettings, 'entered' | 'change'>;
    recent: RecentSignIn;
    users: Pick<Users, 'find'>;
    formGuard: FormGuard;
    show: (ctx: RouteContext, notice: SetupNotice) => Promise<void>;
  }>;

/** The purpose of the token of the forms on the page of a service. */
export const setupPurpose = 'setup';

const unknownText = 'This server has no service or provider of that name.';
const busyText = 'Another administrator is changing the settings of a provider at the moment. Try again.';
const oldText = 'Sign in again: settings of providers are changed only within 10 minutes of signing in.';

const vendorSchema = z.looseObject({
  vendor: z.string().max(100).optional().catch(undefined),
  vendors: z.array(z.string()).optional().catch(undefined),
});
const querySchema = z.strictObject({ vendor: z.string().max(100).optional(), setting: z.string().max(100).optional() });

type Target = Readonly<{ setup: ServiceSetup; vendor: string; enterable: readonly EnterableSetting[] }>;

/**
 * Serves what administrators enter for the providers: the forms on /setup/{service}, and the same as JSON below
 * /api/setup (PSET-001 to PSET-016). No answer has a value.
 */
export function providerSettingsRoutes(dependencies: ProviderSettingsDependencies): readonly Route[] {
  const { setups, settings, recent, users, formGuard, show } = dependencies;
  const targetOf = (ctx: RouteContext, vendor: string | undefined): Target | null => {
    const setup = setups().find(({ service }) => service === parameterOf(ctx, 'service'));
    const name = vendor ?? setup?.choice.next[0] ?? '';
    const enterable = setup === undefined ? undefined : own(setup.enterable, name);
    return setup === undefined || enterable === undefined ? null : { setup, vendor: name, enterable };
  };
  const changed = async (
    ctx: RouteContext,
    { setup: { service }, vendor }: Target,
    { values, vendors }: Change,
  ): Promise<Result<void, Failure>> => {
    const user = userOf(ctx);
    if (!(await recent.isRecent(user))) return err(failed('forbidden', oldText));
    const chosen = vendors === undefined ? {} : { vendors };
    const stored = await settings.change({ service, vendor, values, userId: user.id, ...chosen });
    return stored.ok ? ok(undefined) : err(failed('conflict', busyText));
  };
  const list = async (ctx: RouteContext): Promise<void> => {
    const target = targetOf(ctx, undefined);
    if (target === null) return sendFailure(ctx, failed('not_found', unknownText));
    const { service, choice } = target.setup;
    const shown = await shownSettings(target.setup, settings.entered, users);
    const listed = shown.filter(({ vendor, setAt }) => choice.next.includes(vendor) || setAt !== null);
    ctx.body = { service, vendors: choiceAsJson(target.setup), settings: listed.map(settingAsJson) };
  };
  const put = async (ctx: RouteContext): Promise<void> => {
    const named = vendorSchema.safeParse(ctx.request.body).data;
    const target = targetOf(ctx, named?.vendor ?? named?.vendors?.[0]);
    if (target === null) return sendFailure(ctx, failed('not_found', unknownText));
    const schema = enteredSchema(target.enterable).extend({
      vendor: z.string().optional(),
      vendors: vendorsSchema(target.setup).optional(),
    });
    const given = checkedBody(ctx, schema);
    if (!given.ok) return sendFailure(ctx, given.failure);
    const { vendor: _, vendors: __, ...values } = given.value;
    const stored = await changed(ctx, target, { values: givenValues(values), vendors: named?.vendors });
    if (!stored.ok) return sendFailure(ctx, stored.failure);
    await list(ctx);
  };
  const remove = async (ctx: RouteContext): Promise<void> => {
    const given = checkedQuery(ctx, querySchema);
    if (!given.ok) return sendFailure(ctx, given.failure);
    const { vendor, setting } = given.value;
    const target = targetOf(ctx, vendor);
    const names = target?.enterable.flatMap(({ name }) => (setting === undefined || setting === name ? name : []));
    if (target === null || names === undefined || names.length === 0) {
      return sendFailure(ctx, failed('not_found', unknownText));
    }
    const stored = await changed(ctx, target, { values: new Map(names.map((name) => [name, null])) });
    if (!stored.ok) return sendFailure(ctx, stored.failure);
    await list(ctx);
  };
  const posted = (changeIn: (fields: URLSearchParams, target: Target) => Entered) => {
    return async (ctx: RouteContext): Promise<void> => {
      const fields = formFields(ctx);
      const target = targetOf(ctx, fieldOf(fields, 'vendor'));
      if (target === null) return refuse(ctx, { status: 404, error: 'not_found', description: unknownText });
      const change = changeIn(fields, target);
      if (!change.ok) {
        const text = forPeople(errorsText(change.failure));
        return show(ctx, { kind: 'bad', text, status: 400 });
      }
      const stored = await changed(ctx, target, change.value);
      if (stored.ok) return seeOther(ctx, pageOf(target, '&done=saved#enter'));
      return show(ctx, {
        kind: 'bad',
        text: stored.failure.message,
        status: stored.failure.reason === 'conflict' ? 409 : 403,
      });
    };
  };
  const save = posted((fields, { setup: { choice }, vendor, enterable }) => {
    const filled = enterable.map(({ name }) => [name, fieldOf(fields, name)] as const);
    const given = Object.fromEntries(filled.filter(([, value]) => value !== ''));
    const checked = checkInput(enteredSchema(enterable), given);
    if (!checked.ok) return checked;
    const after = withVendor(choice, vendor, fieldOf(fields, 'use') === vendor);
    const isChosen = fieldOf(fields, 'chooses') === 'yes' && !choice.isFromEnvironment;
    const vendors = isChosen && after.join() !== choice.next.join() ? { vendors: after } : {};
    return ok({ values: givenValues(checked.value), ...vendors });
  });
  const removeOne = posted((fields, { enterable }) => {
    const wanted = fieldOf(fields, 'setting');
    const names = enterable.flatMap(({ name }) => (name === wanted ? name : []));
    return names.length === 0
      ? err([{ path: ['setting'], message: 'There is no setting of that name.' }])
      : ok({ values: new Map(names.map((name) => [name, null])) });
  });
  const signIn = async (ctx: RouteContext): Promise<void> => {
    const target = targetOf(ctx, fieldOf(formFields(ctx), 'vendor'));
    if (target === null) return refuse(ctx, { status: 404, error: 'not_found', description: unknownText });
    const refused = await signInAgain(ctx, dependencies);
    if (refused !== null) return show(ctx, { kind: 'bad', ...refused });
    seeOther(ctx, pageOf(target, '#enter'));
  };
  const ours = { who: 'person', permission: 'administrator' } as const;
  const form = (run: (ctx: RouteContext) => Promise<void>) =>
    ({ ...ours, method: 'POST', body: 'form', run: genuine(formGuard, setupPurpose, run) }) as const;
  return [
    { ...form(save), path: '/setup/:service/settings' },
    { ...form(removeOne), path: '/setup/:service/settings/remove' },
    { ...form(signIn), path: '/setup/:service/sign-in' },
    { ...ours, method: 'GET', path: '/api/setup/:service', body: 'none', run: list },
    { ...ours, method: 'PUT', path: '/api/setup/:service', body: 'json', run: put },
    { ...ours, method: 'DELETE', path: '/api/setup/:service', body: 'none', hasQuery: true, run: remove },
  ];
}

/** New values, null for one that is removed; and the vendors of the service, unless they stay. */
type Change = Readonly<{ values: ReadonlyMap<string, string | null>; vendors?: readonly string[] | undefined }>;
type Entered = Result<Change, readonly InputError[]>;

function pageOf({ setup: { service }, vendor }: Target, rest: string): string {
  return `/setup/${service}?vendor=${vendor}${rest}`;
}
