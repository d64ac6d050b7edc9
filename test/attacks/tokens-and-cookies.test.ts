import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openTarget, type Target } from '#test/attacks/target.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import {
  accessToken,
  allow,
  authorizePath,
  callback,
  codeFor,
  exchange,
  type Registered,
  registered,
  vector,
} from '#test/support/authorization/auth-flow.ts';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { openWholeServer } from '#test/support/server/auth-server.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { signedInAt } from '#test/support/server/signed-in.ts';
import { sendJson } from '#test/support/server/whole-server.ts';

const metricsToken = 'the-token-of-the-scraper-long-enough';
const tokenOf = z.object({ access_token: z.string() });

let target: Target;
let person: PlainBrowser;
let client: Registered;
beforeAll(async () => {
  target = await openTarget({ METRICS_TOKEN: metricsToken });
  person = await signedInAt(target.origin, ada);
  client = await registered(target);
});
afterAll(async () => {
  expect(target.lines.filter(({ level }) => level === 'error')).toEqual([]);
  await target[Symbol.asyncDispose]();
});

const statusOf = async (path: string, headers: Readonly<Record<string, string>>): Promise<number> =>
  (await fetch(`${target.origin}${path}`, { redirect: 'manual', headers: { accept: 'application/json', ...headers } }))
    .status;

describe('a token of one purpose in place of another', () => {
  /** Every text that this server has made for somebody. */
  const texts: Readonly<Record<string, () => Promise<string>>> = {
    'a person’s cookie': async () => person.cookies.get('user') ?? '',
    'the guest’s cookie': async () => {
      const browser = new PlainBrowser(target);
      await browser.get('/set');
      return browser.cookies.get('user') ?? '';
    },
    'an app’s token': () => accessToken(target),
    'a token that reads': () =>
      grantToken(target.origin, person, { name: 'Reading', services: ['vault'], access: 'read' }),
    'a token from before grants': () => target.tokenOf(1),
    'the cookie that /set makes of a token': async () => {
      const browser = new PlainBrowser(target);
      browser.cookies.set('user', await accessToken(target));
      await browser.get('/set');
      return browser.cookies.get('user') ?? '';
    },
    'a code': () => codeFor(target, client),
    'a client’s secret': async () => client.client_secret,
    'a password link': async () => {
      const email = `linked${Math.random()}@example.com`;
      const { body } = await sendJson(target, person, ['POST', '/api/users', { email }]);
      return new URL(z.object({ link: z.string() }).parse(body).link).searchParams.get('link') ?? '';
    },
    'a form’s token': async () => hiddenFields(await (await person.get('/account')).text())['csrf_token'] ?? '',
    'the browser’s id': async () => person.cookies.get('portolan_browser') ?? '',
    'the mark of a known browser': async () => person.cookies.get('portolan_known') ?? '',
    'the token of the scraper': async () => metricsToken,
  };

  /** Whether a place takes a text for what belongs there. */
  const places: Readonly<Record<string, (text: string) => Promise<boolean>>> = {
    'the cookie of a person': async (text) => (await statusOf('/account', { cookie: `user=${text}` })) === 200,
    'a bearer token of a person': async (text) =>
      (await statusOf('/account', { authorization: `Bearer ${text}` })) === 200,
    'the cookie of a caller': async (text) => (await statusOf('/api/connections', { cookie: `user=${text}` })) === 200,
    'a bearer token of a caller': async (text) =>
      (await statusOf('/api/connections', { authorization: `Bearer ${text}` })) === 200,
    'a code at /token': async (text) =>
      (await exchange(target, { code: text, client_id: client.client_id })).status === 200,
    'a client’s secret at /token': async (text) => {
      const code = await codeFor(target, client);
      return (await exchange(target, { code, client_id: client.client_id, client_secret: text })).status === 200;
    },
    'a link at /welcome': async (text) =>
      (await new PlainBrowser(target).get(`/welcome?link=${encodeURIComponent(text)}`)).status === 200,
    'the token of a form': async (text) =>
      (await person.post('/account/time-zone', { csrf_token: text, zone: 'UTC' })).status === 303,
    'the bearer token of /metrics': async (text) =>
      (await statusOf('/metrics', { authorization: `Bearer ${text}` })) === 200,
    'the id of an MCP session': async (text) => {
      const headers = { 'mcp-session-id': text, 'content-type': 'application/json' };
      const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
      const { status } = await target.call('POST', '/message', { token: target.admin, headers, body });
      return status === 200;
    },
  };

  const callers = ['the cookie of a caller', 'a bearer token of a caller'];
  /** Where each text belongs. */
  const belongs: Readonly<Record<string, readonly string[]>> = {
    'a person’s cookie': ['the cookie of a person', ...callers],
    'the guest’s cookie': callers,
    'an app’s token': callers,
    'a token that reads': callers,
    'a token from before grants': callers,
    'the cookie that /set makes of a token': callers,
    'a code': ['a code at /token'],
    'a client’s secret': ['a client’s secret at /token'],
    'a password link': ['a link at /welcome'],
    'a form’s token': ['the token of a form'],
    'the browser’s id': [],
    'the mark of a known browser': [],
    'the token of the scraper': ['the bearer token of /metrics'],
  };

  it.each(Object.entries(texts))(
    'is refused: %s is accepted only for its own purpose (SESS-020, SESS-002)',
    async (name, make) => {
      const text = await make();
      expect(text).not.toBe('');
      const takers: string[] = [];
      for (const [place, takes] of Object.entries(places)) if (await takes(text)) takers.push(place);
      expect(takers.toSorted()).toEqual([...(belongs[name] ?? ['unknown'])].toSorted());
    },
  );
});

