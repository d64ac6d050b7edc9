import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exchange } from '#test/support/authorization/auth-flow.ts';
import { hiddenFields, type PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { UndoApp } from '#test/support/changes/undo-app.ts';
import { post } from '#test/support/mcp/mcp-clients.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { invited } from '#test/support/server/invited.ts';
import { sendJson } from '#test/support/server/whole-server.ts';

// No app gets around what its user chose for it, service by service and tool by tool, by whatever door.

let world: UndoApp;
let all: string;

beforeAll(async () => {
  world = await UndoApp.start();
  all = await world.app({ name: 'All' });
  await world.made(all, 'vault_note_write', { path: 'Read.md', content: 'read me' });
});
afterAll(() => world.stop());

const appSchema = z.looseObject({ id: z.string(), name: z.string(), scope: z.string().nullable() });
const appsOf = async (browser: PlainBrowser = world.browser) => {
  const { body } = await sendJson(world.server, browser, ['GET', '/api/apps']);
  return z.object({ data: z.array(appSchema) }).parse(body).data;
};
const idOf = async (name: string) => (await appsOf()).find((app) => app.name === name)?.id ?? '';
const change = async (name: string, body: object, browser = world.browser) =>
  sendJson(world.server, browser, ['PATCH', `/api/apps/${await idOf(name)}`, body]);

const rest = async (token: string, method: string, path: string, body?: unknown) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${world.server.origin}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return answer.status;
};

/** The names of the tools that an app is listed, and those of what the catalogue finds for a query. */
const toolsSchema = z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })) });
async function listed(token: string): Promise<readonly string[]> {
  const answer = await post(world.server.origin, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { person: token });
  const { result } = z.looseObject({ result: toolsSchema }).parse(await answer.json());
  return result.tools.map(({ name }) => name);
}

async function inCatalogue(token: string, name: string, args: object) {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const path = '/message?mode=catalogue';
  return JSON.stringify(await (await post(world.server.origin, message, { person: token, path })).json());
}

const issues = async () => JSON.stringify(await world.made(all, 'tracker_issues_list', {}));
const note = async (path: string) => (await rest(all, 'GET', `/api/vault/vault/${encodeURIComponent(path)}`)) === 200;

/** The doors by which an app may try to create an issue titled so, each with what it was answered. */
const doors: readonly (readonly [string, (token: string, title: string) => Promise<unknown>])[] = [
  ['tools/call', (token, title) => world.call(token, 'tracker_issue_create', { title, team: 'ENG' })],
  ['REST', (token, title) => rest(token, 'POST', '/api/tracker/issues', { title, team: 'ENG' })],
  [
    'many calls',
    (token, title) =>
      world.call(token, 'workspace_bulk', { operation: 'tracker_issue_create', items: [{ title, team: 'ENG' }] }),
  ],
  [
    'the catalogue',
    (token, title) =>
      inCatalogue(token, 'run_write_tool', { tool: 'tracker_issue_create', arguments: { title, team: 'ENG' } }),
  ],
  [
    'the operation in the catalogue',
    (token, title) =>
      inCatalogue(token, 'run_write_tool', { tool: 'tracker.issues.create', arguments: { title, teamId: 'ENG' } }),
  ],
  [
    'the operation in a program',
    (token, title) =>
      world.call(token, 'workspace_run', {
        code: `return await portolan.tracker.issues.create({ title: ${JSON.stringify(title)}, teamId: 'ENG' })`,
      }),
  ],
  [
    'a program',
    (token, title) =>
      world.call(token, 'workspace_run', {
        code: `return await portolan.tracker.issue_create({ title: ${JSON.stringify(title)}, team: 'ENG' })`,
      }),
  ],
];

const isRefused = (answer: unknown) => expect(JSON.stringify(answer)).toMatch(/forbidden|403|invalid_input/);

