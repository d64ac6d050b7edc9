import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exchange } from '#test/support/authorization/auth-flow.ts';
import { hiddenFields, type PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { invited } from '#test/support/server/invited.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

let server: WholeServer;
let ada: PlainBrowser;

beforeAll(async () => {
  server = await startWholeServer({});
  ada = await server.signedIn();
  await sendJson(server, ada, ['PUT', '/api/vault/vault/A.md', { content: 'x' }]);
});
afterAll(() => server[Symbol.asyncDispose]());

const appSchema = z.looseObject({ id: z.string(), name: z.string(), off: z.array(z.string()) });
const apps = async (browser = ada) =>
  z.object({ data: z.array(appSchema) }).parse((await sendJson(server, browser, ['GET', '/api/apps'])).body).data;
const idOf = async (name: string) => (await apps()).find((app) => app.name === name)?.id ?? '';
const patch = (id: string, body: unknown) => sendJson(server, ada, ['PATCH', `/api/apps/${id}`, body]);
const read = async (token: string, method = 'GET') =>
  (
    await fetch(`${server.origin}/api/vault/vault/A.md`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(method === 'PUT' ? { body: '{"content":"x"}' } : {}),
    })
  ).status;
const page = async (id: string) => (await ada.get(`/apps/${id}`)).text();

describe('the page of an app', () => {
  it('changes its access to each service, for the token that it has (GRANT-015, PAGE-032)', async () => {
    const token = await grantToken(server.origin, ada, { name: 'Sextant' });
    expect(await read(token, 'PUT')).toBe(200);
    const id = await idOf('Sextant');
    expect(await (await ada.get('/apps')).text()).toContain(`href="/apps/${id}"`);
    const html = await page(id);
    expect([...html.matchAll(/name="access_(\w+)" value="full" checked/g)]).toHaveLength(5);
    const fields = hiddenFields(html);
    const narrowed = await ada.post(`/apps/${id}/access`, { ...fields, access_vault: 'read', access_tracker: 'full' });
    expect([narrowed.status, narrowed.headers.get('location')]).toEqual([303, `/apps/${id}`]);
    expect([await read(token), await read(token, 'PUT')]).toEqual([200, 403]);
    expect(await apps()).toMatchObject([
      { name: 'Sextant', services: ['tracker', 'vault'], access: 'mixed', scope: 'tracker vault:read' },
    ]);
    expect(await (await ada.get('/apps')).text()).toContain('Vault (read)');
    await ada.post(`/apps/${id}/access`, { ...fields, access_vault: 'full' });
    expect([await read(token, 'PUT'), (await apps())[0]?.['scope']]).toEqual([200, 'vault']);
    const none = await ada.post(`/apps/${id}/access`, { ...fields, access_vault: 'off' });
    expect([none.status, await none.text()]).toEqual([400, expect.stringContaining('Leave at least one service')]);
    expect(await read(token, 'PUT')).toBe(200);
    const { body } = await sendJson(server, ada, ['GET', '/api/audit']);
    expect(JSON.stringify(body)).toContain('Sextant: vault, 0 switched off');
  });

  it('switches tools off, service by service, and keeps what it does not show (GRANT-016, PAGE-032)', async () => {
    const token = await grantToken(server.origin, ada, { name: 'Compass' });
    const id = await idOf('Compass');
    await patch(id, { off: ['tracker:issues.make', 'vault:commands.run'] });
    const html = await page(id);
    expect(html).toMatch(/<summary[^>]*>Vault/);
    const shown = [...html.matchAll(/name="shown" value="(vault:[^"]+)"/g)].map(([, key = '']) => key);
    expect(shown.length).toBeGreaterThan(10);
    const form = new URLSearchParams({ ...hiddenFields(html), service: 'vault' });
    form.delete('shown');
    for (const key of shown) {
      form.append('shown', key);
      if (key !== 'vault:notes.write') form.append('on', key);
    }
    // Neither another service's switch nor one that is not known is taken.
    for (const key of ['signing:documents.list', 'vault:nothing', 'vault:__proto__']) form.append('shown', key);
    expect((await ada.post(`/apps/${id}/tools`, form)).status).toBe(303);
    expect((await apps()).find((app) => app.id === id)?.off).toEqual(['tracker:issues.make', 'vault:notes.write']);
    expect([await read(token), await read(token, 'PUT')]).toEqual([200, 403]);
    expect(await page(id)).toContain('1 switched off');
  });

  it('keeps what is switched off in no other app, and not in the user’s own switches (GRANT-016)', async () => {
    const other = await grantToken(server.origin, ada, { name: 'Other' });
    await grantToken(server.origin, ada, { name: 'One' });
    await patch(await idOf('One'), { off: ['vault:*write', 'vault:*read'] });
    expect(await read(other)).toBe(200);
    expect((await sendJson(server, ada, ['GET', '/api/switches'])).body).toEqual({ off: [] });
  });
});

