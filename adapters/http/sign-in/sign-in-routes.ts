import { sendPage } from '#adapters/http/answers/page-headers.ts';
import { signInPath, visitorOf } from '#adapters/http/middleware/authentication.ts';
import { fieldOf, formFields } from '#adapters/http/requests/form-fields.ts';
import { type FormGuard, formTokenField } from '#adapters/http/requests/form-guard.ts';
import { clearSessionCookie } from '#adapters/http/requests/session-cookie.ts';
import type { Route, RouteContext } from '#adapters/http/route.ts';
import { loginFailure, staleForm } from '#adapters/http/sign-in/login-failure.ts';
import { loginPage, signOutPage } from '#adapters/http/sign-in/login-page.ts';
import type { PasswordSignIn } from '#adapters/http/sign-in/password-sign-in.ts';
import { passwordsOff, providerPath, type SignInWays } from '#adapters/http/sign-in/sign-in-ways.ts';
import type { SignOut } from '#application/session/sign-out.ts';
import type { SignOutEverywhere } from '#application/session/sign-out-everywhere.ts';

type SignInDependencies = Readonly<{
  passwordSignIn: PasswordSignIn;
  signOut: SignOut;
  signOutEverywhere: SignOutEverywhere;
  formGuard: FormGuard;
  ways: SignInWays;
}>;

/** The address of the home page. */
export const homePath = '/floki/index';

/** What a sign-out form is bound to besides the browser. */
const signOutBinding = (userId: number): readonly string[] => [String(userId)];

/**
 * Serves /login and /logout, each a page and its form. A login always redirects to the home page: no target is taken
 * from the request.
 */
export function signInRoutes(dependencies: SignInDependencies): Route[] {
  const route = { who: 'visitor' as const };
  return [
    { ...route, method: 'GET', path: '/login', body: 'none', run: (ctx) => showLoginOrHome(ctx, dependencies) },
    { ...route, method: 'POST', path: '/login', body: 'form', run: (ctx) => logIn(ctx, dependencies) },
    { ...route, method: 'GET', path: '/logout', body: 'none', run: (ctx) => showSignOut(ctx, dependencies, null) },
    { ...route, method: 'POST', path: '/logout', body: 'form', run: (ctx) => signOut(ctx, dependencies) },
  ];
}

function showLoginOrHome(ctx: RouteContext, dependencies: SignInDependencies): void {
  if (visitorOf(ctx) !== null) seeOther(ctx, homePath);
  else showLogin(ctx, dependencies, { status: 200, banner: null, email: '' });
}

function showLogin(
  ctx: RouteContext,
  { formGuard, ways }: SignInDependencies,
  { status, banner, email }: Readonly<{ status: number; banner: string | null; email: string }>,
): void {
  const hidden = { [formTokenField]: formGuard.tokenFor(ctx, 'login', []) };
  sendPage(
    ctx,
    status,
    loginPage({ action: '/login', clientName: null, email, banner, hidden, ways, providerHref: providerPath }),
  );
}

async function logIn(ctx: RouteContext, dependencies: SignInDependencies): Promise<void> {
  if (!dependencies.ways.passwords) return showLogin(ctx, dependencies, { ...passwordsOff, email: '' });
  const fields = formFields(ctx);
  const email = fieldOf(fields, 'email');
  if (!dependencies.formGuard.isGenuine(ctx, fieldOf(fields, formTokenField), 'login', [])) {
    return showLogin(ctx, dependencies, { ...staleForm, email });
  }
  const signedIn = await dependencies.passwordSignIn.run(ctx);
  if (!signedIn.ok) return showLogin(ctx, dependencies, { ...loginFailure(ctx, signedIn.failure), email });
  return seeOther(ctx, homePath);
}

function showSignOut(ctx: RouteContext, { formGuard }: SignInDependencies, stale: typeof staleForm | null): void {
  const caller = visitorOf(ctx);
  if (caller === null) {
    seeOther(ctx, signInPath);
    return;
  }
  const hidden = { [formTokenField]: formGuard.tokenFor(ctx, 'logout', signOutBinding(caller.user.id)) };
  const html = signOutPage({ email: caller.user.email, banner: stale?.banner ?? null, hidden });
  sendPage(ctx, stale?.status ?? 200, html);
}

async function signOut(ctx: RouteContext, dependencies: SignInDependencies): Promise<void> {
  const fields = formFields(ctx);
  const caller = visitorOf(ctx);
  if (caller === null) return forget(ctx);
  const binding = signOutBinding(caller.user.id);
  if (!dependencies.formGuard.isGenuine(ctx, fieldOf(fields, formTokenField), 'logout', binding)) {
    return showSignOut(ctx, dependencies, staleForm);
  }
  if (fieldOf(fields, 'everywhere') !== '') await dependencies.signOutEverywhere.run(caller.user.id);
  else await dependencies.signOut.run(caller.user);
  return forget(ctx);
}

function forget(ctx: RouteContext): void {
  clearSessionCookie(ctx);
  seeOther(ctx, signInPath);
}

function seeOther(ctx: RouteContext, path: string): void {
  ctx.status = 303;
  ctx.set('Location', path);
  ctx.body = '';
}
