import { z } from 'zod';
import { sendFailure } from '#adapters/http/answers/problem.ts';
import { refuse } from '#adapters/http/answers/refuse.ts';
import { shownAge, shownTime, type TimeReader } from '#adapters/http/answers/shown-time.ts';
import { shownClientName, shownText } from '#adapters/http/answers/templates.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { accessChoice, accessWord, sameForAll, scopeSchema, servicesText } from '#adapters/http/oauth/access-fields.ts';
import { accessAsJson } from '#adapters/http/oauth/app-json.ts';
import { accountPurpose, genuine, seeOther } from '#adapters/http/people/person-forms.ts';
import { checkedBody } from '#adapters/http/requests/checked-input.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { parameterOf, type Route, type RouteContext } from '#adapters/http/route.ts';
import { checkInput } from '#adapters/input/check-input.ts';
import { maxTokenDays, maxTokens, type PersonalTokens } from '#application/apps/personal-tokens.ts';
import type { AppGrant } from '#domain/oauth/app-grant.ts';
import { grantOfScope } from '#domain/oauth/grant.ts';
import { errorsText, forPeople } from '#domain/operations/input-error.ts';
import { failed } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import type { User } from '#domain/users/user.ts';

/** How the page /account is shown after a form: with a token, which is shown once, or with an error. */
export type TokenNotice = Readonly<{ kind: 'good' | 'bad'; text: string; status: number; token: string | null }>;

type TokenRoutesDependencies = Readonly<{
  personal: PersonalTokens;
  names: ServiceNames;
  formGuard: FormGuard;
  show: (ctx: RouteContext, notice: TokenNotice) => Promise<void>;
}>;

const unknownText = 'You have no personal token with that id.';
const texts = {
  no_service: 'Choose at least one service that you may use.',
  too_many: `You have ${maxTokens} personal tokens. Revoke one that you no longer need first.`,
} as const;
const reasons = { no_service: 'invalid_input', too_many: 'conflict' } as const;

/** The schemas of what is wanted, on a page and as JSON, on a server of these services. */
function requestedSchemas(services: readonly ServiceKey[]) {
  const name = z
    .string()
    .transform((text) => text.trim())
    .refine((text) => text !== '' && text.length <= 60 && !/\p{Cc}/u.test(text), {
      error: 'must have 1 to 60 characters, on one line',
    });
  const named = z.strictObject({ name, days: z.int().min(1).max(maxTokenDays).default(maxTokenDays) });
  const requested = named
    .extend({
      services: z.array(z.enum(services)).max(100).optional(),
      access: z.enum(['readonly', 'full']).optional(),
      scope: scopeSchema(services).optional(),
    })
    .refine((given) => given.scope === undefined || (given.services ?? given.access) === undefined, {
      path: ['scope'],
      error: 'is given instead of services and access, not beside them',
    });
  return { named, requested };
}

/** How much a token allows, in the words of people. */
const accessTexts = { readonly: 'Reads only', full: 'Reads and changes', mixed: 'Reads, and changes some' } as const;

/** The user's tokens as the page /account shows them. */
export async function shownTokens(personal: PersonalTokens, user: User, names: ServiceNames, reader: TimeReader) {
  return (await personal.list(user)).map((grant) => ({
    id: grant.id,
    name: shownClientName(grant.clientName),
    services: servicesText(grantOfScope(grant.scope, names.keys), names),
    access: accessTexts[accessWord(grantOfScope(grant.scope, names.keys))],
    expires: shownTime(grant.expiresAt ?? grant.since, reader.timeZone),
    lastUsed: grant.lastUsedAt === null ? null : shownAge(grant.lastUsedAt, reader),
  }));
}

/** Serves the person's tokens for scripts: the forms on /account, and the same as JSON (ACCT-010 to ACCT-015). */
export function personalTokenRoutes({ personal, names, formGuard, show }: TokenRoutesDependencies): readonly Route[] {
  const { named, requested } = requestedSchemas(names.keys);
  const created = ({ name, services, access, scope, days }: z.output<typeof requested>, user: User) => {
    const sameOf = sameForAll(access === 'full' ? 'full' : 'read', services ?? names.keys);
    return personal.create(user, { name, choice: scope ?? sameOf, days });
  };
  const createOnPage = async (ctx: RouteContext): Promise<void> => {
    const fields = formFields(ctx);
    const given = checkInput(named, {
      name: fieldOf(fields, 'name'),
      days: Number(fieldOf(fields, 'days')),
    });
    const bad = (text: string) => show(ctx, { kind: 'bad', text, status: 400, token: null });
    if (!given.ok) return bad(shownText(forPeople(errorsText(given.failure)), 1_000));
    const choice = accessChoice(fields, names.keys) ?? new Map();
    const made = await personal.create(userOf(ctx), { ...given.value, choice });
    if (!made.ok) return bad(texts[made.failure.reason]);
    const text = `The token “${shownClientName(made.value.grant.clientName)}” was created. Copy it now: it is not shown again.`;
    return show(ctx, { kind: 'good', text, status: 200, token: made.value.token });
  };
  const create = async (ctx: RouteContext): Promise<void> => {
    const given = checkedBody(ctx, requested);
    if (!given.ok) return sendFailure(ctx, given.failure);
    const made = await created(given.value, userOf(ctx));
    if (!made.ok) return sendFailure(ctx, failed(reasons[made.failure.reason], texts[made.failure.reason]));
    ctx.status = 201;
    ctx.set('Cache-Control', 'no-store');
    ctx.body = { ...asJson(made.value.grant, names.keys), token: made.value.token };
  };
  const endOnPage = async (ctx: RouteContext): Promise<void> => {
    if (await personal.end(userOf(ctx), parameterOf(ctx, 'id'))) seeOther(ctx, '/account?done=token#tokens');
    else refuse(ctx, { status: 404, error: 'not_found', description: unknownText });
  };
  const list = async (ctx: RouteContext): Promise<void> => {
    ctx.body = { data: (await personal.list(userOf(ctx))).map((grant) => asJson(grant, names.keys)) };
  };
  const remove = async (ctx: RouteContext): Promise<void> => {
    const id = parameterOf(ctx, 'id');
    if (await personal.end(userOf(ctx), id)) ctx.body = { id, state: 'revoked' };
    else sendFailure(ctx, failed('not_found', unknownText));
  };
  const route = { who: 'person', body: 'none' } as const;
  const form = (run: (ctx: RouteContext) => Promise<void>) =>
    ({ who: 'person', method: 'POST', body: 'form', run: genuine(formGuard, accountPurpose, run) }) as const;
  return [
    { ...form(createOnPage), path: '/account/tokens' },
    { ...form(endOnPage), path: '/account/tokens/:id/revoke' },
    { ...route, method: 'GET', path: '/api/account/tokens', run: list },
    { ...route, method: 'POST', path: '/api/account/tokens', body: 'json', run: create },
    { ...route, method: 'DELETE', path: '/api/account/tokens/:id', run: remove },
  ];
}

/** A token as JSON, without its text; times are Unix ms. */
function asJson(grant: AppGrant, all: readonly ServiceKey[]) {
  const { id, clientName, since, lastUsedAt, expiresAt = null } = grant;
  const access = accessAsJson(grant, all);
  return { id, name: clientName, ...access, since, last_used_at: lastUsedAt, expires_at: expiresAt };
}
