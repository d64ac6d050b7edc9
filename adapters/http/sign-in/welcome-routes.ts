import { showMessage, showPage } from '#adapters/http/answers/show-page.ts';
import { passwordText, seeOther } from '#adapters/http/people/person-forms.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import { type FormGuard, formTokenField } from '#adapters/http/requests/form-guard.ts';
import type { KnownBrowsers } from '#adapters/http/requests/known-browsers.ts';
import { isWithinLimit } from '#adapters/http/requests/rate-limit.ts';
import { setSessionCookie } from '#adapters/http/requests/session-cookie.ts';
import type { Route, RouteContext } from '#adapters/http/route.ts';
import { homePath } from '#adapters/http/sign-in/sign-in-routes.ts';
import type { RateLimits } from '#application/ports/rate-limits.ts';
import type { BeginSession } from '#application/session/begin-session.ts';
import type { PasswordLinks } from '#application/users/password-links.ts';
import { shortLifetimeS } from '#domain/sessions/person-session.ts';
import { sessionLifetimeS } from '#domain/sessions/session.ts';

type WelcomeRoutesDependencies = Readonly<{
  links: PasswordLinks;
  beginSession: BeginSession;
  limits: RateLimits;
  formGuard: FormGuard;
  knownBrowsers: KnownBrowsers;
  /** Whether a link sets a password; otherwise it signs in only. */
  takesPasswords: boolean;
}>;

const purpose = 'welcome';

/**
 * Serves the page /welcome, where a user sets their password by a link, and is signed in (USER-010, USER-017); where the
 * server takes no passwords, the link signs in only (OIDC-018). The link is in the query, which is not logged.
 */
export function welcomeRoutes(dependencies: WelcomeRoutesDependencies): readonly Route[] {
  const { links, beginSession, limits, formGuard, knownBrowsers, takesPasswords } = dependencies;
  const show = async (ctx: RouteContext, link: string, banner: string | null): Promise<void> => {
    const user = await links.find(link);
    if (user === null) return unknown(ctx);
    const hidden = [
      [formTokenField, formGuard.tokenFor(ctx, purpose, [link])],
      ['link', link],
    ];
    const shown = { email: user.email, banner, hidden, takesPasswords };
    showPage(ctx, 'welcome', shown, { status: banner === null ? 200 : 400 });
  };
  const get = async (ctx: RouteContext): Promise<void> => {
    const { link } = ctx.query;
    if (await isWithinLimit(ctx, limits, 'token')) await show(ctx, typeof link === 'string' ? link : '', null);
  };
  const post = async (ctx: RouteContext): Promise<void> => {
    if (!(await isWithinLimit(ctx, limits, 'token'))) return;
    const fields = formFields(ctx);
    const link = fieldOf(fields, 'link');
    if (!formGuard.isGenuine(ctx, fieldOf(fields, formTokenField), purpose, [link])) {
      return show(ctx, link, 'This form was made in another browser. Try again.');
    }
    const used = takesPasswords ? await links.use(link, fieldOf(fields, 'password')) : await links.redeem(link);
    if (!used.ok) return show(ctx, link, passwordText(used.failure.reason));
    const { token } = await beginSession.run(used.value, {
      begunBy: takesPasswords ? 'welcome' : 'link',
      userAgent: ctx.get('User-Agent'),
    });
    knownBrowsers.remember(ctx, used.value.email);
    setSessionCookie(ctx, token, takesPasswords ? sessionLifetimeS : shortLifetimeS);
    seeOther(ctx, homePath);
  };
  const route = { path: '/welcome', who: 'public' } as const;
  return [
    { ...route, method: 'GET', body: 'none', run: get },
    { ...route, method: 'POST', body: 'form', run: post },
  ];
}

function unknown(ctx: RouteContext): void {
  const text = passwordText('unknown_link');
  showMessage(ctx, 404, { title: 'This link has expired', text, link: { href: '/login', text: 'Sign in' } });
}
