import { renderTemplate, shownClientName } from '#adapters/http/answers/templates.ts';
import type { SignInWays } from '#adapters/http/sign-in/sign-in-ways.ts';

/** The data of the login page. `hidden` are the fields to carry on; a null banner shows none. */
type LoginPage = Readonly<{
  action: '/authorize' | '/login';
  /** The client that asks for access; null when users sign in for themselves. */
  clientName: string | null;
  email: string;
  banner: string | null;
  hidden: Readonly<Record<string, string>>;
  ways: SignInWays;
  /** Where the link to the identity provider leads. */
  providerHref: string;
}>;

/** Renders the login page with the client's name and, after a failed login, an error banner (AUTH-001, AUTH-005). */
export function loginPage(page: LoginPage): string {
  const clientName = page.clientName === null ? null : shownClientName(page.clientName);
  return renderTemplate('login', { ...page, clientName, hidden: Object.entries(page.hidden) });
}

/** The page that asks whether to sign out, here or everywhere. */
export function signOutPage(
  page: Readonly<{ email: string; banner: string | null; hidden: Readonly<Record<string, string>> }>,
): string {
  return renderTemplate('sign-out', { ...page, hidden: Object.entries(page.hidden) });
}