describe('an app that may read the tracker and change the vault', () => {
  let mixed: string;
  beforeAll(async () => {
    mixed = await world.app({ name: 'Mixed', levels: { tracker: 'read', vault: 'full', sales_crm: 'off' } });
  });

  it.each(doors)('changes nothing in the tracker by %s (GRANT-011)', async (door, attempt) => {
    isRefused(await attempt(mixed, `Mixed by ${door}`));
    expect(await issues()).not.toContain(`Mixed by ${door}`);
  });

  it('reads it, and changes the vault by the same doors (GRANT-011)', async () => {
    expect((await world.call(mixed, 'tracker_issues_list', {})).isError).toBe(false);
    expect(await rest(mixed, 'GET', '/api/tracker/issues')).toBe(200);
    await world.made(mixed, 'vault_note_write', { path: 'Mixed.md', content: 'one' });
    const code = `await portolan.vault.note_write({ path: 'By program.md', content: 'x' });
return (await portolan.tracker.issues_list({})).data.length`;
    expect((await world.call(mixed, 'workspace_run', { code })).isError).toBe(false);
    expect([await note('Mixed.md'), await note('By program.md')]).toEqual([true, true]);
  });

  it('is listed and finds what it may use only (GRANT-011)', async () => {
    const names = await listed(mixed);
    expect(names).toEqual(expect.arrayContaining(['vault_note_write', 'tracker_issues_list', 'workspace_undo']));
    expect(names.filter((name) => /^(?:sales_crm|signing|suite_crm)_|issue_create|issue_update/.test(name))).toEqual(
      [],
    );
    const found = await inCatalogue(mixed, 'search_tools', { query: 'create an issue', limit: 20 });
    expect(found).not.toContain('tracker_issue_create');
    expect(found).toContain('tracker_issues_list');
    const declared = await inCatalogue(mixed, 'search_tools', { query: 'issue', code: true, limit: 20 });
    expect(declared).not.toContain('issue_create');
  });

  it('cannot call what a link to the server leaves it (GRANT-011)', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
    for (const query of ['?readonly=0&services=tracker', '?mode=programs', '?services=tracker,vault&schemas=full']) {
      const params = { name: 'tracker_issue_create', arguments: { title: 'By a link', team: 'ENG' } };
      const answer = await post(
        world.server.origin,
        { ...message, params },
        { person: mixed, path: `/message${query}` },
      );
      isRefused(await answer.json());
    }
    const params = { name: 'vault_note_write', arguments: { path: 'By a link.md', content: 'x' } };
    const readonly = await post(
      world.server.origin,
      { ...message, params },
      { person: mixed, path: '/message?readonly=1' },
    );
    expect(await readonly.json()).toMatchObject({ error: { code: -32602 } });
    expect([(await issues()).includes('By a link'), await note('By a link.md')]).toEqual([false, false]);
  });

  it('takes back no change of a service that it may only read now (GRANT-011, GRANT-015)', async () => {
    const token = await world.app({ name: 'Narrowed' });
    const { id } = z
      .looseObject({ id: z.string() })
      .parse(await world.made(token, 'tracker_issue_create', { title: 'Stays', team: 'ENG' }));
    const made = await world.latest(token);
    expect((await change('Narrowed', { scope: 'tracker:read vault' })).status).toBe(200);
    expect((await world.call(token, 'workspace_undo', { activity: made })).data).toMatchObject({ reason: 'forbidden' });
    expect(JSON.stringify(await world.made(all, 'tracker_issue_get', { id }))).toContain('Stays');
  });
});

describe('a change that waits for its user', () => {
  it.each([
    ['its app may only read by then', { scope: 'tracker:read' }],
    ['its app may not use the service by then', { scope: 'vault' }],
    ['it was switched off for its app by then', { off: ['tracker:issues.make'] }],
    ['all that changes something was switched off for its app', { off: ['tracker:*write'] }],
    ['its app has a scope that cannot be read', null],
  ])('is not made when %s (GRANT-011, GRANT-016)', async (why, body) => {
    const token = await world.app({ name: `Asks: ${why}`, ask: 'change' });
    const title = `Waits: ${why}`;
    const { data } = await world.call(token, 'tracker_issue_create', { title, team: 'ENG' });
    const { id } = z.looseObject({ id: z.string() }).parse(data['approval']);
    if (body === null) await mutate(`Asks: ${why}`, 'tracker:everything');
    else expect((await change(`Asks: ${why}`, body)).status).toBe(200);
    const decided = await world.person.call('POST', `/api/approvals/${id}`, { decision: 'allow' });
    expect(JSON.stringify(decided)).toContain('forbidden');
    expect(await issues()).not.toContain(title);
    // Nor when the app comes back with it.
    const replayed = await world.call(token, 'tracker_issue_create', { title, team: 'ENG', approval: id });
    expect(replayed).toMatchObject({ isError: true, data: { reason: 'forbidden' } });
    expect(await issues()).not.toContain(title);
  });
});

