import { hiddenFields, type PlainBrowser } from '#test/support/authorization/plain-browser.ts';

/** The choices on the consent page; without services, access and levels the form's defaults are kept. */
export type Wanted = Readonly<{
  name: string;
  services?: readonly string[];
  access?: 'read' | 'change';
  levels?: Readonly<Record<string, string>>;
  ask?: string;
}>;

const redirectUri = 'http://127.0.0.1:8123/callback';

/** Gets an access token as an app does: registers a client, consents in the user's browser, and exchanges the code. */
export async function grantToken(
  origin: string,
  browser: PlainBrowser,
  { name, services, access, levels, ask }: Wanted,
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
  for (const [service, level] of Object.entries(levels ?? {})) form.append(`access_${service}`, level);
  if (services !== undefined || access !== undefined) {
    for (const service of offeredOn(consent)) {
      const isChosen = services?.includes(service) ?? true;
      form.append(`access_${service}`, isChosen ? (access === 'read' ? 'read' : 'full') : 'off');
    }
  }
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

/** The services that a consent page offers. */
export function offeredOn(consent: string): readonly string[] {
  return [...consent.matchAll(/name="access_(\w+)" value="off"/g)].map(([, service = '']) => service);
}
