import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transientStores } from '#bootstrap/stores/transient-stores.ts';
import { type AuthApp, ada, openAuthApp } from '#test/support/authorization/auth-app.ts';
import {
  allow,
  authorizePath,
  callback,
  codeFor,
  exchange,
  type Registered,
  register,
  registered,
  signIn,
  vector,
} from '#test/support/authorization/auth-flow.ts';
import { Wire } from '#test/support/authorization/auth-wire.ts';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { rounds } from '#test/support/form.ts';
import { livingHeap } from '#test/support/measures/heap.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';

const { clients } = transientStores({ isLimiting: false });
let server: WholeServer;
let client: Registered;
const web = 'https://app.example/cb';

beforeAll(async () => {
  server = await openWholeServer({ RATE_LIMITS: 'off' }, { clients });
  client = await registered(server, { client_name: 'Sextant', redirect_uris: [callback, web] });
});
afterAll(async () => {
  expect(server.lines.filter(({ level }) => level === 'error')).toEqual([]);
  await server[Symbol.asyncDispose]();
});

const request = (more: Readonly<Record<string, string | undefined>> = {}) =>
  authorizePath({ client_id: client.client_id, redirect_uri: callback, state: 'xyz', ...more });

describe('open redirects', () => {
  it.each([
    'https://evil.example/cb',
    'https://app.example.evil.example/cb',
    'https://app.example@evil.example/cb',
    'https://evil.example#@app.example/cb',
    'https://evil.example\\@app.example/cb',
    'https://app.example\\.evil.example/cb',
    'https:\\\\app.example/cb',
    'https://app.example/cb#fragment',
    'https://app.example/cb/',
    'https://app.example/cb/../../evil',
    'https://app.example/cb/%2e%2e/evil',
    'https://app.example/CB',
    'https://APP.example/cb',
    'https://app.example:443/cb',
    'https://app.example./cb',
    'https://app.example/cb?',
    'https://app.example/cb?x=1',
    'https://app.example/cb%0d%0aLocation:%20https://evil.example',
    'https://app.example/cb\r\nLocation: https://evil.example',
    'https://app.example/cb\0',
    ' https://app.example/cb',
    'https://app.example/cb ',
    'https%3A%2F%2Fapp.example%2Fcb',
    'http://app.example/cb',
    '//app.example/cb',
    '/cb',
    'https:app.example/cb',
    'https:///app.example/cb',
    'https://аpp.example/cb',
    'https://xn--pp-7kc.example/cb',
    'javascript:alert(1)//https://app.example/cb',
    'data:text/html,<script>location="https://evil.example"</script>',
    'http://127.0.0.1:4567/callback/..',
    'http://127.0.0.1:4567@evil.example/callback',
    'http://127.0.0.1.evil.example:4567/callback',
    'http://127.0.0.1.:4567/callback',
    'http://127.0.0.2:4567/callback',
    'http://127.1:4567/callback',
    'http://0x7f000001:4567/callback',
    'http://0:4567/callback',
    'http://localhost:4567/callback',
    'http://localhost.:4567/callback',
    'http://[::1]:4567/callback',
    'http://[::ffff:127.0.0.1]:4567/callback',
    'http://127.0.0.1:99999/callback',
    'http://127.0.0.1:-1/callback',
    'http://127.0.0.1:4567:80/callback',
    'https://127.0.0.1:4567/callback',
  ])('are impossible: %j gets a page, never a redirect (AUTH-009)', async (redirect_uri) => {
    const paths = [request({ redirect_uri }), request({ redirect_uri, response_type: 'token' })];
    for (const path of paths) {
      const answer = await new PlainBrowser(server).get(path);
      expect(answer.status).toBe(400);
      expect(answer.headers.get('location')).toBeNull();
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
  });

  it.each(['http://127.0.0.1:1/callback', 'http://127.0.0.1/callback', 'http://127.0.0.1:65535/callback'])(
    'do not include %s, which differs from the registered address by its port only',
    async (redirect_uri) => expect((await new PlainBrowser(server).get(request({ redirect_uri }))).status).toBe(200),
  );

  it.each([
    ['client_id', 'client_other'],
    ['redirect_uri', 'https://evil.example/'],
  ])('are impossible with a second %s, which gets a page (AUTH-024)', async (name, value) => {
    for (const path of [
      `${request()}&${name}=${encodeURIComponent(value)}`,
      `/authorize?${name}=${encodeURIComponent(value)}&${request().split('?')[1]}`,
    ]) {
      const answer = await new PlainBrowser(server).get(path);
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    }
  });

  it.each(['state', 'code_challenge', 'code_challenge_method', 'response_type', 'prompt'])(
    'a second %s is reported to the client, without a state that may be the wrong one (AUTH-024)',
    async (name) => {
      const once = request({ [name]: name === 'state' ? 'one' : 'code' });
      const answer = await new PlainBrowser(server).get(`${once}&${name}=two`);
      const answered = new URL(answer.headers.get('location') ?? '').searchParams;
      expect([answer.status, answered.get('error')]).toEqual([302, 'invalid_request']);
      expect(answered.get('state')).toBe(name === 'state' ? null : 'xyz');
    },
  );

  it('are impossible after a login, which leads home whatever the address says (EDGE-009)', async () => {
    const browser = new PlainBrowser(server);
    const path = '/login?next=https://evil.example&return_to=//evil.example&redirect=https://evil.example';
    const fields = hiddenFields(await (await browser.get(path)).text());
    const answer = await browser.post(path, { ...fields, ...ada, next: 'https://evil.example' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/floki/index']);
  });
});

describe('authorization codes', () => {
  const pkce = { code_challenge: vector.challenge, code_challenge_method: 'S256' };

  it('are useless to another client, with or without its secret', async () => {
    const thief = await registered(server);
    const code = await codeFor(server, client, pkce);
    const fields = { code, client_id: thief.client_id, code_verifier: vector.verifier };
    for (const secret of [{}, { client_secret: thief.client_secret }, { client_secret: client.client_secret }]) {
      const answer = await exchange(server, { ...fields, ...secret });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ reason: 'invalid_client' });
    }
  });

  it('survive guesses of the verifier, and can be redeemed once', async () => {
    const code = await codeFor(server, client, pkce);
    const fields = { code, client_id: client.client_id };
    const guesses = Array.from({ length: 200 }, (_, index) => String(index).padStart(43, 'a'));
    const answers = await Promise.all(guesses.map((code_verifier) => exchange(server, { ...fields, code_verifier })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
    const race = await Promise.all(
      Array.from({ length: 20 }, () => exchange(server, { ...fields, code_verifier: vector.verifier })),
    );
    expect(race.filter(({ status }) => status === 200)).toHaveLength(1);
    const reasons = await Promise.all(race.filter(({ status }) => status !== 200).map((answer) => answer.json()));
    expect(reasons).toEqual(
      Array(19).fill(expect.objectContaining({ error: 'invalid_grant', reason: 'invalid_code' })),
    );
  });

  it.each([
    ['plain', { code_challenge: vector.verifier, code_challenge_method: 'plain' }],
    ['s256 in lower case', { code_challenge: vector.challenge, code_challenge_method: 's256' }],
    ['an unknown method', { code_challenge: vector.challenge, code_challenge_method: 'S512' }],
    ['an empty challenge with a method', { code_challenge: '', code_challenge_method: 'S256' }],
    ['a padded challenge', { code_challenge: `${vector.challenge}=`, code_challenge_method: 'S256' }],
    ['a challenge of 42 characters', { code_challenge: vector.challenge.slice(1), code_challenge_method: 'S256' }],
  ])('are not requested with weakened PKCE: %s (AUTH-013)', async (_, weak) => {
    const answer = await new PlainBrowser(server).get(request(weak));
    expect(new URL(answer.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_request');
  });

  it.each([
    ['no verifier', {}],
    ['an empty one', { code_verifier: '' }],
    ['the challenge', { code_verifier: vector.challenge }],
    ['one cut short', { code_verifier: vector.verifier.slice(1) }],
    ['one that is too long', { code_verifier: vector.verifier + 'x'.repeat(100_000) }],
  ])('are not issued without the verifier of their challenge, given %s', async (_, wrong) => {
    const code = await codeFor(server, client, pkce);
    const answer = await exchange(server, { code, client_id: client.client_id, ...wrong });
    expect(await answer.json()).toMatchObject({ error: 'invalid_grant', reason: 'invalid_code_verifier' });
  });

  it('keep their challenge whatever the consent form sends', async () => {
    const browser = new PlainBrowser(server);
    const fields = hiddenFields(await (await signIn(browser, request(pkce))).text());
    const { code_challenge: _, code_challenge_method: __, ...without } = fields;
    for (const altered of [without, { ...fields, code_challenge: '' }, { ...fields, state: 'evil' }]) {
      const answer = await browser.post('/authorize', { ...altered, decision: 'allow' });
      expect(answer.headers.get('location') ?? '').not.toContain('code=');
      expect([302, 403]).toContain(answer.status);
    }
  });

  it('are not issued for a decision that was sent twice, or in other words', async () => {
    const browser = new PlainBrowser(server);
    const fields = new URLSearchParams(hiddenFields(await (await signIn(browser, request())).text()));
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    for (const decision of [
      'decision=deny&decision=allow',
      'decision=allow&decision=deny',
      'decision=ALLOW',
      'decision=',
      'decision[]=allow',
    ]) {
      const answer = await fetch(`${server.origin}/authorize`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
        body: `${fields.toString()}&${decision}`,
      });
      expect(answer.headers.get('location')).toBeNull();
    }
  });
});

describe('the session', () => {
  it('is not the one that was planted before the login', async () => {
    const guestOnly = new PlainBrowser(server);
    await guestOnly.get('/set');
    const planted = guestOnly.cookies.get('user') ?? '';
    const victim = new PlainBrowser(server);
    victim.cookies.set('user', planted);
    const fields = hiddenFields(await (await victim.get('/login')).text());
    await victim.post('/login', { ...fields, ...ada });
    expect(victim.cookies.get('user')).not.toBe(planted);
    expect(await (await guestOnly.get('/floki/index')).text()).toContain('as a guest');
  });

  it('of a guest can look around but change nothing (SESS-012)', async () => {
    const browser = new PlainBrowser(server);
    await browser.get('/set');
    const cookie = `user=${browser.cookies.get('user')}`;
    const call = (path: string, body: unknown) =>
      fetch(`${server.origin}${path}`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify(body),
      });
    const listed = await call('/message', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    expect(await listed.json()).toMatchObject({ result: { tools: [] } });
    const called = await call('/message', {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'vault_note_read', arguments: { path: 'a.md' } },
    });
    expect(JSON.stringify(await called.json())).toMatch(/error/i);
    const saved = await call('/save', { service: 'vault', auth_method: 'api_key', access_token: 'x' });
    expect(saved.status).toBe(403);
    expect((await browser.get('/api/vault/commands/')).status).toBe(403);
    const consent = await browser.get(request());
    expect(await consent.text()).toContain('name="password"');
  });

  it('is not ended by a link or an image on another site', async () => {
    const browser = new PlainBrowser(server);
    await signIn(browser, request());
    const user = browser.cookies.get('user');
    expect((await browser.get('/logout')).status).toBe(200);
    const forged = await browser.post('/logout', { everywhere: '1' }, { origin: 'https://evil.example' });
    expect(forged.status).toBe(403);
    expect(browser.cookies.get('user')).toBe(user);
    expect((await browser.get('/page')).status).toBe(200);
  });
});

describe('text from outside', () => {
  it.each([
    ['a script', '<script>alert(1)</script>'],
    ['an attribute', '" autofocus onfocus="alert(1)'],
    ['a template', '<%= process.env %>{{7*1428571}}#{7*1428571}'],
    ['an entity', '&lt;script&gt;'],
    ['a comment', '--><svg onload=alert(1)>'],
    ['the end of a title', '</title></strong></bdi><h1>Portolan'],
  ])('is shown as text on every page: %s (AUTH-021)', async (_, evil) => {
    const known = await registered(server, { client_name: evil, redirect_uris: [callback] });
    const browser = new PlainBrowser(server);
    const path = authorizePath({ client_id: known.client_id, redirect_uri: callback, state: evil });
    const login = await browser.get(path);
    const again = await browser.post('/authorize', {
      ...hiddenFields(await login.clone().text()),
      email: evil,
      password: 'x',
    });
    const consent = await signIn(browser, path);
    for (const answer of [login, again, consent]) {
      const page = await answer.text();
      expect(page).not.toContain(evil);
      expect(page).not.toMatch(/<(?:script|svg)|onfocus="|<h1>Portolan|9999997/);
      expect(hiddenFields(page)['state']).toBe(evil);
      expect(answer.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'self'; img-src 'self'; form-action/,
      );
    }
  });

  it.each([
    ['the other direction', 'Claude\u202e\u2066 edoC', 'Claude edoC'],
    ['nothing that shows', '\u200b\u3164\ufeff\u00ad', 'An app without a name'],
    ['marks piled up', `Z${'\u0300'.repeat(50)}algo`, 'Z\u0300\u0300algo'],
    ['line breaks', 'Claude\r\n\r\nPassword:', 'ClaudePassword:'],
    ['200 characters', 'x'.repeat(200), `${'x'.repeat(80)}…`],
  ])('is shown without deceiving anybody if a client name has %s', async (_, client_name, shown) => {
    const known = await registered(server, { client_name, redirect_uris: [callback] });
    const page = await (
      await new PlainBrowser(server).get(authorizePath({ client_id: known.client_id, redirect_uri: callback }))
    ).text();
    expect(/<bdi>([^<]*)<\/bdi>/.exec(page)?.[1]).toBe(shown);
  });

  it.each(['a\r\nSet-Cookie: user=evil', 'a%0d%0aX-Evil: 1', '\0', 'ü 🙂 \u2028', 'x'.repeat(4_096)])(
    'is returned unchanged in a state, and reaches no header: %j',
    async (state) => {
      const answer = await allow(server, request({ state }), 'deny');
      expect(new URL(answer.headers.get('location') ?? '').searchParams.get('state')).toBe(state);
      expect([...answer.headers.keys()]).not.toContain('x-evil');
      expect(answer.headers.getSetCookie().join()).not.toContain('evil');
    },
  );

  it('is refused in a state of more than 4,096 characters (AUTH-025)', async () => {
    const answer = await new PlainBrowser(server).get(request({ state: 'x'.repeat(4_097) }));
    expect(answer.headers.get('location')).toMatch(
      /^http:\/\/127\.0\.0\.1:4567\/callback\?error=invalid_request&error_description=/,
    );
  });
});

describe('guessing at the login', () => {
  it('gives no hint whether the e-mail or the password is wrong: status, headers, text, work (AUTH-005)', async () => {
    await using app = await openAuthApp();
    const work: (string | null)[] = [];
    const verify = app.ports.passwords.verify.bind(app.ports.passwords);
    app.ports.passwords.verify = async (hash, password) => {
      work.push(hash === null ? 'stand-in' : 'real');
      return verify(hash, password);
    };
    const [known, unknown] = [await failedLogin(app, ada.email), await failedLogin(app, 'ida@example.com')];
    expect(unknown).toEqual(known);
    expect(work).toEqual(['real', 'stand-in']);
  });

  it("does not lock out the user's own browser: another browser waits, this one recovers in time (AUTH-032)", async () => {
    await using app = await openAuthApp({ rateLimits: true, trustProxy: true });
    const [owner, attacker] = [new PlainBrowser(app), new PlainBrowser(app)];
    const logIn = async (browser: PlainBrowser, password: string, address: string) => {
      browser.cookies.delete('user');
      const fields = hiddenFields(await (await browser.get('/login')).text());
      return browser.post('/login', { ...fields, email: ada.email, password }, { 'x-forwarded-for': address });
    };
    expect((await logIn(owner, ada.password, '203.0.113.5')).status).toBe(303);
    for (let host = 1; host <= 30; host += 1) {
      for (let guess = 0; guess < 10; guess += 1) await logIn(attacker, `guess ${guess}`, `198.51.100.${host}`);
    }
    expect((await logIn(attacker, 'guess', '198.51.100.1')).status).toBe(429);
    expect((await logIn(owner, ada.password, '203.0.113.6')).status).toBe(303);
    const stopped = await logIn(owner, ada.password, '198.51.100.1');
    expect(stopped.status).toBe(429);
    const waitS = Number(stopped.headers.get('retry-after'));
    expect(waitS).toBeGreaterThan(0);
    expect(waitS).toBeLessThanOrEqual(900);
  });

  it.each([
    ['a name with spaces', ` ${ada.email} `],
    ['capitals', ada.email.toUpperCase()],
  ])('is counted for the same e-mail when it is written as %s', async (_, spelling) => {
    await using app = await openAuthApp({ rateLimits: true });
    for (let guess = 0; guess < 10; guess += 1) await failedLogin(app, guess % 2 === 0 ? spelling : ada.email);
    expect((await failedLogin(app, ada.email)).status).toBe(429);
  });

  it('is counted over /login and /authorize together', async () => {
    await using app = await openAuthApp({ rateLimits: true });
    for (let guess = 0; guess < 10; guess += 1) await failedLogin(app, ada.email);
    const { client_id } = await registered(app);
    expect((await signIn(new PlainBrowser(app), authorizePath({ client_id, redirect_uri: callback }))).status).toBe(
      429,
    );
  });

  it.each([
    ['an e-mail', { email: `${'x'.repeat(900_000)}@example.com`, password: 'x' }],
    ['a password', { email: ada.email, password: 'x'.repeat(900_000) }],
  ])('fails with %s of 900 kB', async (_, credentials) => {
    const browser = new PlainBrowser(server);
    const fields = hiddenFields(await (await browser.get('/login')).text());
    expect((await browser.post('/login', { ...fields, ...credentials })).status).toBe(401);
  });
});

/** The answer to a wrong password, without what differs by chance or by what was typed. */
async function failedLogin(app: AuthApp, email: string) {
  const browser = new PlainBrowser(app);
  const fields = hiddenFields(await (await browser.get('/login')).text());
  const answer = await browser.post('/login', { ...fields, email, password: 'wrong' });
  const { date: _, 'x-request-id': __, 'content-length': ___, ...headers } = Object.fromEntries(answer.headers);
  const text = (await answer.text()).replaceAll(email, 'EMAIL').replaceAll(/value="[A-Za-z0-9_-]{43}"/g, 'TOKEN');
  return { status: answer.status, headers, text };
}

describe('a flood of registrations', () => {
  it('keeps at most 10,000 clients, in bounded memory, including the one in use (REG-014)', async () => {
    const wire = new Wire(server.origin);
    const mine = await registered(server);
    const isKnown = async ({ client_id }: Registered) =>
      (await wire.send({ method: 'GET', path: authorizePath({ client_id, redirect_uri: callback }) })).status === 200;
    const early = await registered(server);
    const headers = { 'content-type': 'application/json' };
    const redirect_uris = [1, 2].map((number) => `https://app.example/${number}${'a'.repeat(1_900)}`);
    const flood = async (count: number, padding: string) => {
      const body = JSON.stringify({ client_name: 'n'.repeat(200), redirect_uris, padding });
      const lane = async (many: number) => {
        for (let index = 0; index < many; index += 1)
          await wire.send({ method: 'POST', path: '/register', headers, body });
      };
      await Promise.all(Array.from({ length: 8 }, () => lane(count / 8)));
    };
    // In the short form most of them are there already: kept as the server does, and registered by nobody.
    for (let id = 0; id < rounds(9_000, 0); id += 1)
      await clients.keep({ id: `client_${id}`, secret: 's', name: 'Sextant', redirectUris: [callback], createdAt: 0 });
    const before = await livingHeap();
    await flood(rounds(560, 5_600), '');
    expect(await isKnown(mine)).toBe(true);
    await flood(rounds(560, 5_600), '');
    await flood(80, 'p'.repeat(900_000));
    const grownMb = (await livingHeap()) / 1e6 - before / 1e6;
    expect(grownMb).toBeLessThan(rounds(30, 120));
    expect(await isKnown(mine)).toBe(true);
    expect(await isKnown(early)).toBe(false);
    expect((await register(server, {})).status).toBe(201);
    wire.close();
  });
});
