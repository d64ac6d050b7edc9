import { showPage } from '#adapters/http/answers/show-page.ts';
import { shownTime, timeReader } from '#adapters/http/answers/shown-time.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { accessRows, sameForAll } from '#adapters/http/oauth/access-fields.ts';
import { accountPurpose, genuine, hiddenFor, passwordText, seeOther } from '#adapters/http/people/person-forms.ts';
import { sessionRoutes, shownSessions } from '#adapters/http/people/session-routes.ts';
import { personalTokenRoutes, shownTokens } from '#adapters/http/people/token-routes.ts';
import { givenName } from '#adapters/http/people/user-query.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { addressOf } from '#adapters/http/requests/rate-limit.ts';
import { clearSessionCookie, setSessionCookie } from '#adapters/http/requests/session-cookie.ts';
import type { Route, RouteContext } from '#adapters/http/route.ts';
import { passwordsOff, type SignInWays } from '#adapters/http/sign-in/sign-in-ways.ts';
import { maxTokenDays, type PersonalTokens } from '#application/apps/personal-tokens.ts';
import type { Identities } from '#application/ports/identities.ts';
import type { Notifications } from '#application/ports/notifications.ts';
import type { Users } from '#application/ports/users.ts';
import type { OwnSessions } from '#application/session/own-sessions.ts';
import type { ChangeOwnPassword } from '#application/users/change-own-password.ts';
import { type MailSwitch, mailSwitchNames } from '#domain/notifications/notification.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import type { LinkedIdentity } from '#domain/sign-in/identity.ts';
import { isTimeZone } from '#domain/text/days.ts';

/** The status of a password that was not changed, where it is not 400. */
const statuses: ReadonlyMap<string, number> = new Map([
  ['rate_limited', 429],
  ['busy', 503],
]);

type AccountRoutesDependencies = Readonly<{
  users: Pick<Users, 'change'>;
  ownPassword: ChangeOwnPassword;
  notifications: Pick<Notifications, 'switchedOff' | 'switchOff'>;
  /** Whether this server sends e-mails. */
  isMailing: boolean;
  sessions: OwnSessions;
  personal: PersonalTokens;
  names: ServiceNames;
  formGuard: FormGuard;
  identities: Pick<Identities, 'list'>;
  ways: SignInWays;
  now: () => number;
}>;

type Notice = Readonly<{ kind: 'good' | 'bad'; text: string }>;

const notices: Readonly<Record<string, Notice>> = {
  password: { kind: 'good', text: 'Password changed. All other browsers and all apps are signed out.' },
  others: { kind: 'good', text: 'All other browsers and all apps are signed out.' },
  linked: { kind: 'good', text: 'Single sign-on is linked: you can sign in with it from now on.' },
  unlinked: { kind: 'good', text: 'Unlinked. This sign-in does not open your account any more.' },
  'last-way-in': {
    kind: 'bad',
    text: 'This is the only way into your account. Link another sign-in first, or set a password and sign in with it.',
  },
  'not-linked': { kind: 'bad', text: 'This sign-in is not linked to your account.' },
  session: { kind: 'good', text: 'That session has ended.' },
  sessions: { kind: 'good', text: 'All your other sessions have ended.' },
  token: { kind: 'good', text: 'The token was revoked.' },
  zone: { kind: 'good', text: 'Times are shown in this time zone from now on.' },
  name: { kind: 'good', text: 'Your name is saved.' },
  mails: { kind: 'good', text: 'Your choice of e-mails is saved.' },
};

const mailTexts: Readonly<Record<MailSwitch, string>> = {
  connections: 'A connection of mine needs me, or works again',
  approvals: 'Something waits for my approval',
  failures: 'A delivery or a reaction failed, or a user was invited',
};

/**
 * Serves the page /account: password, linked sign-ins, sessions, tokens for scripts, time zone, e-mails
 * (ACCT-001 to ACCT-015, NOTIFY-007).
 */
