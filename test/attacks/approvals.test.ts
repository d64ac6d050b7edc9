import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hiddenFields, type PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { post } from '#test/support/mcp/mcp-clients.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { invited } from '#test/support/server/invited.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

const required = z.looseObject({ approval: z.looseObject({ id: z.string() }) });

let server: WholeServer;
let ada: PlainBrowser;
let bob: PlainBrowser;
let token: string;
let otherApp: string;

beforeAll(async () => {
  server = await startWholeServer({});
  ada = await server.signedIn();
  bob = await invited(server, ada, 'bob@example.com', { permissions: ['vault'] });
  token = await grantToken(server.origin, ada, { name: 'Careful', ask: 'lose' });
  otherApp = await grantToken(server.origin, ada, { name: 'Other', ask: 'lose' });
});
afterAll(() => server[Symbol.asyncDispose]());

const rest = async (method: string, path: string, by = token, body?: unknown) => {
  const response = await fetch(`${server.origin}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? z.looseObject({}).parse(JSON.parse(text)) : {} };
};
const made = async (path: string) => rest('PUT', `/vault/vault/${path}?if_none_match=*`, token, { content: 'Text' });
const isThere = async (path: string) => (await rest('GET', `/vault/vault/${path}`)).status === 200;
const asked = async (path: string) => {
  await made(path);
  return required.parse((await rest('DELETE', `/vault/vault/${path}`)).body).approval.id;
};
const decide = (browser: PlainBrowser, id: string, decision = 'allow') =>
  sendJson(server, browser, ['POST', `/api/approvals/${id}`, { decision }]);

describe('an approval', () => {
  it('is decided by no app, whose own or not (ASK-014)', async () => {
    const id = await asked('App.md');
    for (const by of [token, otherApp]) {
      expect((await rest('POST', `/approvals/${id}`, by, { decision: 'allow' })).status).toBe(403);
      for (const path of ['/approvals', `/approvals/${id}`, '/approvals?state=decided']) {
        expect((await rest('GET', path, by)).status).toBe(403);
      }
    }
    // Nor with its token as a cookie, nor with the cookie that /set makes of that, by JSON or by a person's form.
    const set = await fetch(`${server.origin}/set`, { headers: { cookie: `user=${token}` }, redirect: 'manual' });
    const renewed = /^user=([^;]+)/.exec(set.headers.get('set-cookie') ?? '')?.[1] ?? '';
    expect(renewed).not.toBe('');
    const fields = { ...hiddenFields(await (await ada.get('/approvals')).text()), decision: 'allow' };
    for (const cookie of [`user=${token}`, `user=${renewed}`]) {
      const headers = { cookie, origin: server.origin };
      const json = await fetch(`${server.origin}/api/approvals/${id}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ decision: 'allow' }),
      });
      const form = await fetch(`${server.origin}/approvals/${id}`, {
        method: 'POST',
        headers,
        body: new URLSearchParams(fields),
        redirect: 'manual',
      });
      const page = await fetch(`${server.origin}/approvals`, { headers, redirect: 'manual' });
      expect([json.status, form.status]).toEqual([403, 403]);
      expect(await page.text()).not.toContain(id);
    }
    const form = await fetch(`${server.origin}/approvals/${id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, origin: server.origin },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
    expect(form.status).toBe(403);
    expect(await isThere('App.md')).toBe(true);
  });

  it('is decided by no answer of the app to the question that gives it the page (ASK-025)', async () => {
    await made('Opened.md');
    const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: { url: {}, form: {} } } });
    let opened = '';
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      opened = params.mode === 'url' ? params.elicitationId : 'a form';
      return { action: 'accept', content: { confirm: true, decision: 'allow' } };
    });
    const signedIn = { requestInit: { headers: { authorization: `Bearer ${token}` } } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/message', server.origin), signedIn));
    // The call waits for a person, longer than this client does.
    const call = { name: 'vault_note_delete', arguments: { path: 'Opened.md' } };
    await expect(client.callTool(call, undefined, { timeout: 2_000 })).rejects.toThrow();
    await client.close();
    expect(opened).toMatch(/^[\w-]{20,}$/);
    const { body } = await sendJson(server, ada, ['GET', '/api/approvals']);
    const { data } = z.object({ data: z.array(z.looseObject({ id: z.string(), state: z.string() })) }).parse(body);
    expect(data.find(({ id }) => id === opened)?.state).toBe('waiting');
    expect(await isThere('Opened.md')).toBe(true);
  });

  it('that has ended is of no use to anybody, and is asked again (ASK-008)', async () => {
    const id = await asked('Ended.md');
    const database = new DatabaseSync(join(server.dataDir, 'portolan.sqlite'));
    database.exec(`update approvals set expires_at = 1 where id = '${id}'`);
    database.close();
    expect(await decide(ada, id)).toMatchObject({ body: { reason: 'expired' } });
    expect(await (await ada.get('/approvals')).text()).not.toContain(id);
    const fetched = await rest('DELETE', `/vault/vault/Ended.md?approval=${id}`);
    expect(fetched).toMatchObject({ status: 403, body: { reason: 'expired' } });
    const again = required.parse((await rest('DELETE', '/vault/vault/Ended.md')).body).approval.id;
    expect(again).not.toBe(id);
    expect(await isThere('Ended.md')).toBe(true);
  });

  it('that is asked many times at once is one (ASK-004)', async () => {
    await made('Same.md');
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => rest('DELETE', '/vault/vault/Same.md')));
    expect(new Set(answers.map(({ body }) => required.parse(body).approval.id)).size).toBe(1);
  });

  it('is nobody else’s: for another user it does not exist (ASK-009)', async () => {
    const id = await asked('Bob.md');
    expect(await decide(bob, id)).toMatchObject({ status: 404, body: { reason: 'not_found' } });
    expect(JSON.stringify((await sendJson(server, bob, ['GET', '/api/approvals'])).body)).not.toContain(id);
    expect(await (await bob.get('/approvals')).text()).not.toContain(id);
    expect((await bob.get(`/approvals/${id}`)).status).toBe(404);
    expect((await sendJson(server, bob, ['GET', `/api/approvals/${id}`])).status).toBe(404);
    await decide(ada, id, 'refuse');
    expect(await (await bob.get('/approvals/decided')).text()).not.toContain(id);
    expect(await (await bob.get(`/approvals/decided?after=${id}`)).text()).not.toContain(id);
    expect(JSON.stringify((await sendJson(server, bob, ['GET', '/api/approvals?state=decided'])).body)).not.toContain(
      id,
    );
    expect(await isThere('Bob.md')).toBe(true);
  });

  it('is of no use to another app, nor for other inputs, nor a second time (ASK-009, ASK-005)', async () => {
    const id = await asked('Mine.md');
    await made('Another.md');
    const used = { status: 404, body: { reason: 'not_found' } };
    expect(await rest('DELETE', `/vault/vault/Mine.md?approval=${id}`, otherApp)).toMatchObject(used);
    const inputs = await rest('DELETE', `/vault/vault/Another.md?approval=${id}`);
    expect(inputs).toMatchObject({ status: 400, body: { reason: 'invalid_input' } });
    expect((await decide(ada, id)).status).toBe(200);
    expect(await decide(ada, id)).toMatchObject({ status: 409 });
    expect(await decide(ada, id, 'refuse')).toMatchObject({ status: 409 });
    await made('Mine.md');
    await rest('DELETE', `/vault/vault/Mine.md?approval=${id}`);
    await rest('DELETE', `/vault/vault/Another.md?approval=${id}`);
    expect([await isThere('Mine.md'), await isThere('Another.md')]).toEqual([true, true]);
  });

  it('is allowed by one of two who allow it at once (ASK-005)', async () => {
    const id = await asked('Twice.md');
    const statuses = (await Promise.all([decide(ada, id), decide(ada, id)])).map(({ status }) => status);
    expect(statuses.toSorted((left, right) => left - right)).toEqual([200, 409]);
  });

  it.each(['unknown', '..%2f', 'reaction:unknown', 'reaction:', '0', 'a'.repeat(500)])(
    'with the id %s does not exist',
    async (id) => {
      const answer = await decide(ada, id);
      expect(answer.status).toBe(404);
    },
  );

  it.each([
    {},
    { decision: 'maybe' },
    { decision: 'allow', always: 'yes' },
    { decision: 'refuse', comment: 'x'.repeat(501) },
  ])('is not decided by %j', async (body) => {
    const id = await asked('Bad.md');
    expect((await sendJson(server, ada, ['POST', `/api/approvals/${id}`, body])).status).toBe(400);
    expect(await isThere('Bad.md')).toBe(true);
  });

  it('is not decided by a form of another site, or without its token', async () => {
    const id = await asked('Form.md');
    expect((await ada.post(`/approvals/${id}`, { decision: 'allow', csrf_token: 'forged' })).status).toBe(403);
    const csrf_token = hiddenFields(await (await ada.get('/approvals')).text())['csrf_token'] ?? '';
    const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const foreign = await fetch(`${server.origin}/approvals/${id}`, {
      method: 'POST',
      headers: { cookie, origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ decision: 'allow', csrf_token }),
    });
    expect(foreign.status).toBe(403);
    expect(await isThere('Form.md')).toBe(true);
  });

  it('is gone with its app (ASK-010)', async () => {
    const brief = await grantToken(server.origin, ada, { name: 'Brief', ask: 'lose' });
    await made('Brief.md');
    const { id } = required.parse((await rest('DELETE', '/vault/vault/Brief.md', brief)).body).approval;
    const { data } = z
      .object({ data: z.array(z.looseObject({ id: z.string(), name: z.string() })) })
      .parse((await sendJson(server, ada, ['GET', '/api/apps'])).body);
    const app = data.find(({ name }) => name === 'Brief')?.id ?? '';
    await sendJson(server, ada, ['DELETE', `/api/apps/${app}`]);
    expect((await decide(ada, id)).status).toBe(404);
    expect(await isThere('Brief.md')).toBe(true);
  });

  it('waits at most 50 times for an app and 200 times for a user, also when all are asked at once (ASK-012)', async () => {
    const eve = await invited(server, ada, 'eve@example.com', { permissions: ['vault'] });
    const waiting = async () => {
      const database = new DatabaseSync(join(server.dataDir, 'portolan.sqlite'));
      const row = database
        .prepare("select count(*) as n from approvals where app like 'Many%' and state = 'waiting'")
        .get();
      database.close();
      return row?.['n'];
    };
    const outcomes = new Map<string, number>();
    for (const app of [1, 2, 3, 4, 5]) {
      const many = await grantToken(server.origin, eve, { name: `Many ${app}`, ask: 'change' });
      const ask = (at: number) =>
        rest('PUT', `/vault/vault/Many%20${app}%20${at}.md?if_none_match=*`, many, { content: `${at}` });
      const answers = await Promise.all(Array.from({ length: app === 1 ? 60 : 50 }, (_, at) => ask(at)));
      for (const { status, body } of answers) {
        const text = `${status} ${String(body['reason'])}`;
        outcomes.set(text, (outcomes.get(text) ?? 0) + 1);
      }
      expect(await waiting()).toBe(Math.min(app * 50, 200));
    }
    expect(Object.fromEntries(outcomes)).toEqual({ '403 approval_required': 200, '429 rate_limited': 60 });
    const pages: number[] = [];
    for (let path: string | null = '/api/approvals'; path !== null; ) {
      const { body } = await sendJson(server, eve, ['GET', path]);
      const { data, next } = z.object({ data: z.array(z.unknown()), next: z.string().nullable() }).parse(body);
      pages.push(data.length);
      path = next === null ? null : `/api/approvals?after=${next}`;
    }
    expect(pages).toEqual([25, 25, 25, 25, 25, 25, 25, 25]);
    const html = await (await eve.get('/approvals')).text();
    expect(html.match(/<li class="card"/g)).toHaveLength(25);
    expect(html).toMatch(/href="\/approvals"[^>]*>.*?<span class="pill warn">200</s);
    const after = /href="(\/approvals\?after=[^"]+)"/.exec(html)?.[1] ?? '';
    expect((await (await eve.get(after)).text()).match(/<li class="card"/g)).toHaveLength(25);
  });

  it('is of a change of at most 1 MB (ASK-012)', async () => {
    const large = await grantToken(server.origin, ada, { name: 'Large', ask: 'change' });
    const ask = async (path: string, length: number) => {
      const call = { name: 'vault_note_write', arguments: { path, content: 'x'.repeat(length) } };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
      return (await post(server.origin, message, { person: large })).text();
    };
    expect(await ask('Large.md', 900_000)).toContain('approval_required');
    const refused = await ask('Larger.md', 1_100_000);
    expect(refused).toContain('too_large');
    expect(refused).toContain('too large to ask the user about');
    expect(refused.length).toBeLessThan(5_000);
  });

  it('shows the app’s own words as text, and says of no secret, word or input in the log or the activity (ASK-013, UNDO-058)', async () => {
    const words = '<img src=x onerror=alert(1)>\u202e\u200b"\'&';
    const shown = await grantToken(server.origin, ada, { name: '<b>Bold</b>\u202e', ask: 'change' });
    const content = 'secretive content\u202e <script>alert(2)</script>';
    const path = `/vault/vault/Shown.md?if_none_match=*&explain=${encodeURIComponent(words)}`;
    const { id } = required.parse((await rest('PUT', path, shown, { content })).body).approval;
    const html = await (await ada.get('/approvals')).text();
    const card = html.slice(html.indexOf(`id="${id}"`)).split('</li>')[0] ?? '';
    expect(card).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(card).toContain('secretive content');
    expect(card).not.toMatch(/<img|<script|<b>Bold|[\u202e\u200b]/);
    expect(card).toContain('\\u202e');
    expect(
      await sendJson(server, ada, ['POST', `/api/approvals/${id}`, { decision: 'refuse', comment: 'my comment' }]),
    ).toMatchObject({ status: 200 });
    expect(await rest('PUT', `${path}&approval=${id}`, shown, { content })).toMatchObject({
      body: { reason: 'declined' },
    });
    const places = [
      server.log(),
      await (await ada.get('/activity')).text(),
      await (await ada.get('/activity.csv')).text(),
      await (await ada.get('/activity?users=all')).text(),
      JSON.stringify((await sendJson(server, ada, ['GET', '/api/activity'])).body),
      await (await ada.get('/audit')).text(),
    ];
    expect(places[0]).toContain('approvals');
    for (const place of places) {
      expect(place).not.toContain('onerror');
      expect(place).not.toContain('secretive');
      expect(place).not.toContain('my comment');
      expect(place).not.toContain(shown);
      expect(place).not.toContain(token);
    }
  });
});

describe('what an app is asked', () => {
  it('is not chosen by the app itself, nor by another user (ASK-015)', async () => {
    const { data } = z
      .object({ data: z.array(z.looseObject({ id: z.string() })) })
      .parse((await sendJson(server, ada, ['GET', '/api/apps'])).body);
    const id = data[0]?.id ?? '';
    expect((await rest('PATCH', `/apps/${id}`, token, { ask: 'never' })).status).toBe(403);
    expect((await sendJson(server, bob, ['PATCH', `/api/apps/${id}`, { ask: 'never' }])).status).toBe(404);
    expect((await rest('PUT', '/approval-floor', token, { floor: {} })).status).toBe(403);
    expect((await sendJson(server, bob, ['PUT', '/api/approval-floor', { floor: {} }])).status).toBe(403);
  });
});
