import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hiddenFields, type PlainBrowser } from '#test/support/authorization/plain-browser.ts';
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
      expect((await rest('GET', '/approvals', by)).status).toBe(403);
    }
    const asCookie = await fetch(`${server.origin}/api/approvals/${id}`, {
      method: 'POST',
      headers: { cookie: `session=${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ decision: 'allow' }),
    });
    expect([401, 403]).toContain(asCookie.status);
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

  it('is nobody else’s: for another user it does not exist (ASK-009)', async () => {
    const id = await asked('Bob.md');
    expect(await decide(bob, id)).toMatchObject({ status: 404, body: { reason: 'not_found' } });
    expect(JSON.stringify((await sendJson(server, bob, ['GET', '/api/approvals'])).body)).not.toContain(id);
    expect(await (await bob.get('/approvals')).text()).not.toContain(id);
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

  it('waits at most 50 times for an app (ASK-012)', async () => {
    const many = await grantToken(server.origin, ada, { name: 'Many', ask: 'change' });
    const ask = (at: number) => rest('PUT', `/vault/vault/Many%20${at}.md?if_none_match=*`, many, { content: `${at}` });
    for (let at = 0; at < 50; at += 1) expect((await ask(at)).body).toMatchObject({ reason: 'approval_required' });
    expect(await ask(50)).toMatchObject({ status: 429, body: { reason: 'rate_limited' } });
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