export function accountRoutes(dependencies: AccountRoutesDependencies): readonly Route[] {
  const { users, ownPassword, notifications, isMailing, sessions, personal, names, formGuard, now, identities, ways } =
    dependencies;
  const show = async (
    ctx: RouteContext,
    notice: Notice | null,
    { status = 200, token = null }: Readonly<{ status?: number; token?: string | null }> = {},
  ): Promise<void> => {
    const user = userOf(ctx);
    const { email, timeZone, isAdmin, name = null } = user;
    const off = await notifications.switchedOff(user.id);
    const mails = mailSwitchNames
      .filter((name) => isAdmin || name !== 'failures')
      .map((name) => ({ name, text: mailTexts[name], isOn: !off.includes(name) }));
    const reader = timeReader(user, now());
    const linked = ways.providerHost === null ? [] : await identities.list(user.id);
    const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), timeZone ?? 'UTC']);
    const hidden = hiddenFor(ctx, formGuard, accountPurpose);
    const page = {
      email,
      name: name ?? '',
      zones,
      zone: timeZone ?? 'UTC',
      notice,
      token,
      sessions: await shownSessions(sessions, user, reader),
      tokens: await shownTokens(personal, user, names, reader),
      access: accessRows(names, user, sameForAll('read', names.keys)),
      maxTokenDays,
      hidden,
      mails,
      isMailing,
      ways,
      linked: linked.map((one) => shownIdentity(one, timeZone ?? null)),
    };
    ctx.set('Cache-Control', 'no-store');
    showPage(ctx, 'account', page, { status });
  };
  const change = async (ctx: RouteContext): Promise<void> => {
    if (!ways.passwords) return show(ctx, { kind: 'bad', text: passwordsOff.banner }, { status: passwordsOff.status });
    const fields = formFields(ctx);
    const given = {
      old: fieldOf(fields, 'old'),
      password: fieldOf(fields, 'password'),
      address: addressOf(ctx),
      userAgent: ctx.get('User-Agent'),
    };
    const changed = await ownPassword.run(userOf(ctx), given);
    if (!changed.ok) {
      const { failure } = changed;
      if ('retryAfterS' in failure) ctx.set('Retry-After', String(failure.retryAfterS));
      const text = passwordText(failure.reason);
      return show(ctx, { kind: 'bad', text }, { status: statuses.get(failure.reason) ?? 400 });
    }
    setSessionCookie(ctx, changed.value);
    seeOther(ctx, '/account?done=password');
  };
  const signOutOthers = async (ctx: RouteContext): Promise<void> => {
    const continued = await ownPassword.signOutOthers(userOf(ctx));
    if (continued === null) clearSessionCookie(ctx);
    else setSessionCookie(ctx, continued);
    seeOther(ctx, '/account?done=others');
  };
  const rename = async (ctx: RouteContext): Promise<void> => {
    await users.change(userOf(ctx).id, { name: givenName(fieldOf(formFields(ctx), 'name')) });
    seeOther(ctx, '/account?done=name');
  };
  const setZone = async (ctx: RouteContext): Promise<void> => {
    const fields = formFields(ctx);
    const zone = fieldOf(fields, 'zone');
    if (!isTimeZone(zone))
      return show(ctx, { kind: 'bad', text: 'There is no such time zone. Choose one from the list.' }, { status: 400 });
    const { id, timeZone } = userOf(ctx);
    // What a browser suggests never replaces what the user chose.
    const isSuggested = fieldOf(fields, 'suggested') !== '';
    if (!isSuggested || (timeZone ?? null) === null) await users.change(id, { timeZone: zone });
    seeOther(ctx, '/account?done=zone');
  };
  const chooseMails = async (ctx: RouteContext): Promise<void> => {
    const fields = formFields(ctx);
    const on = fields.getAll('on');
    const { id } = userOf(ctx);
    // What the page did not show stays as it is.
    const shown = mailSwitchNames.filter((name) => fields.getAll('shown').includes(name));
    const kept = (await notifications.switchedOff(id)).filter((name) => !shown.some((one) => one === name));
    await notifications.switchOff(id, [...kept, ...shown.filter((name) => !on.includes(name))]);
    seeOther(ctx, '/account?done=mails');
  };
  const page = async (ctx: RouteContext): Promise<void> => {
    const { done } = ctx.query;
    await show(
      ctx,
      typeof done === 'string' ? (Object.entries(notices).find(([name]) => name === done)?.[1] ?? null) : null,
    );
  };
  const form = { method: 'POST', who: 'person', body: 'form' } as const;
  const posted = (run: (ctx: RouteContext) => Promise<void>) => genuine(formGuard, accountPurpose, run);
  return [
    { method: 'GET', path: '/account', who: 'person', body: 'none', run: page },
    { ...form, path: '/account/name', run: posted(rename) },
    { ...form, path: '/account/password', run: posted(change) },
    { ...form, path: '/account/sign-out-others', run: posted(signOutOthers) },
    { ...form, path: '/account/time-zone', run: posted(setZone) },
    { ...form, path: '/account/e-mails', run: posted(chooseMails) },
    ...sessionRoutes({ sessions, formGuard }),
    ...personalTokenRoutes({
      personal,
      names,
      formGuard,
      show: (ctx, { status, token, ...notice }) => show(ctx, notice, { status, token }),
    }),
  ];
}

function shownIdentity({ id, issuer, email, linkedAt, lastUsedAt }: LinkedIdentity, timeZone: string | null) {
  return {
    id,
    host: new URL(issuer).host,
    email: email ?? 'no e-mail',
    linked: shownTime(linkedAt, timeZone),
    used: lastUsedAt === null ? null : shownTime(lastUsedAt, timeZone),
  };
}