describe('a tool that is switched off for one app', () => {
  const off = ['tracker:issues.make'];
  let limited: string;
  beforeAll(async () => {
    limited = await world.app({ name: 'Limited' });
    expect(await change('Limited', { off })).toMatchObject({ status: 200, body: { off, scope: null } });
  });

  it.each(doors)('is not called by %s (GRANT-016)', async (door, attempt) => {
    isRefused(await attempt(limited, `Limited by ${door}`));
    expect(await issues()).not.toContain(`Limited by ${door}`);
  });

  it('is in none of its lists, and in those of the others (GRANT-016)', async () => {
    expect(await listed(limited)).not.toContain('tracker_issue_create');
    expect(await listed(all)).toContain('tracker_issue_create');
    const asked = { query: 'create an issue', limit: 20 };
    expect(await inCatalogue(limited, 'search_tools', asked)).not.toContain('tracker_issue_create');
    expect(await inCatalogue(all, 'search_tools', asked)).toContain('tracker_issue_create');
    expect((await world.call(all, 'tracker_issue_create', { title: 'Of another app', team: 'ENG' })).isError).toBe(
      false,
    );
  });

  it('is not called through a dry run, or by running programs that were switched off (GRANT-016)', async () => {
    const dry = await world.call(limited, 'tracker_issue_create', { title: 'Dry', team: 'ENG', dry: true });
    expect(dry).toMatchObject({ isError: true, data: { reason: 'forbidden' } });
    const noPrograms = await world.app({ name: 'No programs' });
    await change('No programs', { off: ['workspace:run'] });
    expect(await listed(noPrograms)).not.toContain('workspace_run');
    expect((await world.call(noPrograms, 'workspace_run', { code: 'return 1' })).data).toMatchObject({
      reason: 'forbidden',
    });
    expect((await world.call(all, 'workspace_run', { code: 'return 1' })).data).toMatchObject({ result: 1 });
  });

  it('comes back when it is switched on (GRANT-016)', async () => {
    await change('Limited', { off: [] });
    expect(await listed(limited)).toContain('tracker_issue_create');
    await change('Limited', { off });
    expect(await listed(limited)).not.toContain('tracker_issue_create');
  });
});

/** Writes a scope into the database, as somebody would who has it open. */
async function mutate(name: string, scope: string): Promise<void> {
  const id = await idOf(name);
  const database = new DatabaseSync(join(world.server.dataDir, 'portolan.sqlite'));
  try {
    database.prepare('update app_grants set scope = ? where id = ?').run(scope, id);
  } finally {
    database.close();
  }
  // The server takes it up as it does a change by another one.
  await expect
    .poll(async () => (await appsOf()).find((app) => app.id === id)?.scope)
    .not.toBe('tracker:read vault:read');
  await world.person.call('PATCH', `/api/apps/${id}`, { ask: 'change' });
}