describe('PATCH /api/apps/{id}', () => {
  it('changes what is given, and nothing else (GRANT-015, GRANT-016)', async () => {
    await grantToken(server.origin, ada, { name: 'Patched' });
    const id = await idOf('Patched');
    expect((await patch(id, { scope: 'vault:read signing' })).body).toMatchObject({
      scope: 'signing vault:read',
      off: [],
      ask: null,
    });
    expect((await patch(id, { off: ['vault:*read', 'vault:*read'] })).body).toMatchObject({
      scope: 'signing vault:read',
      off: ['vault:*read'],
    });
    expect((await patch(id, { ask: 'lose' })).body).toMatchObject({ off: ['vault:*read'], ask: 'lose' });
    expect((await patch(id, { scope: null })).body).toMatchObject({
      scope: null,
      services: null,
      access: 'full',
      off: ['vault:*read'],
      ask: 'lose',
    });
  });

  it.each([
    [{}],
    [{ scope: '' }],
    [{ scope: '*' }],
    [{ scope: 'vault:write' }],
    [{ scope: 'vault  tracker' }],
    [{ scope: ['vault'] }],
    [{ scope: 'vault '.repeat(1_000) }],
    [{ off: ['vault:nothing'] }],
    [{ off: 'vault:*read' }],
    [{ off: Array.from({ length: 1_001 }, () => 'vault:*read') }],
    [{ services: ['vault'] }],
  ])('refuses what it cannot read, and changes nothing: %j (GRANT-015)', async (body) => {
    const id = await idOf('Patched');
    const before = (await apps()).find((app) => app.id === id);
    expect(await patch(id, body)).toMatchObject({ status: 400, body: { reason: 'invalid_input' } });
    expect((await apps()).find((app) => app.id === id)).toEqual(before);
  });

  it('finds no app of another user, and none that is gone (GRANT-007, GRANT-015)', async () => {
    const bob = await invited(server, ada, 'bob@example.com', { permissions: ['vault'] });
    const id = await idOf('Patched');
    expect((await sendJson(server, bob, ['PATCH', `/api/apps/${id}`, { scope: null }])).status).toBe(404);
    await sendJson(server, ada, ['DELETE', `/api/apps/${id}`]);
    expect((await patch(id, { scope: 'vault' })).status).toBe(404);
    expect((await ada.get(`/apps/${id}`)).status).toBe(404);
  });
});

