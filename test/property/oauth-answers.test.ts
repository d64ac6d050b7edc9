import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AuthApp, ada, openAuthApp } from '#test/support/authorization/auth-app.ts';
import {
  authorizePath,
  callback,
  codeFor,
  type Registered,
  registered,
  vector,
} from '#test/support/authorization/auth-flow.ts';
import { Wire, type WireAnswer } from '#test/support/authorization/auth-wire.ts';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { rounds } from '#test/support/form.ts';

/** How many cases each property runs; most of /token, where some answers are rare. */
const runs = {
  register: rounds(400, 2_500),
  authorizeGet: rounds(400, 2_500),
  authorizePost: rounds(400, 2_000),
  token: rounds(1_000, 3_000),
  credentials: rounds(400, 2_000),
};

let app: AuthApp;
let wire: Wire;
let client: Registered;
let code: string;
let sealed: string;
let forms: Readonly<{ cookie: string; login: Record<string, string>; consent: Record<string, string> }>;

beforeAll(async () => {
  app = await openAuthApp();
  wire = new Wire(app.origin);
  client = await registered(app, { client_name: 'Sextant', redirect_uris: [callback, 'https://app.example/cb?x=1'] });
  code = await codeFor(app, client, { code_challenge: vector.challenge, code_challenge_method: 'S256' });
  sealed = await app.ports.tokens.seal({ userId: 1, issuedAt: app.time.now });
  const browser = new PlainBrowser(app);
  const path = authorizePath({ client_id: client.client_id, redirect_uri: callback, state: 's' });
  const login = hiddenFields(await (await browser.get(path)).text());
  const consent = hiddenFields(await (await browser.post('/authorize', { ...login, ...ada })).text());
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  forms = { cookie, login, consent };
});
afterAll(async () => {
  wire.close();
  await app[Symbol.asyncDispose]();
});

/** Text that is plain, odd, or made to break parsers. */
const nasty = fc.constantFrom(
  '',
  ' ',
  '\0',
  '\r\nSet-Cookie: user=x',
  '%',
  '%00',
  '%zz',
  '\u202e',
  '\ud800',
  '😀',
  '../..',
  '__proto__',
  'constructor',
  '\'"><script>',
  'null',
  'x'.repeat(5_000),
);
const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), nasty);
const uri = fc.oneof(
  fc.constantFrom(
    callback,
    `${callback}?a=b`,
    `${callback}#x`,
    'http://127.0.0.1:9/callback',
    'http://localhost/callback',
    'http://localhost./callback',
    'http://127.0.0.1@evil.example/callback',
    'http://127.0.0.1:4567\\@evil.example/callback',
    'http://[::1]:1/callback',
    'https://app.example/cb?x=1',
    'https://app.example/cb?x=1&y=2',
    'https://evil.example/',
    '//evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'cursor://callback',
  ),
  fc.webUrl(),
  text,
);

const html = 'text/html; charset=utf-8';
const json = 'application/json; charset=utf-8';
const problem = z.strictObject({
  error: z.string().min(1),
  error_description: z.string(),
  reason: z.string().optional(),
});

/** The answer's JSON, which must be an error of OAuth's shape. */
function errorOf(answer: WireAnswer): z.output<typeof problem> {
  expect(answer.headers['content-type']).toBe(json);
  return problem.parse(JSON.parse(answer.body));
}