describe('an app that wants more', () => {
  let app: string;
  beforeAll(async () => {
    app = await world.app({ name: 'Greedy', levels: { tracker: 'read', vault: 'read' } });
  });
  const scope = async () => (await appsOf()).find(({ name }) => name === 'Greedy')?.scope;
  const stays = async () => {
    expect(await scope()).toBe('tracker:read vault:read');
    expect(await rest(app, 'PUT', '/api/vault/vault/Greedy.md', { content: 'x' })).toBe(403);
    expect(await note('Greedy.md')).toBe(false);
  };

  it('gets none by a scope at registration or at the token endpoint (GRANT-019)', async () => {
    const { origin } = world.server;
    const redirectUri = 'http://127.0.0.1:8123/callback';
    const registered = await fetch(`${origin}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Greedy again', redirect_uris: [redirectUri], scope: 'vault tracker' }),
    });
    const { client_id: clientId } = z.looseObject({ client_id: z.string() }).parse(await registered.json());
    const query = new URLSearchParams({ client_id: clientId, redirect_uri: redirectUri, response_type: 'code' });
    const html = await (await world.browser.get(`/authorize?${query.toString()}`)).text();
    const form = { ...hiddenFields(html), decision: 'allow', access_vault: 'read' };
    const location = (await world.browser.post('/authorize', form)).headers.get('location') ?? '';
    const code = new URL(location).searchParams.get('code') ?? '';
    const asked = { code, client_id: clientId, redirect_uri: redirectUri, scope: 'vault tracker' };
    const answer = z
      .looseObject({ access_token: z.string(), scope: z.string() })
      .parse(await (await exchange(world.server, asked)).json());
    expect(answer.scope).toBe('vault:read');
    expect(await rest(answer.access_token, 'PUT', '/api/vault/vault/Greedy.md', { content: 'x' })).toBe(403);
    for (const refresh_token of [app, answer.access_token, code]) {
      const refreshed = await exchange(world.server, {
        grant_type: 'refresh_token',
        refresh_token,
        client_id: clientId,
        scope: 'vault tracker',
      });
      expect([refreshed.status, await refreshed.json()]).toMatchObject([400, { error: 'unsupported_grant_type' }]);
    }
    await stays();
  });

  it('gets none on the pages and routes for people (GRANT-019)', async () => {
    const id = await idOf('Greedy');
    for (const headers of [{ authorization: `Bearer ${app}` }, { cookie: `user=${app}` }]) {
      for (const [method, path, type, body] of [
        ['PATCH', `/api/apps/${id}`, 'application/json', '{"scope":null}'],
        ['PATCH', `/api/apps/${id}`, 'application/json', '{"off":[]}'],
        ['POST', `/apps/${id}/access`, 'application/x-www-form-urlencoded', 'access_vault=full'],
        ['POST', `/apps/${id}/tools`, 'application/x-www-form-urlencoded', 'service=vault'],
      ] as const) {
        const answer = await fetch(`${world.server.origin}${path}`, {
          method,
          headers: { ...headers, 'content-type': type },
          body,
          redirect: 'manual',
        });
        expect([path, answer.status]).toEqual([path, 403]);
      }
      const shown = await fetch(`${world.server.origin}/apps/${id}`, {
        headers: { ...headers, accept: 'application/json' },
      });
      expect(shown.status).toBe(403);
    }
    await stays();
  });

  it('gets none by a form that was forged, or made for somebody else (GRANT-019)', async () => {
    const id = await idOf('Greedy');
    const bob = await invited(world.server, world.browser, 'bob@example.org', { permissions: ['vault', 'tracker'] });
    const bobsToken = await grantToken(world.server.origin, bob, { name: 'Of Bob' });
    const bobs = (await appsOf(bob))[0]?.id ?? '';
    const ofBob = hiddenFields(await (await bob.get(`/apps/${bobs}`)).text());
    for (const fields of [{}, { csrf_token: 'forged' }, ofBob]) {
      for (const [path, more] of [
        [`/apps/${id}/access`, { access_vault: 'full' }],
        [`/apps/${id}/tools`, { service: 'vault', shown: 'vault:notes.read' }],
      ] as const) {
        expect((await world.browser.post(path, { ...fields, ...more })).status).toBe(403);
      }
    }
    // Bob's own form reaches his own app only.
    expect((await bob.post(`/apps/${id}/access`, { ...ofBob, access_vault: 'full' })).status).toBe(404);
    expect((await bob.post(`/apps/${id}/tools`, { ...ofBob, service: 'vault' })).status).toBe(404);
    expect((await bob.get(`/apps/${id}`)).status).toBe(404);
    expect((await sendJson(world.server, bob, ['PATCH', `/api/apps/${id}`, { scope: null }])).status).toBe(404);
    // Nor does it give what Bob may not do himself.
    const given = await sendJson(world.server, bob, ['PATCH', `/api/apps/${bobs}`, { scope: 'signing vault' }]);
    expect(given).toMatchObject({ status: 200, body: { scope: 'vault' } });
    expect(await rest(bobsToken, 'GET', '/api/signing/documents')).toBe(403);
    await stays();
  });

  it.each(['', 'vault tracker:everything', '**', 'vault;tracker', 'VAULT', '["vault"]', '* '])(
    'gets nothing by a stored scope that cannot be read: %j (GRANT-013)',
    async (stored) => {
      const name = `Mutated ${stored}`;
      const token = await world.app({ name, levels: { vault: 'full', tracker: 'full' } });
      expect(await rest(token, 'GET', '/api/vault/vault/Read.md')).toBe(200);
      await mutate(name, stored);
      expect(await rest(token, 'GET', '/api/vault/vault/Read.md')).toBe(403);
      expect(await rest(token, 'GET', '/api/tracker/issues')).toBe(403);
      expect((await listed(token)).filter((one) => /^(?:vault|tracker)_/.test(one))).toEqual([]);
      const page = await world.browser.get(`/apps/${await idOf(name)}`);
      expect(page.status).toBe(200);
      // Its user can give it access again.
      expect((await change(name, { scope: 'vault:read' })).status).toBe(200);
      expect(await rest(token, 'GET', '/api/vault/vault/Read.md')).toBe(200);
      expect(await rest(token, 'GET', '/api/tracker/issues')).toBe(403);
    },
  );
});