describe('a client that listens', () => {
  it.each([
    ['its access to a service changes', { scope: 'vault:read' }],
    ['a tool is switched off for it', { off: ['vault:notes.write'] }],
  ])('is notified when %s (GRANT-017)', async (name, body) => {
    const token = await grantToken(server.origin, ada, { name });
    const authorization = `Bearer ${token}`;
    const response = await fetch(`${server.origin}/sse`, { headers: { authorization, accept: 'text/event-stream' } });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const until = async (part: string | RegExp) => {
      while (text.match(part) === null) {
        const next = await reader?.read();
        if (next === undefined || next.done) throw new Error(`The stream ended: ${text}`);
        text += next.value;
      }
    };
    await until(/data: (\/message\S*)/);
    const endpoint = /data: (\S+)/.exec(text)?.[1] ?? '';
    const send = (message: object) =>
      fetch(new URL(endpoint, server.origin), {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      });
    const clientInfo = { name: 'test', version: '0' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    await send({ id: 1, method: 'initialize', params });
    await until('"id":1');
    await send({ id: 2, method: 'tools/list' });
    await until('"id":2');
    expect(text).toContain('"name":"vault_note_write"');
    expect((await patch(await idOf(name), body)).status).toBe(200);
    await until('notifications/tools/list_changed');
    text = '';
    await send({ id: 3, method: 'tools/list' });
    await until('"id":3');
    expect(text).toContain('"name":"vault_note_read"');
    expect(text).not.toContain('"name":"vault_note_write"');
    await reader?.cancel();
  });
});

describe('what is switched off for an app', () => {
  const redirectUri = 'http://127.0.0.1:8123/callback';
  const signIn = async (clientId: string): Promise<string> => {
    const query = new URLSearchParams({ client_id: clientId, redirect_uri: redirectUri, response_type: 'code' });
    const html = await (await ada.get(`/authorize?${query.toString()}`)).text();
    const decided = await ada.post('/authorize', { ...hiddenFields(html), decision: 'allow', access_vault: 'full' });
    const code = new URL(decided.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const answer = await exchange(server, { code, client_id: clientId, redirect_uri: redirectUri });
    return z.looseObject({ access_token: z.string() }).parse(await answer.json()).access_token;
  };
  const registered = async (name: string): Promise<string> => {
    const answer = await fetch(`${server.origin}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: name, redirect_uris: [redirectUri] }),
    });
    return z.looseObject({ client_id: z.string() }).parse(await answer.json()).client_id;
  };

  it('stays so when it signs in again, until it is deleted (GRANT-018)', async () => {
    const clientId = await registered('Astrolabe');
    await signIn(clientId);
    const first = await idOf('Astrolabe');
    await patch(first, { off: ['vault:notes.write'] });
    const again = await signIn(clientId);
    expect(await read(again, 'PUT')).toBe(403);
    for (const app of await apps()) {
      if (app.name === 'Astrolabe') await sendJson(server, ada, ['DELETE', `/api/apps/${app.id}`]);
    }
    expect(await read(await signIn(clientId), 'PUT')).toBe(200);
  });
});

/** Runs a statement on the server's database. */
function stored(sql: string, ...values: readonly (string | number | null)[]) {
  const database = new DatabaseSync(join(server.dataDir, 'portolan.sqlite'));
  try {
    return database.prepare(sql).all(...values);
  } finally {
    database.close();
  }
}

describe('servers of an earlier version', () => {
  it('read of a grant with a service for reading only that it may change nothing (GRANT-013)', async () => {
    for (const [name, levels] of [
      ['Mixed', { tracker: 'read', vault: 'full' }],
      ['Reads', { vault: 'read' }],
      ['Some', { vault: 'full', tracker: 'full' }],
    ] as const) {
      await grantToken(server.origin, ada, { name, levels });
    }
    await grantToken(server.origin, ada, { name: 'Everything' });
    const rows = stored(
      `select client_name, services, is_readonly, scope from app_grants
       where client_name in ('Mixed', 'Reads', 'Some', 'Everything') order by client_name`,
    );
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['Everything', null, 0, '*'],
      ['Mixed', '["tracker","vault"]', 1, 'tracker:read vault'],
      ['Reads', '["vault"]', 1, 'vault:read'],
      ['Some', '["tracker","vault"]', 0, 'tracker vault'],
    ]);
    await patch(await idOf('Some'), { scope: 'tracker vault:read' });
    expect(stored("select is_readonly, scope from app_grants where client_name = 'Some'")).toMatchObject([
      { is_readonly: 1, scope: 'tracker vault:read' },
    ]);
  });

  it.each([
    ['["vault"]', 1, { services: ['vault'], access: 'readonly', scope: 'vault:read' }],
    ['["tracker","vault"]', 0, { services: ['tracker', 'vault'], access: 'full', scope: 'tracker vault' }],
    [null, 0, { services: null, access: 'full', scope: null }],
    [null, 1, { services: null, access: 'readonly' }],
    ['[]', 0, { services: [], scope: '' }],
  ])('have stored grants that keep their meaning: %s, %s (GRANT-013)', async (services, isReadonly, shown) => {
    const name = `Former ${services} ${isReadonly}`;
    await grantToken(server.origin, ada, { name });
    stored(
      'update app_grants set services = ?, is_readonly = ?, scope = null, switched_off = null where client_name = ?',
      services,
      isReadonly,
      name,
    );
    expect((await apps()).find((app) => app.name === name)).toMatchObject({ ...shown, off: [] });
  });
});
