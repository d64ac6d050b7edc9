import { hiddenFields, type PlainBrowser } from '#test/support/authorization/plain-browser.ts';

/** The choices on the consent page; without services and access the form's defaults are kept. */
export type Wanted = Readonly<{ name: string; services?: readonly string[]; access?: 'read' | 'change'; ask?: string }>;

const redirectUri = 'http://127.0.0.1:8123/callback';

/** Gets an access token as an app does: registers a client, consents in the user's browser, and exchanges the code. */
export async function grantToken(
  origin: string,
  browser: PlainBrowser,
  { name, services, access, ask }: Wanted,
): Promise<string> {
  const registered = await fetch(`${origin}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: name, redirect_uris: [redirectUri] }),
  });
  const { client_id: clientId } = (await registered.json()) as { client_id: string };
  const query = new URLSearchParams({ client_id: clientId, redirect_uri: redirectUri, response_type: 'code' });
  const consent = await (await browser.get(`/authorize?${query.toString()}`)).text();
  const form = new URLSearchParams({ ...hiddenFields(consent), decision: 'allow' });
  for (const service of services ?? []) form.append('services', service);
  if (access !== undefined) form.append('access', access);
  if (ask !== undefined) form.append('ask', ask);
  const decided = await browser.post('/authorize', form);
  const code = new URL(decided.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const exchanged = await fetch(`${origin}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      client_id: clientId,
      redirect_uri: redirectUri,
    }),
  });
  const { access_token: token } = (await exchanged.json()) as { access_token: string };
  return token;
}