describe('any request to /register', () => {
  const member = fc.oneof(text, uri, fc.jsonValue(), fc.array(uri, { maxLength: 25 }));
  const body = fc.oneof(
    fc
      .record({ client_name: member, redirect_uris: member, scope: member }, { requiredKeys: [] })
      .map((value) => JSON.stringify(value)),
    fc.array(uri, { maxLength: 3 }).map((redirect_uris) => JSON.stringify({ redirect_uris })),
    fc.json(),
    text,
    fc.uint8Array({ maxLength: 200 }),
  );
  const type = fc.oneof(
    { arbitrary: fc.constant('application/json'), weight: 6 },
    fc.constantFrom(
      'text/plain',
      'application/json; charset=utf-16',
      'application/JSON;charset=UTF-8',
      '',
      'application/x-www-form-urlencoded',
    ),
  );
  const registration = z.strictObject({
    client_id: z.string().regex(/^client_[A-Za-z0-9_-]{32}$/),
    client_secret: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
    redirect_uris: z.array(z.string()),
    client_name: z.string().min(1).max(200),
    token_endpoint_auth_method: z.literal('client_secret_post'),
    grant_types: z.tuple([z.literal('authorization_code')]),
    response_types: z.tuple([z.literal('code')]),
  });

  it('gets 201 with the members of the interface, or 400 with one of two errors (REG-009)', async () => {
    const seen = new Set<number>();
    const check = async (sent: string | Uint8Array, contentType: string) => {
      const headers = { 'content-type': contentType };
      const answer = await wire.send({ method: 'POST', path: '/register', headers, body: sent });
      seen.add(answer.status);
      expect([201, 400]).toContain(answer.status);
      expect(answer.headers['cache-control']).toBe('no-store');
      if (answer.status === 400) {
        expect(['invalid_redirect_uri', 'invalid_client_metadata']).toContain(errorOf(answer).error);
        return;
      }
      const { redirect_uris } = registration.parse(JSON.parse(answer.body));
      for (const address of redirect_uris) {
        expect(address).toMatch(
          /^(?:https:\/\/|http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])[:/?]?|[a-z][a-z0-9+.-]*:)/i,
        );
        expect(address).not.toMatch(/^(?:javascript|data|vbscript|file|blob|about):|[#\s\\<>]|^[a-z]+:\/\/[^/?]*@/i);
      }
    };
    await fc.assert(fc.asyncProperty(body, type, check), { numRuns: runs.register });
    expect(seen).toEqual(new Set([201, 400]));
  });
});

