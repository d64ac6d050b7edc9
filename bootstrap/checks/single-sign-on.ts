import { OpenIdProvider } from '#adapters/oidc/openid-provider.ts';
import { type Finding, good, look } from '#bootstrap/checks/finding.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';

/** Checks whether the identity provider answers, and says what people can sign in with. */
export async function checkSingleSignOn({ oidc, PASSWORDS, BASE_URL, PORT }: Settings): Promise<Finding> {
  if (oidc === null) return good('Sign-in of people: by password; OIDC_ISSUER adds single sign-on');
  const redirectUri = `${BASE_URL ?? `http://localhost:${PORT}`}/login/oidc/callback`;
  const http = new HttpClient();
  const settings = { ...oidc, readsGroups: oidc.rules.length > 0, redirectUri };
  const provider = new OpenIdProvider({ settings, http, clock: systemClock });
  // Only what is asked at the provider before a sign-in; nothing is sent that it keeps.
  const begun = await provider.begin({ state: 's', nonce: 'n', codeVerifier: 'v' }, { asksWho: false });
  http.close();
  const ways = `Sign-in of people: single sign-on at ${provider.host}${PASSWORDS ? ' and by password' : ' only'}`;
  if (begun.ok) return good(`${ways}; its callback is ${redirectUri}`);
  const next = 'check OIDC_ISSUER, and that this machine reaches it; the server starts all the same';
  return look(`${ways}. ${begun.failure.message}`, next);
}
