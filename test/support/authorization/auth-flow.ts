import { z } from 'zod';
import { type AuthApp, ada } from '#test/support/authorization/auth-app.ts';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';

/** What a flow needs of a server, be it the edge alone or the whole. */
export type Reachable = Pick<AuthApp, 'origin'>;

/** RFC 7636 appendix B. */
export const vector = {
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
};

export const callback = 'http://127.0.0.1:4567/callback';

/** A registered client as /register answers it. */
export type Registered = Readonly<z.output<typeof registeredSchema>>;

const registeredSchema = z.object({
  client_id: z.string(),
  client_secret: z.string(),
  redirect_uris: z.array(z.string()),
});

export async function register(app: Reachable, body: unknown = { redirect_uris: [callback] }): Promise<Response> {
  return fetch(`${app.origin}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

export async function registered(app: Reachable, body?: unknown): Promise<Registered> {
  return registeredSchema.parse(await (await register(app, body)).json());
}

/** The address of an authorization request; an undefined parameter is left out. */
export function authorizePath(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/authorize?${new URLSearchParams(given).toString()}`;
}

/** Signs Ada in on the login page of an authorization request; the answer is the consent page. */
export async function signIn(browser: PlainBrowser, path: string, password = ada.password): Promise<Response> {
  const page = await browser.get(path);
  return browser.post('/authorize', { ...hiddenFields(await page.text()), email: ada.email, password });
}

/** Goes through sign-in and consent; the answer is the redirect to the client. */
export async function allow(app: Reachable, path: string, decision: 'allow' | 'deny' = 'allow'): Promise<Response> {
  const browser = new PlainBrowser(app);
  const consent = await signIn(browser, path);
  return browser.post('/authorize', { ...hiddenFields(await consent.text()), decision });
}

/** The level that is allowed for a service of which the consent page has chosen another. */
export type Ticked = (service: string, level: string) => string;

/** Goes through sign-in and consent with what the page has ticked, as `kept` leaves it; what comes back to the client. */
export async function allowAsTicked(
  app: Reachable,
  path: string,
  kept: Ticked = (_, level) => level,
): Promise<URLSearchParams> {
  const browser = new PlainBrowser(app);
  const html = await (await signIn(browser, path)).text();
  const form = new URLSearchParams({ ...hiddenFields(html), decision: 'allow' });
  for (const [, service = '', level = ''] of html.matchAll(/name="access_(\w+)" value="(\w+)" checked/g)) {
    form.append(`access_${service}`, kept(service, level));
  }
  const answer = await browser.post('/authorize', form);
  return new URL(answer.headers.get('location') ?? '').searchParams;
}

/** A code, got by the whole way through. */
export async function codeFor(
  app: Reachable,
  client: Registered,
  extra: Readonly<Record<string, string | undefined>> = {},
): Promise<string> {
  const path = authorizePath({ client_id: client.client_id, redirect_uri: callback, state: 's', ...extra });
  const location = (await allow(app, path)).headers.get('location') ?? '';
  return new URL(location).searchParams.get('code') ?? '';
}

export async function exchange(
  app: Reachable,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${app.origin}/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ grant_type: 'authorization_code', redirect_uri: callback, ...fields }),
  });
}

/** An access token for Ada, got by the whole way through. */
export async function accessToken(app: Reachable): Promise<string> {
  const client = await registered(app);
  const code = await codeFor(app, client);
  const answer = await exchange(app, { code, client_id: client.client_id });
  return z.object({ access_token: z.string() }).parse(await answer.json()).access_token;
}
