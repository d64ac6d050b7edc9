import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { personalToken, type SalesCrmEmulator, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { app } from '#test/emulators/sales-crm/oauth.ts';
import { type SigningEmulator, startSigningEmulator } from '#test/emulators/signing/emulator.ts';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { formOf, sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

type Query = Readonly<Record<string, string>>;

describe('connections, on a whole server', () => {
  let crm: SalesCrmEmulator;
  let signing: SigningEmulator;
  let server: WholeServer;
  let browser: PlainBrowser;

  beforeEach(async () => {
    crm = await startSalesCrmEmulator({ dialect: 'neutral', retryWaitsMs: [] });
    signing = await startSigningEmulator({ dialect: 'neutral', clients: { portolan: 'app-secret' } });
    server = await startWholeServer({ ...settingsFor(crm, 'neutral'), SIGNING_URL: signing.url });
    browser = await server.signedIn();
  });

  afterEach(async () => {
    await server[Symbol.asyncDispose]();
    await crm.close();
    await signing.close();
  });

  const json = (method: string, path: string, body?: unknown) => sendJson(server, browser, [method, path, body]);
  const connectionOf = async (service: string) => {
    const { body } = await json('GET', '/api/connections');
    const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : null;
    return Array.isArray(data) ? (data.find((connection) => connection.service === service) ?? null) : null;
  };
  /** To the provider and, with its consent, to the address that it sends the browser back to. */
  const consented = async (path = '/connect/sales_crm'): Promise<URL> => {
    const begun = await browser.get(path);
    expect(begun.status).toBe(302);
    const consent = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
    return new URL(consent.headers.get('location') ?? '');
  };
  const comeBack = (back: URL, with_: PlainBrowser = browser) => with_.get(`${back.pathname}${back.search}`);
  const connect = async () => {
    const back = await comeBack(await consented());
    expect([back.status, back.headers.get('location')]).toEqual([303, '/page#sales_crm']);
  };
  const page = async () => (await browser.get('/page')).text();

  it('receive the plan and the seats through a form of the page, which leads to OAuth', async () => {
    const html = await page();
    expect(html).toMatch(/<form method="get" action="\/connect\/sales_crm"[\s\S]*name="plan"[\s\S]*name="seats"/);
    const begun = await browser.get('/connect/sales_crm?form=1&plan=growth&seats=10');
    expect(begun.status).toBe(200);
    const address = /^0; url=(.+)$/.exec(begun.headers.get('refresh') ?? '')?.[1] ?? '';
    expect(await begun.text()).toContain('Continue to the Sales CRM');
    const consent = await fetch(address, { redirect: 'manual' });
    const back = await comeBack(new URL(consent.headers.get('location') ?? ''));
    expect(back.status).toBe(303);
    expect((await browser.get('/connect/sales_crm?form=1&plan=&seats=')).status).toBe(200);
    const wrong = await browser.get('/connect/sales_crm?seats=many');
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('seats')]);
  });

  it.each(['neutral', 'pipedrive'] as const)(
    'connect the sales CRM by OAuth, call it over REST and MCP, and disconnect it, %s (CONN-004, CONN-006, CONN-007, OP-001, REST-002)',
    async (dialect) => {
      await server[Symbol.asyncDispose]();
      await crm.close();
      crm = await startSalesCrmEmulator({ dialect, retryWaitsMs: [] });
      server = await startWholeServer(settingsFor(crm, dialect));
      browser = await server.signedIn();
      crm.records.create('deal', { title: 'Acme' });
      expect(await json('GET', '/api/sales_crm/deals')).toMatchObject({
        status: 409,
        body: { reason: 'not_connected' },
      });
      await connect();
      expect(await connectionOf('sales_crm')).toEqual({
        service: 'sales_crm',
        auth_method: 'oauth',
        scope: expect.stringContaining('deals:full'),
        state: 'connected',
        expires_at: expect.any(Number),
        since: expect.any(Number),
        reason: null,
      });
      const list = await json('GET', '/api/sales_crm/deals');
      expect(list).toMatchObject({ status: 200, body: { data: [{ title: 'Acme' }] } });
      const call = { name: 'sales_crm_deals_list', arguments: {} };
      const tool = await json('POST', '/message', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
      expect(JSON.stringify(tool.body)).toContain('Acme');
      expect(await json('POST', '/disconnect', { service: 'sales_crm' })).toEqual({
        status: 200,
        body: { service: 'sales_crm', state: 'disconnected', revoked: false },
      });
      expect(await connectionOf('sales_crm')).toBeNull();
      expect(await json('GET', '/api/sales_crm/deals')).toMatchObject({
        status: 409,
        body: { reason: 'not_connected' },
      });
      expect(await json('POST', '/disconnect', { service: 'sales_crm' })).toMatchObject({ status: 409 });
    },
  );

  describe('the vendor’s report that the app was removed', () => {
    const report = (credentials: string | null, service = 'sales_crm') => {
      const basic = `Basic ${Buffer.from(credentials ?? '').toString('base64')}`;
      const body = JSON.stringify({ client_id: app.clientId, company_id: 1, user_id: 2 });
      const headers = { 'Content-Type': 'application/json', ...(credentials === null ? {} : { Authorization: basic }) };
      return fetch(`${server.origin}/connect/${service}/callback`, { method: 'DELETE', headers, body });
    };
    const stateOf = async () => (await connectionOf('sales_crm'))?.state;

    const restart = async (dialect: 'neutral' | 'pipedrive') => {
      await server[Symbol.asyncDispose]();
      await crm.close();
      crm = await startSalesCrmEmulator({ dialect, retryWaitsMs: [] });
      server = await startWholeServer(settingsFor(crm, dialect));
      browser = await server.signedIn();
      await connect();
    };

    it('marks the connection at once, if it has lost its access (CONN-027)', async () => {
      await restart('pipedrive');
      expect((await report(`${app.clientId}:${app.clientSecret}`)).status).toBe(204);
      await vi.waitFor(() => expect(crm.grants.asked).toBe(1));
      expect(await stateOf()).toBe('connected');
      crm.grants.revoke();
      expect((await report(`${app.clientId}:${app.clientSecret}`)).status).toBe(204);
      await vi.waitFor(async () => expect(await stateOf()).toBe('reconnect'), { timeout: 20_000 });
    });

    it('is 401 with other credentials and tests nothing (CONN-027)', async () => {
      await restart('pipedrive');
      crm.grants.revoke();
      const { length } = crm.requests;
      for (const credentials of [
        null,
        '',
        ':',
        `${app.clientId}:`,
        `${app.clientId}:${app.clientSecret}x`,
        `x:${app.clientSecret}`,
      ]) {
        expect((await report(credentials)).status).toBe(401);
      }
      for (const service of ['signing', 'vault', 'nothing', '__proto__']) {
        expect((await report(`${app.clientId}:${app.clientSecret}`, service)).status).toBe(401);
      }
      expect([crm.requests.length, await stateOf()]).toEqual([length, 'connected']);
    });

    it('is 401 where providers do not report it (CONN-027)', async () => {
      await connect();
      expect((await report(`${app.clientId}:${app.clientSecret}`)).status).toBe(401);
    });
  });

  describe('the callback from the provider', () => {
    it('is accepted once (CONN-005)', async () => {
      const back = await consented();
      expect((await comeBack(back)).status).toBe(303);
      const replay = await comeBack(back);
      expect(replay.status).toBe(400);
      expect(await replay.text()).toContain('was used before');
    });

    it('is accepted only in the browser that started it (CONN-004, CONN-005)', async () => {
      const back = await consented();
      expect((await comeBack(back, await server.signedIn())).status).toBe(400);
      expect(await connectionOf('sales_crm')).toBeNull();
    });

    it('is accepted only for the user that started it (CONN-005)', async () => {
      const back = await consented();
      const guest = await fetch(`${server.origin}/set`);
      const cookie = guest.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const planted = [...browser.cookies].filter(([name]) => name !== 'user').map((pair) => pair.join('='));
      const headers = { cookie: [cookie, ...planted].join('; ') };
      const answer = await fetch(`${server.origin}${back.pathname}${back.search}`, { headers, redirect: 'manual' });
      expect(answer.status).toBe(403);
      expect(await connectionOf('sales_crm')).toBeNull();
    });

    it.each<[string, Query]>([
      ['a forged state', { state: 'forged', code: 'x' }],
      ['no state', { code: 'x' }],
    ])('is refused with %s', async (_, query) => {
      const answer = await browser.get(`/connect/sales_crm/callback?${new URLSearchParams(query).toString()}`);
      expect(answer.status).toBe(400);
      expect(crm.grants.given.exchanges).toBe(0);
    });

    it('is refused at another service', async () => {
      const back = await consented();
      expect((await browser.get(`/connect/signing/callback${back.search}`)).status).toBe(400);
    });

    it('reports that the provider denied access, without repeating its words', async () => {
      const back = await consented();
      const state = back.searchParams.get('state') ?? '';
      const query = new URLSearchParams({ state, error: 'access_denied', error_description: '<b>call 555</b>' });
      const answer = await browser.get(`/connect/sales_crm/callback?${query.toString()}`);
      expect(answer.status).toBe(400);
      const text = await answer.text();
      expect(text).toContain('gave no access');
      expect(text).not.toContain('555');
    });

    it('reports the code of another error, and no text that a link may contain (CONN-023)', async () => {
      const back = await consented();
      const state = back.searchParams.get('state') ?? '';
      const query = new URLSearchParams({ state, error: 'invalid_scope', error_description: 'call 555' });
      const text = await (await browser.get(`/connect/sales_crm/callback?${query.toString()}`)).text();
      expect(text).toContain('It said: &quot;invalid_scope&quot;');
      expect(text).not.toContain('555');
    });

    it.each(['neutral', 'pipedrive'] as const)(
      'names the settings of an app that the provider does not know, on the page and in the log, %s (CONN-023)',
      async (dialect) => {
        await server[Symbol.asyncDispose]();
        await crm.close();
        crm = await startSalesCrmEmulator({ dialect, retryWaitsMs: [] });
        server = await startWholeServer({ ...settingsFor(crm, dialect), SALES_CRM_CLIENT_SECRET: 'another-secret' });
        browser = await server.signedIn();
        const answer = await comeBack(await consented());
        expect(answer.status).toBe(502);
        for (const text of [await answer.text(), server.log()]) {
          expect(text).toContain('invalid_client');
          expect(text).toContain('SALES_CRM_CLIENT_ID and SALES_CRM_CLIENT_SECRET');
          expect(text).not.toContain('another-secret');
        }
      },
    );

    it('leaves the old connection unchanged with a code that the provider refuses', async () => {
      await connect();
      const before = await connectionOf('sales_crm');
      const back = await consented();
      back.searchParams.set('code', 'another');
      const answer = await comeBack(back);
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('refused the code');
      expect(await connectionOf('sales_crm')).toEqual(before);
      expect(await json('GET', '/api/sales_crm/deals')).toMatchObject({ status: 200 });
    });

    it('leaves the old connection unchanged with tokens that the provider then refuses', async () => {
      await connect();
      const before = await connectionOf('sales_crm');
      const back = await consented();
      crm.failNext({ status: 401 });
      const answer = await comeBack(back);
      expect(answer.status).toBe(400);
      expect(await connectionOf('sales_crm')).toEqual(before);
      expect(await json('GET', '/api/sales_crm/deals')).toMatchObject({ status: 200 });
    });

    it('makes the connection `unchecked` if the tokens could not be tested, and connected after the first successful call', async () => {
      const back = await consented();
      crm.failNext({ status: 503, times: 2 });
      expect((await comeBack(back)).status).toBe(303);
      expect(await connectionOf('sales_crm')).toMatchObject({ state: 'unchecked', reason: expect.any(String) });
      expect(await json('GET', '/api/sales_crm/deals')).toMatchObject({ status: 200 });
      expect(await connectionOf('sales_crm')).toMatchObject({ state: 'connected', reason: null });
    });
  });

  describe('GET /connect/{service}', () => {
    it('returns 401 without a session and 404 for an unknown service', async () => {
      expect((await fetch(`${server.origin}/connect/sales_crm`, { redirect: 'manual' })).status).toBe(401);
      expect((await browser.get('/connect/elsewhere')).status).toBe(404);
      expect((await browser.get('/connect/elsewhere/callback')).status).toBe(404);
    });

    it('shows what an administrator sets if the server has no app (CONN-019)', async () => {
      const answer = await browser.get('/connect/signing');
      expect(answer.status).toBe(409);
      expect(await answer.text()).toContain('SIGNING_CLIENT_ID');
    });

    it('does not start if another site sent the browser here', async () => {
      const answer = await browser.get('/connect/sales_crm', { 'sec-fetch-site': 'cross-site' });
      expect([answer.status, answer.headers.get('location')]).toEqual([403, null]);
    });

    it('refuses an invalid choice', async () => {
      const answer = await browser.get('/connect/sales_crm?company_domain=evil.example%2F');
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('company_domain');
    });

    it('requires permission for the service, which a guest is informed of', async () => {
      const set = await fetch(`${server.origin}/set`);
      const headers = { cookie: set.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
      const answer = await fetch(`${server.origin}/connect/sales_crm`, { headers, redirect: 'manual' });
      expect(answer.status).toBe(403);
    });
  });

  describe('POST /save', () => {
    const key = { service: 'sales_crm', auth_method: 'personal_token', access_token: personalToken };

    it('tests the credentials, and stores them if they work (CONN-002)', async () => {
      const saved = await json('POST', '/save', { ...key, extra: { plan: 'growth' } });
      expect(saved).toEqual({ status: 200, body: { service: 'sales_crm', state: 'connected', checked: true } });
      expect(await json('GET', '/api/sales_crm/deals')).toMatchObject({ status: 200 });
    });

    it('does not store refused credentials, and keeps the old ones (CONN-003)', async () => {
      await json('POST', '/save', key);
      const refused = await json('POST', '/save', { ...key, access_token: 'wrong-token' });
      expect(refused).toMatchObject({ status: 422, body: { reason: 'unauthorized' } });
      expect(await json('GET', '/api/sales_crm/deals')).toMatchObject({ status: 200 });
    });

    it('stores credentials that could not be tested as `unchecked` (CONN-003)', async () => {
      crm.failNext({ status: 503, times: 2 });
      const saved = await json('POST', '/save', key);
      expect(saved).toEqual({ status: 200, body: { service: 'sales_crm', state: 'unchecked', checked: false } });
    });

    it.each<[string, Readonly<Record<string, unknown>>, string]>([
      ['an unknown service', { service: 'mail' }, '`service` must be one of "sales_crm"'],
      ['an unknown method', { auth_method: 'password' }, '`auth_method` must be one of "oauth"'],
      ['no token', { access_token: ' ' }, '`access_token` must not be empty'],
      ['a token that no header can carry', { access_token: 'a\nb' }, '`access_token` must be printable ASCII'],
      ['a method that the service does not have', { auth_method: 'api_key' }, 'Right is: personal_token'],
      ['a service without keys', { service: 'suite_crm' }, 'It is connected by OAuth only'],
      ['metadata that is no object', { extra: 'x' }, '`extra` must be an object'],
      ['metadata that does not fit', { extra: { company_domain: 'a.b' } }, 'company_domain'],
    ])('refuses %s (SUITE-007, CONN-014)', async (_, change, said) => {
      const answer = await json('POST', '/save', { ...key, ...change });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(JSON.stringify(answer.body)).toContain(said.replaceAll('"', '\\"'));
      expect(await connectionOf('sales_crm')).toBeNull();
    });

    it('stores no flag that only the server sets, whoever sends it', async () => {
      const wanted = { base_url: signing.url, verify_ssl: false, embedded: true, from_settings: true };
      const vault = { service: 'vault', auth_method: 'api_key', access_token: 'key' };
      await json('POST', '/save', { ...vault, extra: { ...wanted, base_url: 'http://127.0.0.1:1' } });
      // A connection of the settings is written again at a start; a user's own is left alone.
      await server.stop();
      server = await startWholeServer({}, server.dataDir);
      browser = await server.signedIn();
      expect(await json('GET', '/api/vault/commands/')).toMatchObject({ status: 502, body: { reason: 'unavailable' } });
    });

    it.each(['ftp://127.0.0.1', 'javascript:alert(1)', 'nothing'])('refuses the vault address %s', async (base_url) => {
      const vault = { service: 'vault', auth_method: 'api_key', access_token: 'key', extra: { base_url } };
      expect(await json('POST', '/save', vault)).toMatchObject({ status: 400, body: { reason: 'invalid_input' } });
    });
  });

  describe('the forms on /page', () => {
    it('connect with a key, test and disconnect (CONN-002)', async () => {
      const fields = formOf(await page(), '/save', 'sales_crm');
      const saved = await browser.post('/save', { ...fields, access_token: personalToken, plan: '' });
      expect([saved.status, saved.headers.get('location')]).toEqual([303, '/page#sales_crm']);
      const connected = await page();
      expect(connected).toContain('A personal token');
      expect(connected).not.toContain(personalToken);
      const tested = await browser.post(
        '/connections/sales_crm/test',
        formOf(connected, '/connections/sales_crm/test', 'sales_crm'),
      );
      expect(tested.status).toBe(200);
      expect(await tested.text()).toContain('The Sales CRM works');
      const gone = await browser.post('/disconnect', formOf(connected, '/disconnect', 'sales_crm'));
      expect(gone.status).toBe(303);
      expect(await connectionOf('sales_crm')).toBeNull();
    });

    it.each([
      ['/save', '/save'],
      ['/disconnect', '/disconnect'],
      ['/connections/sales_crm/test', '/connections/sales_crm/test'],
    ])(
      'refuse %s without its token, in another browser, and with the token of another form (PAGE-003)',
      async (action) => {
        await json('POST', '/save', {
          service: 'sales_crm',
          auth_method: 'personal_token',
          access_token: personalToken,
        });
        const html = await page();
        const { csrf_token: token = '', ...rest } = formOf(html, action, 'sales_crm');
        const others = ['/save', '/disconnect', '/connections/sales_crm/test'].filter((other) => other !== action);
        for (const other of others) {
          const foreign = formOf(html, other, 'sales_crm')['csrf_token'] ?? '';
          expect((await browser.post(action, { ...rest, csrf_token: foreign })).status).toBe(403);
        }
        expect((await browser.post(action, rest)).status).toBe(403);
        const stranger = await server.signedIn();
        expect((await stranger.post(action, { ...rest, csrf_token: token })).status).toBe(403);
        const fromAfar = { origin: 'https://evil.example' };
        expect((await browser.post(action, { ...rest, csrf_token: token }, fromAfar)).status).toBe(403);
        expect(await connectionOf('sales_crm')).toMatchObject({ state: 'connected' });
      },
    );

    it('show what was wrong, on the card of the service (PAGE-013)', async () => {
      const fields = formOf(await page(), '/save', 'sales_crm');
      const answer = await browser.post('/save', { ...fields, access_token: 'wrong-token' });
      expect(answer.status).toBe(422);
      const text = await answer.text();
      expect(text).toContain('refused these credentials');
      expect(text.split('id="signing"')[0]).toMatch(/id="sales_crm"[\s\S]*role="alert"[^>]*autofocus/);
      expect(text).not.toContain('wrong-token');
    });

    it('are shown for what can be done, with what an administrator sets for the rest (PAGE-008)', async () => {
      const html = await page();
      expect(html).toContain('href="/connect/sales_crm"');
      expect(html).not.toContain('href="/connect/signing"');
      expect(html).toContain('SIGNING_CLIENT_ID, SIGNING_CLIENT_SECRET');
      expect(html).toMatch(/<input id="key-signing"[^>]*type="password"[^>]*autocomplete="off"/);
      expect(html).toContain('name="base_url" type="url"');
      expect(html.match(/<script/g)).toHaveLength(1);
      expect(html).toMatch(/<script src="\/static\/portolan\.js\?v=[\w-]+" defer><\/script>/);
    });

    it('are hidden from a guest', async () => {
      const set = await fetch(`${server.origin}/set`);
      const headers = { cookie: set.headers.getSetCookie()[0]?.split(';')[0] ?? '', accept: 'text/html' };
      const html = await (await fetch(`${server.origin}/page`, { headers })).text();
      expect(html).toContain('You are browsing as a guest');
      expect(html).not.toContain('<form');
      expect(html).not.toContain('/connect/');
    });
  });

  describe('POST /connections/{service}/test', () => {
    it('reports the status of a connection, and recovers one that works again (CONN-018)', async () => {
      expect(await json('POST', '/connections/sales_crm/test')).toMatchObject({ status: 409 });
      expect(await json('POST', '/connections/mail/test')).toMatchObject({ status: 404 });
      await json('POST', '/save', { service: 'sales_crm', auth_method: 'personal_token', access_token: personalToken });
      crm.failNext({ status: 401 });
      expect(await json('POST', '/connections/sales_crm/test', {})).toMatchObject({
        status: 200,
        body: { state: 'degraded', checked: true, reason: expect.stringContaining('The Sales CRM refused the key.') },
      });
      expect(await json('GET', '/api/sales_crm/deals')).toMatchObject({ body: { reason: 'unauthorized' } });
      expect(await page()).toContain('The Sales CRM refused the key.');
      expect(await json('POST', '/connections/sales_crm/test', {})).toEqual({
        status: 200,
        body: { service: 'sales_crm', state: 'connected', checked: true, reason: null },
      });
      crm.failNext({ status: 503, times: 2 });
      expect(await json('POST', '/connections/sales_crm/test', {})).toMatchObject({
        body: { state: 'connected', checked: false },
      });
    });

    it('renews a token that the provider refuses', async () => {
      await connect();
      crm.expireTokens();
      expect(await json('POST', '/connections/sales_crm/test', {})).toMatchObject({ body: { state: 'connected' } });
      expect(crm.grants.given.renewals).toBe(1);
    });
  });

  describe('renewal of tokens', () => {
    it('happens once for fifteen concurrent calls on one expired token (RENEW-002)', async () => {
      await connect();
      crm.expireTokens();
      const calls = await Promise.all(Array.from({ length: 15 }, () => json('GET', '/api/sales_crm/users/me')));
      expect(calls.map(({ status }) => status)).toEqual(Array(15).fill(200));
      expect(crm.grants.given.renewals).toBe(1);
    });

    it('that is refused needs the user, and the token endpoint is left alone from then on (RENEW-004)', async () => {
      await connect();
      crm.grants.revoke();
      const before = tokenRequests();
      for (let call = 0; call < 3; call += 1) {
        expect(await json('GET', '/api/sales_crm/deals')).toMatchObject({
          status: 502,
          body: { reason: 'unauthorized' },
        });
      }
      expect(tokenRequests() - before).toBe(1);
      expect(await connectionOf('sales_crm')).toMatchObject({
        state: 'reconnect',
        reason: expect.stringContaining('refused to renew the tokens'),
      });
      const requests = crm.requests.length;
      await json('GET', '/api/sales_crm/deals');
      expect(crm.requests.length).toBe(requests);
      await connect();
      expect(await connectionOf('sales_crm')).toMatchObject({ state: 'connected', reason: null });
    });

    it('at a provider that issues no tokens for now is degraded, and succeeds in the end (RENEW-005)', async () => {
      await connect();
      crm.expireTokens();
      crm.failNext({ status: 503, on: 'token' });
      const failure = { reason: 'unavailable' };
      expect(await json('GET', '/api/sales_crm/deals')).toMatchObject({ status: 502, body: failure });
      expect(await connectionOf('sales_crm')).toMatchObject({ state: 'degraded' });
    });
  });

  describe('the signing service', () => {
    it('is connected by OAuth, renewed only on a 401, and needs its user when that is refused (RENEW-007)', async () => {
      await server[Symbol.asyncDispose]();
      server = await startWholeServer({
        SIGNING_URL: signing.url,
        SIGNING_AUTHORIZE_URL: `${signing.url}/oauth2/authorize`,
        SIGNING_TOKEN_URL: `${signing.url}/oauth2/access_token`,
        SIGNING_CLIENT_ID: 'portolan',
        SIGNING_CLIENT_SECRET: 'app-secret',
      });
      browser = await server.signedIn();
      expect((await comeBack(await consented('/connect/signing'))).status).toBe(303);
      expect(await connectionOf('signing')).toMatchObject({ state: 'connected', scope: 'read,write' });
      const asked = () => signing.requests.filter(({ url }) => url.startsWith('/oauth2/access_token')).length;
      const before = asked();
      signing.expireTokens();
      expect(await json('GET', '/api/signing/members')).toMatchObject({ status: 200 });
      expect(asked() - before).toBe(1);
      signing.expireTokens();
      signing.grants.refusals = 1;
      for (let call = 0; call < 3; call += 1) {
        expect(await json('GET', '/api/signing/members')).toMatchObject({
          status: 502,
          body: { reason: 'unauthorized' },
        });
      }
      expect(asked() - before).toBe(2);
      expect(await connectionOf('signing')).toMatchObject({ state: 'reconnect' });
    });
  });

  const tokenRequests = () => crm.grants.asked;

  it('no token and no secret occurs in anything that was logged or shown (CONN-008, ERR-005)', async () => {
    await connect();
    crm.expireTokens();
    const produced = [JSON.stringify(await json('GET', '/api/sales_crm/users/me'))];
    crm.failNext({ status: 403, body: { success: false, error: `you sent ${currentToken()}` } });
    produced.push(JSON.stringify(await json('GET', '/api/sales_crm/deals')));
    crm.grants.revoke();
    produced.push(JSON.stringify(await json('GET', '/api/sales_crm/deals')), await page());
    produced.push(JSON.stringify(await json('GET', '/api/connections')));
    const secrets = [...crm.grants.everGiven, app.clientSecret];
    expect(secrets.length).toBeGreaterThan(4);
    const everything = [server.log(), ...produced].join('\n');
    for (const secret of secrets) expect(everything).not.toContain(secret);
  });

  const currentToken = () => crm.grants.everGiven.at(-2) ?? '';
});

function settingsFor({ url, authorizeUrl, tokenUrl }: SalesCrmEmulator, dialect: 'neutral' | 'pipedrive') {
  return {
    SALES_CRM_URL: url,
    SALES_CRM_DIALECT: dialect,
    SALES_CRM_AUTHORIZE_URL: authorizeUrl,
    SALES_CRM_TOKEN_URL: tokenUrl,
    SALES_CRM_CLIENT_ID: app.clientId,
    SALES_CRM_CLIENT_SECRET: app.clientSecret,
  };
}
