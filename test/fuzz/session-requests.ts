import * as fc from 'fast-check';
import type { FuzzRequest } from '#test/fuzz/requests.ts';

/** Texts that a server has made, for requests that put them into each other's places. */
export type MadeTexts = Readonly<{
  /** The session cookie of the person: alone of all these it opens their pages. */
  personCookie: string;
  /** Tokens of apps, the guest's cookie, codes, client ids and secrets, form tokens. */
  others: readonly string[];
}>;

/** Reads where only a person may: no other session gets a success from them. */
const personOnly = [
  '/account',
  '/activity',
  '/activity.csv',
  '/audit',
  '/audit.csv',
  '/activity/note?path=A.md',
  '/apps',
  '/api/apps',
  '/api/switches',
  '/api/users',
  '/connect/tracker',
  '/connect/tracker/callback?code=x&state=x',
  '/deliveries',
  '/deliveries/1',
  '/deliveries/senders',
  '/reactions',
  '/setup',
  '/setup/tracker',
  '/tools/vault',
  '/users',
  '/users/1',
  '/users/1/delete',
] as const;
/** Changes where only a person may; they are sent with other sessions only. */
const personChanges = [
  ['PUT', '/api/switches', '{"off":["vault:*write"]}'],
  ['POST', '/api/users', '{"email":"fuzz@example.com","admin":true}'],
  ['PATCH', '/api/users/1', '{"active":false}'],
  ['DELETE', '/api/users/1', null],
  ['DELETE', '/api/users/1/connections/tracker', null],
  ['DELETE', '/api/apps/x', null],
  ['POST', '/disconnect', '{"service":"tracker"}'],
] as const;
const elsewhere = [
  '/set',
  '/login',
  '/logout',
  '/authorize',
  '/page',
  '/floki/index',
  '/metrics',
  '/openapi.json',
  '/api/connections',
  '/api/activity?of=all',
  '/message',
] as const;

/** Requests with texts that the server has made, in places where they belong and where they do not. */
export function sessionRequests({ personCookie, others }: MadeTexts): fc.Arbitrary<FuzzRequest> {
  const foreign = fc.oneof(
    { arbitrary: fc.constantFrom(...others), weight: 6 },
    { arbitrary: damaged(fc.constantFrom(personCookie, ...others)), weight: 3 },
    { arbitrary: fc.string({ maxLength: 40 }), weight: 1 },
  );
  // As a bearer token the cookie is an app's.
  const asBearer = fc.oneof(foreign, fc.constant(personCookie));
  const scheme = fc.constantFrom('Bearer', 'bearer', 'Bearer ', 'BEARER', 'Basic', 'Token');
  const credentials = fc.oneof(
    foreign.map((text) => ({ cookie: `user=${headerText(text)}` })),
    fc.tuple(scheme, asBearer).map(([word, text]) => ({ authorization: `${word} ${headerText(text)}` })),
    fc.tuple(asBearer, foreign).map(([bearer, cookie]) => ({
      authorization: `Bearer ${headerText(bearer)}`,
      cookie: `user=${headerText(cookie)}`,
    })),
    fc.tuple(foreign, foreign).map(([one, two]) => ({ cookie: `user=${headerText(one)}; user=${headerText(two)}` })),
    foreign.map((text) => ({ cookie: `a=${headerText(text)}; userx=${headerText(text)}` })),
  );
  const accept = fc.constantFrom('application/json', 'text/html', '*/*');
  const barredRead = fc
    .tuple(fc.constantFrom(...personOnly), credentials, accept)
    .map(([path, own, accepts]) => request('GET', path, { ...own, accept: accepts }, null, true));
  const barredChange = fc
    .tuple(fc.constantFrom(...personChanges), credentials)
    .map(([[method, path, body], own]) =>
      request(method, path, { ...own, 'content-type': 'application/json' }, body, true),
    );
  const open = fc
    .tuple(fc.constantFrom(...elsewhere), credentials, accept)
    .map(([path, own, accepts]) => request('GET', path, { ...own, accept: accepts }, null, false));
  const exchange = fc.tuple(foreign, foreign, asBearer).map(([code, id, secret]) => {
    const fields = { grant_type: 'authorization_code', code, client_id: id, client_secret: secret, redirect_uri: 'x' };
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return request('POST', '/token', type, new URLSearchParams(wellFormed(fields)).toString(), true);
  });
  return fc.oneof(
    { arbitrary: barredRead, weight: 4 },
    { arbitrary: barredChange, weight: 2 },
    { arbitrary: open, weight: 3 },
    { arbitrary: exchange, weight: 1 },
  );
}

function request(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | null,
  isBarred: boolean,
): FuzzRequest {
  return { kind: 'session', method, path, headers, body, isBarred };
}

/** A text with one character another. */
function damaged(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(text, fc.nat(), fc.constantFrom('A', 'z', '0', '-', '.', '=', '')).map(([whole, at, put]) => {
    const place = at % (whole.length + 1);
    const changed = `${whole.slice(0, place)}${put}${whole.slice(place + 1)}`;
    return changed === whole ? `${whole}x` : changed;
  });
}

/** What a header may carry of a text. */
function headerText(text: string): string {
  return text.replaceAll(/[^ -~]|[;,]/g, '');
}

function wellFormed(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.toWellFormed()]));
}
