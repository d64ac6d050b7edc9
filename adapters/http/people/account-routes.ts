import { showPage } from '#adapters/http/answers/show-page.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { genuine, hiddenFor, passwordText, seeOther } from '#adapters/http/people/person-forms.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { addressOf } from '#adapters/http/requests/rate-limit.ts';
import { clearSessionCookie, setSessionCookie } from '#adapters/http/requests/session-cookie.ts';
import type { Route, RouteContext } from '#adapters/http/route.ts';
import type { Users } from '#application/ports/users.ts';
import type { ChangeOwnPassword } from '#application/users/change-own-password.ts';
import { isTimeZone } from '#domain/text/days.ts';

type AccountRoutesDependencies = Readonly<{
  users: Pick<Users, 'change'>;
  ownPassword: ChangeOwnPassword;
  formGuard: FormGuard;
}>;

type Notice = Readonly<{ kind: 'good' | 'bad'; text: string }>;

const purpose = 'account';
const notices: Readonly<Record<string, Notice>> = {
  password: { kind: 'good', text: 'Password changed. All other browsers and all apps are signed out.' },
  others: { kind: 'good', text: 'All other browsers and all apps are signed out.' },
  zone: { kind: 'good', text: 'Times are shown in this time zone from now on.' },
};

/** Serves the page /account: password, other sessions, time zone (ACCT-001 to ACCT-003). */
export function accountRoutes({ users, ownPassword, formGuard }: AccountRoutesDependencies): readonly Route[] {
  const show = (ctx: RouteContext, notice: Notice | null, status = 200): void => {
    const { email, timeZone } = userOf(ctx);
    const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), timeZone ?? 'UTC']);
    const hidden = hiddenFor(ctx, formGuard, purpose);
    showPage(ctx, 'account', { email, zones, zone: timeZone ?? 'UTC', notice, hidden }, { status });
  };
  const change = async (ctx: RouteContext): Promise<void> => {
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
      if (failure.reason === 'rate_limited') ctx.set('Retry-After', String(failure.retryAfterS));
      const text = passwordText(failure.reason);
      return show(ctx, { kind: 'bad', text }, failure.reason === 'rate_limited' ? 429 : 400);
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
  const setZone = async (ctx: RouteContext): Promise<void> => {
    const fields = formFields(ctx);
    const zone = fieldOf(fields, 'zone');
    if (!isTimeZone(zone))
      return show(ctx, { kind: 'bad', text: 'There is no such time zone. Choose one from the list.' }, 400);
    const { id, timeZone } = userOf(ctx);
    // What a browser suggests never replaces what the user chose.
    const isSuggested = fieldOf(fields, 'suggested') !== '';
    if (!isSuggested || (timeZone ?? null) === null) await users.change(id, { timeZone: zone });
    seeOther(ctx, '/account?done=zone');
  };
  const page = async (ctx: RouteContext): Promise<void> => {
    const { done } = ctx.query;
    show(ctx, typeof done === 'string' ? (Object.entries(notices).find(([name]) => name === done)?.[1] ?? null) : null);
  };
  const form = { method: 'POST', who: 'person', body: 'form' } as const;
  const posted = (run: (ctx: RouteContext) => Promise<void>) => genuine(formGuard, purpose, run);
  return [
    { method: 'GET', path: '/account', who: 'person', body: 'none', run: page },
    { ...form, path: '/account/password', run: posted(change) },
    { ...form, path: '/account/sign-out-others', run: posted(signOutOthers) },
    { ...form, path: '/account/time-zone', run: posted(setZone) },
  ];
}