describe('an app that puts its token into the cookie', () => {
  it('gets a session from /set that ends with its access, and no page of its user (SESS-021, SESS-020)', async () => {
    const browser = new PlainBrowser(target);
    browser.cookies.set('user', await grantToken(target.origin, person, { name: 'Thief' }));
    await browser.get('/set');
    for (const path of ['/users', '/apps', '/account', '/deliveries', '/reactions', '/setup']) {
      expect([path, (await browser.get(path)).headers.get('location')]).toEqual([path, '/login']);
    }
    const invited = await sendJson(target, browser, ['POST', '/api/users', { email: 'x@example.com', admin: true }]);
    expect(invited.status).toBe(403);
    expect((await sendJson(target, browser, ['GET', '/api/connections'])).status).toBe(200);
    const { body } = await sendJson(target, person, ['GET', '/api/apps']);
    const { data } = z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) }).parse(body);
    const id = data.find(({ name }) => name === 'Thief')?.id;
    await sendJson(target, person, ['DELETE', `/api/apps/${id}`]);
    expect((await sendJson(target, browser, ['GET', '/api/connections'])).status).toBe(401);
    await browser.get('/set');
    expect(await (await browser.get('/floki/index')).text()).toContain('as a guest');
  });

  it('cannot consent for itself or for another app (SESS-020, AUTH-016)', async () => {
    const thief = new PlainBrowser(target);
    thief.cookies.set('user', await accessToken(target));
    const path = authorizePath({ client_id: client.client_id, redirect_uri: callback, state: 's' });
    const login = hiddenFields(await (await thief.get(path)).text());
    expect(login).not.toHaveProperty('decision');
    const posted = await thief.post('/authorize', { ...login, decision: 'allow' });
    expect([posted.status, posted.headers.get('location')]).toEqual([401, null]);
    // Nor with the form of a person’s own consent page.
    const consent = hiddenFields(await (await person.get(path)).text());
    const stolen = await thief.post('/authorize', { ...consent, decision: 'allow' });
    expect([stolen.status, stolen.headers.get('location')]).toEqual([401, null]);
  });

  it("cannot approve the calls of a reaction, with a person's form or without (SESS-020)", async () => {
    const token = await accessToken(target);
    const form = hiddenFields(await (await person.get('/approvals')).text());
    for (const headers of [{ authorization: `Bearer ${token}` }, { cookie: `user=${token}` }]) {
      const answer = await fetch(`${target.origin}/approvals/reaction:x`, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...headers, origin: target.origin },
        body: new URLSearchParams({ ...form, decision: 'allow' }),
      });
      expect(answer.status).toBe(403);
    }
  });
});

describe('an authorization code', () => {
  const challenged = { code_challenge: vector.challenge, code_challenge_method: 'S256' };
  const isValid = async (token: string) =>
    (await statusOf('/api/connections', { authorization: `Bearer ${token}` })) === 200;
  const used = async () => {
    const fields = { code: await codeFor(target, client, challenged), client_id: client.client_id };
    const answer = await exchange(target, { ...fields, code_verifier: vector.verifier });
    return { fields, token: tokenOf.parse(await answer.json()).access_token };
  };

  it('that is used again by another client revokes its token (CODE-011)', async () => {
    const other = await registered(target, { redirect_uris: [callback] });
    const strangers: readonly Readonly<Record<string, string>>[] = [
      { code_verifier: 'x'.repeat(43) },
      {},
      { code_verifier: vector.verifier, redirect_uri: `${callback}/x` },
      { code_verifier: vector.verifier, client_id: other.client_id },
      { code_verifier: vector.verifier, client_id: 'client_none' },
    ];
    for (const stranger of strangers) {
      const { fields, token } = await used();
      expect(await isValid(token)).toBe(true);
      expect((await exchange(target, { ...fields, ...stranger })).status).toBeGreaterThanOrEqual(400);
      expect([stranger, await isValid(token)]).toEqual([stranger, false]);
    }
  });

  it('that its client sends twenty times at once is exchanged for one token, which stays valid (CODE-004, CODE-012)', async () => {
    const code = await codeFor(target, client, challenged);
    const fields = { code, client_id: client.client_id, code_verifier: vector.verifier };
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(target, fields)));
    const given = answers.filter(({ status }) => status === 200);
    expect(given).toHaveLength(1);
    const token = tokenOf.parse(await given[0]?.json()).access_token;
    expect((await exchange(target, fields)).status).toBe(400);
    expect(await isValid(token)).toBe(true);
  });

  it('that was denied, or never issued, revokes nothing', async () => {
    const { token } = await used();
    const path = authorizePath({ client_id: client.client_id, redirect_uri: callback, state: 's' });
    await allow(target, path, 'deny');
    for (const code of ['code_none', '', 'x'.repeat(5_000), '\0']) {
      expect((await exchange(target, { code, client_id: client.client_id })).status).toBe(400);
    }
    expect(await isValid(token)).toBe(true);
  });
});

it.each(['on', 'off'])(
  'a server with the same secret accepts neither cookie nor token of another server, with metadata %s (SESS-022, SESS-027)',
  async (metadata) => {
    const shared = { SECRET_KEY_BASE: 'a secret that two servers share, long enough', OAUTH_METADATA: metadata };
    await using here = await openWholeServer(shared);
    await using there = await openWholeServer(shared);
    const cookie = `user=${(await signedInAt(here.origin, ada)).cookies.get('user')}`;
    const authorization = `Bearer ${await accessToken(here)}`;
    for (const headers of [{ cookie }, { authorization }]) {
      const statuses = [here, there].map(
        async ({ origin }) => (await fetch(`${origin}/openapi.json`, { headers })).status,
      );
      expect(await Promise.all(statuses)).toEqual([200, 401]);
    }
  },
);
