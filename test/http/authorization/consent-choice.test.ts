import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { personalToken, type SalesCrmEmulator, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { type AuthApp, openAuthApp } from '#test/support/authorization/auth-app.ts';
import { authorizePath, callback, exchange, registered, signIn } from '#test/support/authorization/auth-flow.ts';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { sseClient, streamableClient } from '#test/support/mcp/mcp-clients.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

type Choice = readonly (readonly [name: string, value: string])[];
type Reachable = Readonly<{ origin: string }>;

const fiveServices = ['sales_crm', 'signing', 'suite_crm', 'tracker', 'vault'];
/** The fields that a browser sends with these services at a level, and the others off. */
const at = (level: string, ...services: readonly string[]): Choice =>
  fiveServices.map((service) => [`access_${service}`, services.includes(service) ? level : 'off']);

/** The consent page's form with these fields and the hidden ones; the browser is signed in. */
async function decide(server: Reachable, browser: PlainBrowser, choice: Choice, decision = 'allow') {
  const client = await registered(server, { client_name: 'Sextant', redirect_uris: [callback] });
  const path = authorizePath({ client_id: client.client_id, redirect_uri: callback, state: 's' });
  const html = await (await browser.get(path)).text();
  const fields = new URLSearchParams({ ...hiddenFields(html), decision });
  for (const [name, value] of choice) fields.append(name, value);
  const answer = await browser.post('/authorize', fields);
  return { client, html, answer, location: answer.headers.get('location') };
}

/** What `/token` answers for a choice. */
async function tokenFor(server: Reachable, browser: PlainBrowser, choice: Choice) {
  const { client, location } = await decide(server, browser, choice);
  const code = new URL(location ?? '').searchParams.get('code') ?? '';
  const answer = await exchange(server, { code, client_id: client.client_id });
  return z.looseObject({ access_token: z.string(), scope: z.string().optional() }).parse(await answer.json());
}

describe('a user who chooses what an app may do', () => {
  let crm: SalesCrmEmulator;
  let server: WholeServer;
  let browser: PlainBrowser;
  const tokens: Record<string, string> = {};

  beforeAll(async () => {
    crm = await startSalesCrmEmulator({ dialect: 'neutral', retryWaitsMs: [] });
    server = await startWholeServer({ SALES_CRM_URL: crm.url });
    browser = await server.signedIn();
    const key = { service: 'sales_crm', auth_method: 'personal_token', access_token: personalToken };
    const saved = await sendJson(server, browser, ['POST', '/save', key]);
    expect(saved).toMatchObject({ status: 200 });
    crm.records.create('deal', { title: 'Acme' });
    const note = { content: '# Here before\n' };
    const written = await sendJson(server, browser, ['PUT', '/api/vault/vault/Before.md', note]);
    expect(written.status).toBe(200);
    const choices: Readonly<Record<string, Choice>> = {
      everything: at('full', ...fiveServices),
      vault: at('full', 'vault'),
      reading: at('read', ...fiveServices),
      'reading the vault': at('read', 'vault'),
    };
    for (const [name, choice] of Object.entries(choices)) {
      tokens[name] = (await tokenFor(server, browser, choice)).access_token;
    }
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await crm.close();
  });

  const send = async (
    token: string,
    method: string,
    path: string,
    body?: unknown,
    more: Readonly<Record<string, string>> = {},
  ) => {
    const response = await fetch(`${server.origin}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${tokens[token]}`,
        accept: 'application/json',
        'content-type': 'application/json',
        ...more,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, json: /^[[{]/.test(text) ? JSON.parse(text) : text };
  };
  const call = async (token: string, method: string, params: object) =>
    (await send(token, 'POST', '/message', { jsonrpc: '2.0', id: 1, method, params })).json;
  const connections = async () => (await sendJson(server, browser, ['GET', '/api/connections'])).body;

  describe('the consent page', () => {
    it('shows the app, where its access goes, and each service that the user may use with its connection status, all in full (GRANT-011)', async () => {
      const { html } = await decide(server, browser, [], 'deny');
      for (const text of ['Sextant', new URL(callback).host, 'admin@localhost']) expect(html).toContain(text);
      const rows = [...html.matchAll(/<fieldset class="levels">.*?<\/fieldset>/gs)].map(([row]) => row);
      const shown = rows.map((row) => [
        /name="access_(\w+)"/.exec(row)?.[1],
        /value="(\w+)" checked/.exec(row)?.[1],
        />(not connected|connected)</.exec(row)?.[1],
      ]);
      expect(shown).toEqual([
        ['sales_crm', 'full', 'connected'],
        ['signing', 'full', 'not connected'],
        ['suite_crm', 'full', 'not connected'],
        ['tracker', 'full', 'not connected'],
        ['vault', 'full', 'connected'],
      ]);
      expect(html).not.toContain('asked for');
    });
  });

  describe('a user who leaves everything ticked', () => {
    it('gives a token with three members, which do not mention a choice (TOKEN-015)', async () => {
      const token = await tokenFor(server, browser, at('full', ...fiveServices));
      expect(Object.keys(token).sort()).toEqual(['access_token', 'expires_in', 'token_type']);
      const unasked = await tokenFor(server, browser, []);
      expect(Object.keys(unasked).sort()).toEqual(['access_token', 'expires_in', 'token_type']);
    });

    it('lets it open what is for apps, too, and nothing that a person decides (SESS-020)', async () => {
      for (const path of ['/floki/index', '/page', '/api/connections', '/api/activity', '/openapi.json']) {
        expect([path, (await send('everything', 'GET', path)).status]).toEqual([path, 200]);
      }
      for (const path of ['/deliveries', '/apps', '/account', '/users', '/setup', '/reactions', '/activity']) {
        expect([path, (await send('everything', 'GET', path)).status]).toEqual([path, 403]);
      }
      expect((await send('everything', 'GET', '/metrics')).status).toBe(401);
    });
  });

  describe('a user who ticks one service', () => {
    it('lets the client know what its token means (TOKEN-015)', async () => {
      expect(await tokenFor(server, browser, at('full', 'vault', 'sales_crm'))).toMatchObject({
        scope: 'sales_crm vault',
      });
      expect(await tokenFor(server, browser, at('read', 'vault'))).toMatchObject({ scope: 'vault:read' });
    });

    it.each([
      ['/message', streamableClient],
      ['/sse', sseClient],
    ] as const)('lets the app see the tools of that one on %s (AUTH-018, MCP-014)', async (_, open) => {
      const client = await open(server.origin, tokens['vault'] ?? '');
      const { tools } = await client.listTools();
      const other = await open(server.origin, tokens['everything'] ?? '');
      const all = await other.listTools();
      expect(tools).toEqual(all.tools.filter(({ name }) => /^(?:vault|workspace)_/.test(name)));
      expect(tools.length).toBeGreaterThan(10);
      expect(all.tools.some(({ name }) => name.startsWith('sales_crm_'))).toBe(true);
      const note = { path: 'By the app.md', content: 'x', mode: 'overwrite' };
      expect(await client.callTool({ name: 'vault_note_write', arguments: note })).not.toHaveProperty('isError', true);
      const refused = await client.callTool({ name: 'sales_crm_deals_list', arguments: {} });
      expect(refused).toMatchObject({ isError: true, structuredContent: { reason: 'forbidden' } });
      expect(JSON.stringify(refused)).toContain('authorize the app again');
      await Promise.all([client.close(), other.close()]);
    });

    it('keeps the app from the others over REST (AUTH-018)', async () => {
      const before = crm.requests.length;
      expect(await send('vault', 'GET', '/api/sales_crm/deals')).toMatchObject({
        status: 403,
        json: { reason: 'forbidden', detail: expect.stringContaining('not given the Sales CRM') },
      });
      expect(crm.requests).toHaveLength(before);
      expect((await send('vault', 'GET', '/api/vault/vault/Before.md')).status).toBe(200);
      expect((await send('everything', 'GET', '/api/sales_crm/deals')).status).toBe(200);
    });

    it('lets the app see only the connections, resources and prompts of that one', async () => {
      expect((await send('vault', 'GET', '/api/connections')).json.data).toMatchObject([{ service: 'vault' }]);
      const uri = 'portolan://connections';
      const { contents } = (await call('vault', 'resources/read', { uri })).result;
      expect(JSON.parse(contents[0].text).connections).toMatchObject([{ service: 'vault' }]);
      const { prompts } = (await call('vault', 'prompts/list', {})).result;
      expect(prompts.map(({ name }: { name: string }) => name)).toEqual(['weekly_review', 'write_a_reaction']);
    });

    it('lets only an app that was granted the vault read notes as resources (MCP-020)', async () => {
      tokens['crm'] = (await tokenFor(server, browser, at('full', 'sales_crm'))).access_token;
      const uri = 'vault://Before.md';
      expect(await call('vault', 'resources/read', { uri })).toMatchObject({ result: { contents: [{ uri }] } });
      expect(await call('crm', 'resources/read', { uri })).toMatchObject({ error: { code: -32002 } });
      const listed = (await call('crm', 'resources/list', {})).result.resources;
      expect(listed.map((resource: { uri: string }) => resource.uri)).toEqual([
        'portolan://connections',
        'portolan://programs/types',
      ]);
      const ref = { type: 'ref/resource', uri: 'vault://{+path}' };
      const completed = await call('crm', 'completion/complete', { ref, argument: { name: 'path', value: 'B' } });
      expect(completed.result.completion.values).toEqual([]);
    });
  });

  describe('a user who lets the app only read', () => {
    it('shows it the tools that read, of all services', async () => {
      const { tools } = (await call('reading', 'tools/list', {})).result;
      const all = (await call('everything', 'tools/list', {})).result.tools;
      const reads = (tool: { annotations: { readOnlyHint: boolean } }) => tool.annotations.readOnlyHint;
      expect(tools.every(reads)).toBe(true);
      // This one reads for those who may only read.
      const others = tools.filter(({ name }: { name: string }) => name !== 'workspace_bulk');
      expect(others).toEqual(all.filter(reads));
      expect(tools.length).toBeGreaterThan(10);
    });

    it('lets it read over MCP and REST', async () => {
      expect((await send('reading', 'GET', '/api/sales_crm/deals')).json.data).toMatchObject([{ title: 'Acme' }]);
      const search = '/api/vault/search/simple/?query=before';
      expect((await send('reading', 'POST', search)).status).toBe(200);
      const name = 'vault_note_read';
      expect(await call('reading', 'tools/call', { name, arguments: { path: 'Before.md' } })).toMatchObject({
        result: { content: [{ text: '# Here before\n' }, { text: expect.stringMatching(/^Revision: /) }] },
      });
    });

    it('lets it change nothing, over MCP or REST, whatever the client asks for (AUTH-018, MCP-014)', async () => {
      const before = [await readdir(join(server.dataDir, 'vault')), crm.records.all('deal').length];
      const change403 = {
        status: 403,
        json: { reason: 'forbidden', detail: expect.stringContaining('may only read') },
      };
      const content = { content: 'x' };
      expect(await send('reading', 'PUT', '/api/vault/vault/New.md', content)).toMatchObject(change403);
      expect(await send('reading', 'POST', '/api/vault/vault/Before.md', content)).toMatchObject(change403);
      expect(await send('reading', 'DELETE', '/api/vault/vault/Before.md')).toMatchObject(change403);
      expect(await send('reading the vault', 'DELETE', '/api/vault/vault/Before.md')).toMatchObject(change403);
      expect(await send('reading', 'POST', '/api/sales_crm/deals', { title: 'New' })).toMatchObject(change403);
      const write = { name: 'vault_note_write', arguments: { path: 'New.md', content: 'x' } };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: write };
      for (const path of ['/message', '/message?readonly=0&services=vault', '/message?mode=catalogue']) {
        const { json } = await send('reading', 'POST', path, body, { 'x-portolan-readonly': 'off' });
        expect(json.result).toMatchObject({ isError: true, structuredContent: { reason: 'forbidden' } });
      }
      expect([await readdir(join(server.dataDir, 'vault')), crm.records.all('deal').length]).toEqual(before);
    });
  });

  describe.each(['vault', 'reading', 'reading the vault'])('an app with restricted access (%s)', (token) => {
    it.each([
      ['GET', '/floki/index'],
      ['GET', '/page'],
      ['HEAD', '/page'],
      [
        'POST',
        '/save',
        { service: 'vault', auth_method: 'api_key', access_token: 'x', extra: { base_url: 'https://a' } },
      ],
      ['POST', '/disconnect', { service: 'vault' }],
      ['POST', '/disconnect', { service: 'sales_crm' }],
      ['POST', '/connections/vault/test', {}],
      ['GET', '/connect/vault'],
      ['GET', '/connect/sales_crm'],
      ['GET', '/connect/sales_crm/callback?code=x&state=x'],
      ['GET', '/deliveries'],
      ['GET', '/deliveries/1'],
      ['POST', '/deliveries/1/replay'],
      ['POST', '/deliveries/1/skip'],
      ['POST', '/deliveries/1/dry-run'],
    ])('cannot reach the user’s account: %s %s (AUTH-028)', async (method, path, body?: object) => {
      const before = await connections();
      const { status, headers, json } = await send(token, method, path, body);
      expect(status).toBe(403);
      expect(headers.get('www-authenticate')).toContain('error="insufficient_scope"');
      expect(headers.getSetCookie()).toEqual([]);
      if (method !== 'HEAD') expect(Object.values(json)).toContain('insufficient_scope');
      expect(await connections()).toEqual(before);
    });

    it('cannot reach it by a form either, nor with its token as a cookie', async () => {
      const before = await connections();
      const thief = new PlainBrowser(server);
      thief.cookies.set('user', tokens[token] ?? '');
      const page = await thief.get('/page');
      expect(page.status).toBe(403);
      const posted = await thief.post('/disconnect', { ...hiddenFields(await page.text()), service: 'vault' });
      expect(posted.status).toBe(403);
      expect(await connections()).toEqual(before);
    });

    it('cannot read the metrics', async () => expect((await send(token, 'GET', '/metrics')).status).toBe(401));

    it('gets no session from /set as a bearer, and only its own again as a cookie (SESS-021)', async () => {
      const asBearer = await send(token, 'GET', '/set');
      expect([asBearer.status, asBearer.headers.getSetCookie()]).toEqual([200, []]);
      const thief = new PlainBrowser(server);
      thief.cookies.set('user', tokens[token] ?? '');
      await thief.get('/set');
      expect((await thief.get('/floki/index')).status).toBe(403);
      const location = (await thief.get('/apps')).headers.get('location');
      expect(location).toBe('/login');
      const deal = await sendJson(server, thief, ['POST', '/api/sales_crm/deals', { title: 'New' }]);
      expect(deal.status).toBe(403);
    });

    it.each(['bearer', 'cookie'])('cannot consent to more on behalf of the user, with its token as %s', async (how) => {
      const thief = new PlainBrowser(server);
      if (how === 'cookie') thief.cookies.set('user', tokens[token] ?? '');
      const headers: Record<string, string> = how === 'bearer' ? { authorization: `Bearer ${tokens[token]}` } : {};
      const client = await registered(server, { redirect_uris: [callback] });
      const path = authorizePath({ client_id: client.client_id, redirect_uri: callback, state: 's' });
      const page = await thief.get(path, headers);
      const html = await page.text();
      expect(html).toContain('name="password"');
      expect(html).not.toContain('Allow Access');
      const posted = await thief.post('/authorize', { ...hiddenFields(html), decision: 'allow' }, headers);
      expect([posted.status, posted.headers.get('location')]).toEqual([401, null]);
    });

    it('cannot end the user’s sessions', async () => {
      const thief = new PlainBrowser(server);
      const headers = { authorization: `Bearer ${tokens[token]}` };
      const page = await thief.get('/logout', headers);
      expect(page.status).toBe(303);
      await thief.post('/logout', { ...hiddenFields(await page.text()), everywhere: 'on' }, headers);
      expect((await send('everything', 'GET', '/page')).status).toBe(200);
    });
  });

  it('is asked to choose a service when all are off, and the rest of the choice is kept (AUTH-029)', async () => {
    const { answer, location } = await decide(server, browser, [...at('off'), ['ask', 'change']]);
    expect([answer.status, location]).toEqual([400, null]);
    const html = await answer.text();
    expect(html).toContain('Choose at least one service, or deny.');
    const checked = [...html.matchAll(/name="(\w+)" value="(\w+)" checked/g)].map(([, name, value]) => [name, value]);
    expect(checked).toEqual([...at('off'), ['ask', 'change']]);
  });

  it.each([
    ['all_full', 'full'],
    ['all_read', 'read'],
    ['all_off', 'off'],
  ])('chooses one level for all services by a button, which decides nothing: %s (GRANT-012)', async (button, level) => {
    const { answer, location } = await decide(server, browser, at('read', 'vault'), button);
    expect([answer.status, location]).toEqual([200, null]);
    const html = await answer.text();
    expect(html).not.toContain('role="alert"');
    const checked = [...html.matchAll(/name="(access_\w+)" value="(\w+)" checked/g)].map(([, name, value]) => [
      name,
      value,
    ]);
    expect(checked).toEqual(at(level, ...fiveServices));
  });

  it('gives each service its own access (GRANT-011)', async () => {
    const choice = [
      ...at('read', 'sales_crm', 'vault').filter(([name]) => name !== 'access_vault'),
      ['access_vault', 'full'],
    ] as const;
    const { access_token: token, scope } = await tokenFor(server, browser, choice);
    expect(scope).toBe('sales_crm:read vault');
    tokens['mixed'] = token;
    const { tools } = (await call('mixed', 'tools/list', {})).result;
    const changing = tools.filter((tool: { annotations: { readOnlyHint: boolean } }) => !tool.annotations.readOnlyHint);
    const names: readonly string[] = tools.map(({ name }: { name: string }) => name);
    expect(changing.every(({ name }: { name: string }) => /^(?:vault|workspace)_/.test(name))).toBe(true);
    expect(names).toEqual(expect.arrayContaining(['vault_note_write', 'sales_crm_deals_list', 'workspace_bulk']));
    expect(names.filter((name) => /^(?:tracker|signing|suite_crm)_/.test(name))).toEqual([]);
    expect((await send('mixed', 'GET', '/api/sales_crm/deals')).status).toBe(200);
    expect(await send('mixed', 'POST', '/api/sales_crm/deals', { title: 'New' })).toMatchObject({
      status: 403,
      json: { reason: 'forbidden', detail: expect.stringContaining('may only read the Sales CRM') },
    });
    expect((await send('mixed', 'PUT', '/api/vault/vault/Mixed.md', { content: 'x' })).status).toBe(200);
    expect((await send('mixed', 'GET', '/page')).status).toBe(403);
  });

  it('can deny whatever is chosen', async () => {
    for (const choice of [at('read'), at('full', 'vault'), []]) {
      const { answer, location } = await decide(server, browser, choice, 'deny');
      expect([answer.status, location]).toEqual([302, `${callback}?error=access_denied&state=s`]);
    }
  });

  it('grants less by unknown values, never more', async () => {
    for (const level of ['FULL', '', 'all', 'change', '*']) {
      const choice = [
        ['access_vault', level],
        ['access_tracker', 'read'],
      ] as const;
      expect(await tokenFor(server, browser, choice)).toMatchObject({ scope: 'tracker:read' });
    }
    const twice = [...at('full', 'vault', 'tracker'), ['access_tracker', 'read']] as const;
    expect(await tokenFor(server, browser, twice)).toMatchObject({ scope: 'vault' });
    const others = [
      ['access_vault', 'full'],
      ['access_*', 'full'],
      ['access_constructor', 'full'],
    ] as const;
    expect(await tokenFor(server, browser, others)).toMatchObject({ scope: 'vault' });
  });

  it('finds the decision in the log, and no token', async () => {
    await decide(server, browser, at('read', 'vault'));
    expect(server.log()).toMatch(/"scope":"vault:read","ask":null.*Access decided/);
    for (const token of Object.values(tokens)) expect(server.log()).not.toContain(token);
  });
});

describe('a user with few permissions', () => {
  const permit = async (app: AuthApp, permissions: readonly ('vault' | 'tracker' | 'sales_crm')[]) => {
    await app.ports.users.change(1, { permissions });
  };
  const signedIn = async (app: AuthApp) => {
    const browser = new PlainBrowser(app);
    const client = await registered(app);
    await signIn(browser, authorizePath({ client_id: client.client_id, redirect_uri: callback }));
    return browser;
  };

  it('cannot grant more than these by tampering with the form (AUTH-018)', async () => {
    await using app = await openAuthApp();
    await permit(app, ['vault', 'tracker']);
    const browser = await signedIn(app);
    const { html } = await decide(app, browser, [], 'deny');
    expect(html).toContain('name="access_tracker"');
    expect(html).not.toContain('name="access_sales_crm"');
    const token = await tokenFor(app, browser, at('full', 'vault', 'sales_crm', 'signing'));
    expect(token).toMatchObject({ scope: 'vault' });
    const { answer } = await decide(app, browser, at('full', 'sales_crm'));
    expect(answer.status).toBe(400);
  });

  it('is asked again when they changed while the page was open', async () => {
    await using app = await openAuthApp();
    await permit(app, ['vault', 'tracker']);
    const browser = await signedIn(app);
    const client = await registered(app);
    const path = authorizePath({ client_id: client.client_id, redirect_uri: callback });
    const fields = hiddenFields(await (await browser.get(path)).text());
    await permit(app, ['vault']);
    const answer = await browser.post('/authorize', {
      ...fields,
      decision: 'allow',
      access_vault: 'full',
    });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('location')).toBeNull();
  });

  it('can allow an app that can do nothing yet when there are none', async () => {
    await using app = await openAuthApp();
    await permit(app, []);
    const browser = await signedIn(app);
    const { html, location } = await decide(app, browser, at('full', 'vault'));
    expect(html).toContain('You have no permission for any service yet');
    expect(html).not.toContain('name="access_');
    expect(location).toContain('code=code_');
  });
});

describe('an app that asks for a scope', () => {
  /** What the consent page shows to Ada, who is permitted these services: what is chosen, what is said of each, and the text. */
  async function asked(scope: string, permissions: readonly string[] = fiveServices) {
    await using app = await openAuthApp({ oauthMetadata: true });
    await app.ports.users.change(1, { permissions });
    const browser = new PlainBrowser(app);
    const client = await registered(app);
    const path = authorizePath({ client_id: client.client_id, redirect_uri: callback, scope });
    const html = await (await signIn(browser, path)).text();
    const rows = [...html.matchAll(/<fieldset class="levels">.*?<\/fieldset>/gs)].map(([row]) => row);
    const shown = rows.map((row) => [
      /name="access_(\w+)"/.exec(row)?.[1],
      /value="(\w+)" checked/.exec(row)?.[1],
      /<span class="note">([^<]+)</.exec(row)?.[1],
    ]);
    const decided = await browser.post('/authorize', { ...hiddenFields(html), decision: 'allow' });
    const forged = {
      ...hiddenFields(html),
      csrf_token: 'forged',
      decision: 'allow',
      access_signing: 'full',
      ask: 'never',
    };
    const again = await (await browser.post('/authorize', forged)).text();
    return { shown, html, location: decided.headers.get('location'), again };
  }

  it('finds that preselected, service by service, and said beside it (GRANT-012, PAGE-031)', async () => {
    const { shown, html } = await asked('vault tracker:read nothing');
    expect(shown).toEqual([
      ['sales_crm', 'off', 'not asked for'],
      ['signing', 'off', 'not asked for'],
      ['suite_crm', 'off', 'not asked for'],
      ['tracker', 'read', 'asks to read'],
      ['vault', 'full', 'asks to read and change'],
    ]);
    expect(html).not.toContain('It also asks for');
  });

  it('finds nothing preselected when the user may use none of it, which the page says (GRANT-012, PAGE-031)', async () => {
    const { shown, html, location } = await asked('signing sales_crm:read', ['tracker', 'vault']);
    expect(shown).toEqual([
      ['tracker', 'off', 'not asked for'],
      ['vault', 'off', 'not asked for'],
    ]);
    expect(html).toContain('It also asks for what you may not use: Sales CRM, ');
    // A form without the choice gives what was preselected, which is nothing.
    expect(location).toBeNull();
  });

  it('finds everything preselected when it asks for nothing that is known', async () => {
    const { shown } = await asked('openid profile', ['vault']);
    expect(shown).toEqual([['vault', 'full', undefined]]);
  });

  it('preselects nothing by a form that is not genuine (GRANT-012)', async () => {
    const { again } = await asked('vault:read');
    const checked = [...again.matchAll(/name="(\w+)" value="(\w+)" checked/g)].map(([, name, value]) => [name, value]);
    expect(checked).toEqual([...at('off').filter(([name]) => name !== 'access_vault'), ['access_vault', 'read']]);
  });
});