/** Pairs as a query or form, in any order and as often as they come. */
const encoded = (pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`).join('&');

/** Most of the valid parameters, some replaced, some doubled: so that most cases come past the first check. */
function mutated(valid: () => Readonly<Record<string, string>>, names: readonly string[]) {
  const change = fc.record({
    name: fc.constantFrom(...names),
    value: fc.oneof(text, uri),
    do: fc.constantFrom('set', 'add', 'drop'),
  });
  return fc.array(change, { maxLength: 3 }).map((changes) => {
    const pairs = Object.entries(valid());
    return changes.reduce((rest, { name, value, do: how }) => {
      const kept = how === 'add' ? rest : rest.filter(([other]) => other !== name);
      return how === 'drop' ? kept : [...kept, [name, value] satisfies [string, string]];
    }, pairs);
  });
}

/** A redirect goes to an address that the client registered, with the state that came; anything else is a page of ours. */
function checkAuthorizeAnswer(answer: WireAnswer, statuses: readonly number[]): void {
  expect([302, ...statuses]).toContain(answer.status);
  expect(answer.headers['cache-control']).toBe('no-store');
  if (answer.status !== 302) {
    expect(answer.headers['location']).toBeUndefined();
    expect(answer.headers['content-type']).toBe(html);
    expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    // The only script there may be is our own, which copies commands.
    expect(answer.body.replace(/<script src="\/static\/portolan\.js\?v=[\w-]+" defer><\/script>/, '')).not.toContain(
      '<script',
    );
    return;
  }
  const location = String(answer.headers['location']);
  expect(location).toMatch(/^(?:http:\/\/127\.0\.0\.1:\d+\/callback\?|https:\/\/app\.example\/cb\?x=1&)/);
  expect(location).not.toMatch(/[\r\n\0]/);
  const answered = new URL(location).searchParams;
  expect(answered.has('code') || /^[a-z_]+$/.test(answered.get('error') ?? '')).toBe(true);
}

const parameterNames = [
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
  'response_type',
  'resource',
  'prompt',
  'decision',
];
const validRequest = () => ({
  client_id: client.client_id,
  redirect_uri: callback,
  state: 's',
  code_challenge: vector.challenge,
  code_challenge_method: 'S256',
});

describe('any request to /authorize', () => {
  it('gets a page of this server or a redirect to a registered address, with GET', async () => {
    const query = fc.oneof(
      {
        arbitrary: fc
          .constant(null)
          .chain(() => mutated(validRequest, parameterNames))
          .map(encoded),
        weight: 5,
      },
      fc.string({ unit: 'binary-ascii' }).map((value) => value.replaceAll(/[^\x21-\x7e]|#/g, '%')),
    );
    const seen = new Set<number>();
    const check = async (sent: string, isSignedIn: boolean) => {
      const headers: Record<string, string> = isSignedIn ? { cookie: forms.cookie } : {};
      const answer = await wire.send({ method: 'GET', path: `/authorize?${sent}`, headers });
      seen.add(answer.status);
      checkAuthorizeAnswer(answer, [200, 400]);
    };
    await fc.assert(fc.asyncProperty(query, fc.boolean(), check), { numRuns: runs.authorizeGet });
    expect(seen).toEqual(new Set([200, 302, 400]));
  });

  it('gets a code only for what the person saw and allowed, with POST', async () => {
    const names = [...parameterNames, 'csrf_token', 'email', 'password'];
    const sent = fc.oneof(
      mutatedLater(() => ({ ...forms.consent, decision: 'allow' }), names),
      mutatedLater(() => ({ ...forms.consent, decision: 'deny' }), names),
      mutatedLater(() => ({ ...forms.login, email: 'nobody@example.com', password: 'x' }), names),
      text,
    );
    const seen = new Set<number>();
    const check = async (body: string, hasCookie: boolean) => {
      const headers: Record<string, string> = {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'text/html',
      };
      if (hasCookie) headers['cookie'] = forms.cookie;
      const answer = await wire.send({ method: 'POST', path: '/authorize', headers, body });
      seen.add(answer.status);
      checkAuthorizeAnswer(answer, [200, 400, 401, 403]);
      const given = new URLSearchParams(body);
      // A request without a response type is one for a code.
      if (given.getAll('response_type').join('') === '') given.set('response_type', 'code');
      const isAsShown = Object.entries(forms.consent).every(
        ([name, value]) =>
          given
            .getAll(name)
            .filter((one) => one !== '')
            .join() === value,
      );
      if (String(answer.headers['location'] ?? '').includes('code=code_')) {
        expect([hasCookie, isAsShown, given.get('decision')]).toEqual([true, true, 'allow']);
      }
    };
    await fc.assert(fc.asyncProperty(sent, fc.boolean(), check), { numRuns: runs.authorizePost });
    expect(seen).toEqual(new Set([302, 400, 401, 403]));
  });
});

/** As `mutated`, for what is known only once the app is open. */
function mutatedLater(valid: () => Readonly<Record<string, string>>, names: readonly string[]) {
  return fc
    .constant(null)
    .chain(() => mutated(valid, names))
    .map(encoded);
}

describe('any request to /token', () => {
  const reasons: Readonly<Record<string, readonly [number, string]>> = {
    invalid_code: [400, 'invalid_grant'],
    expired_code: [400, 'invalid_grant'],
    invalid_client: [401, 'invalid_client'],
    invalid_redirect_uri: [400, 'invalid_grant'],
    invalid_code_verifier: [400, 'invalid_grant'],
  };
  const names = ['grant_type', 'code', 'client_id', 'redirect_uri', 'code_verifier', 'client_secret', 'resource'];
  // The verifier is wrong throughout: no mutation may ever make a token of it.
  const valid = () => ({
    grant_type: 'authorization_code',
    code,
    client_id: client.client_id,
    redirect_uri: callback,
    code_verifier: `${vector.verifier}x`,
  });

  it('gets an error of RFC 6749 with its reason, and never a token (TOKEN-008, TOKEN-011)', async () => {
    const sent = fc.oneof(
      { arbitrary: mutatedLater(valid, names), weight: 5 },
      text,
      fc.uint8Array({ maxLength: 200 }),
    );
    const authorization = fc.oneof(
      { arbitrary: fc.constant(null), weight: 4 },
      fc.base64String().map((value) => `Basic ${value}`),
      fc.string().map((value) => `Basic ${btoa(encodeURIComponent(value))}`),
      fc.constantFrom('Basic', 'Bearer x', 'basic Og==', 'Digest a="b"'),
    );
    const seen = new Set<string>();
    const check = async (body: string | Uint8Array, header: string | null) => {
      const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
      if (header !== null) headers['authorization'] = header;
      const answer = await wire.send({ method: 'POST', path: '/token', headers, body });
      expect(answer.headers['cache-control']).toBe('no-store');
      const { error, reason } = errorOf(answer);
      seen.add(reason ?? error);
      if (reason !== undefined) expect([answer.status, error]).toEqual(reasons[reason]);
      else
        expect([
          answer.status,
          ['invalid_request', 'unsupported_grant_type', 'invalid_target'].includes(error),
        ]).toEqual([400, true]);
    };
    await fc.assert(fc.asyncProperty(sent, authorization, check), { numRuns: runs.token });
    for (const word of [
      'invalid_code_verifier',
      'invalid_redirect_uri',
      'invalid_code',
      'invalid_client',
      'invalid_request',
    ]) {
      expect(seen).toContain(word);
    }
  });
});

describe('any cookie or bearer token', () => {
  // What Node's own client lets into a header; the rest is tried on raw connections.
  const header = fc
    .oneof(fc.string({ unit: 'binary-ascii' }), nasty)
    .map((value) => value.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, ''));
  const near = fc.nat(10_000).chain((seed) =>
    fc.constantFrom('cut', 'flip', 'double', 'swap').map((how) => (token: string) => {
      const at = seed % token.length;
      if (how === 'cut') return token.slice(0, at);
      if (how === 'flip') return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      return how === 'double' ? token + token.slice(at) : token.slice(at) + token.slice(0, at);
    }),
  );

  it('gets 401 as a page or JSON, unless it is the valid token (SESS-003)', async () => {
    const seen = new Set<number>();
    const value = fc.oneof(
      header.map((given) => () => given),
      near,
      fc.constant((token: string) => token),
    );
    const place = fc.constantFrom(
      (given: string) => ({ cookie: `user=${given}` }),
      (given: string) => ({ cookie: `a=b; user=${given}; c` }),
      (given: string) => ({ authorization: `Bearer ${given}` }),
      (given: string) => ({ authorization: `bearer   ${given}`, cookie: `user=${sealed}` }),
      (given: string) => ({ cookie: given }),
    );
    const check = async (
      make: (token: string) => string,
      put: (given: string) => Record<string, string>,
      wantsJson: boolean,
    ) => {
      const given = make(sealed);
      const headers = { accept: wantsJson ? 'application/json' : 'text/html', ...put(given) };
      const answer = await wire.send({ method: 'GET', path: '/floki/index', headers });
      seen.add(answer.status);
      // A flip in the last character of a base64url part may leave its bytes as they were: then it is the same token.
      const isToken =
        given.split(';')[0]?.trim() === sealed ||
        (await app.ports.tokens.open(given.split(';')[0]?.trim() ?? '')) !== null;
      if (answer.status === 200) {
        expect(isToken).toBe(true);
        return;
      }
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="portolan"/);
      if (wantsJson) expect(['invalid_token', 'unauthorized']).toContain(errorOf(answer).error);
      else expect(answer.body).toContain('<title>Authentication Required</title>');
    };
    await fc.assert(fc.asyncProperty(value, place, fc.boolean(), check), { numRuns: runs.credentials });
    expect(seen).toEqual(new Set([200, 401]));
  });
});
