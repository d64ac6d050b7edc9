import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ada } from '#test/support/authorization/auth-app.ts';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { post } from '#test/support/mcp/mcp-clients.ts';
import { type Cluster, openCluster } from '#test/support/server/cluster.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { signedInAt } from '#test/support/server/signed-in.ts';
import { sendJson } from '#test/support/server/whole-server.ts';

const answerSchema = z.looseObject({
  result: z.looseObject({
    isError: z.boolean().default(false),
    content: z.tuple([z.looseObject({ text: z.string() })], z.unknown()),
    structuredContent: z.looseObject({ approval: z.looseObject({ id: z.string() }).optional() }).optional(),
  }),
});

let cluster: Cluster;
let browser: PlainBrowser;
let origins: readonly string[];

beforeAll(async () => {
  cluster = await openCluster({ servers: 2, env: { RATE_LIMITS: 'off' } });
  origins = cluster.servers.map(({ origin }) => origin);
  browser = await signedInAt(cluster.baseUrl, ada);
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

const app = (name: string, ask?: string) =>
  grantToken(cluster.baseUrl, browser, { name, ...(ask === undefined ? {} : { ask }) });
const at = (index: number) => origins[index] ?? '';
async function call(index: number, token: string, name: string, args: object) {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const { result } = answerSchema.parse(await (await post(at(index), message, { person: token })).json());
  // A long answer is sent once, as text.
  const data = result.structuredContent ?? z.looseObject({}).parse(JSON.parse(result.content[0].text));
  return { ok: !result.isError, reason: data['reason'], data, id: result.structuredContent?.approval?.id ?? '' };
}
let notes = 0;
/** Writes a note that is not there yet. */
function write(index: number, token: string, name: string) {
  notes += 1;
  return call(index, token, 'vault_note_write', { path: `${name} ${notes}.md`, content: 'Text' });
}
const decide = (index: number, id: string, decision = 'allow') =>
  sendJson({ origin: at(index) }, browser, ['POST', `/api/approvals/${id}`, { decision }]);

describe('two servers on one database', () => {
  it('make a change once that is allowed on both at once, and answer its outcome on both (ASK-005)', async () => {
    const token = await app('Both', 'change');
    for (let round = 0; round < 5; round += 1) {
      const path = `Once ${round}.md`;
      const args = { path, content: 'line\n', mode: 'append' };
      const asked = await call(0, token, 'vault_note_write', args);
      expect(asked.reason).toBe('approval_required');
      const decided = await Promise.all([decide(0, asked.id), decide(1, asked.id)]);
      expect(decided.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([200, 409]);
      const fetched = await Promise.all(
        [0, 1].map((index) => call(index, token, 'vault_note_write', { ...args, approval: asked.id })),
      );
      expect(fetched.map(({ ok }) => ok)).toEqual([true, true]);
      const note = await fetch(`${at(1)}/api/vault/vault/${encodeURIComponent(path)}`, {
        headers: { authorization: `Bearer ${token}`, accept: 'text/markdown' },
      });
      expect(await note.json()).toMatchObject({ data: 'line\n' });
    }
  });

  it('ask once about a change that both are asked for at once (ASK-004)', async () => {
    const token = await app('Twice', 'change');
    for (let round = 0; round < 5; round += 1) {
      const args = { path: `Twice ${round}.md`, content: 'Text' };
      const both = await Promise.all([0, 1, 0, 1].map((index) => call(index, token, 'vault_note_write', args)));
      expect(both.map(({ reason }) => reason)).toEqual(Array.from({ length: 4 }, () => 'approval_required'));
      expect(new Set(both.map(({ id }) => id)).size).toBe(1);
    }
    expect(await cluster.query("select count(*) as asked from approvals where app = 'Twice'")).toEqual([
      { asked: '5' },
    ]);
  });

  it('ask as was chosen on the other one since (ASK-015)', async () => {
    const token = await app('Chosen', 'never');
    for (const index of [0, 1]) expect(await write(index, token, 'Chosen')).toMatchObject({ ok: true });
    const apps = z
      .object({ data: z.array(z.looseObject({ id: z.string(), name: z.string().nullable() })) })
      .parse((await sendJson({ origin: at(0) }, browser, ['GET', '/api/apps'])).body);
    const id = apps.data.find(({ name }) => name === 'Chosen')?.id ?? '';
    const choose = (index: number, ask: string) =>
      sendJson({ origin: at(index) }, browser, ['PATCH', `/api/apps/${id}`, { ask }]);
    expect(await choose(0, 'change')).toMatchObject({ status: 200 });
    for (const index of [0, 1]) {
      await expect
        .poll(async () => (await write(index, token, 'Asked')).reason, { timeout: 30_000 })
        .toBe('approval_required');
    }
    expect(await choose(1, 'never')).toMatchObject({ status: 200 });
    for (const index of [0, 1]) {
      await expect.poll(async () => (await write(index, token, 'Free')).ok, { timeout: 30_000 }).toBe(true);
    }
  });

  it('ask what an administrator has asked on the other one since (ASK-017)', async () => {
    const token = await app('Floored', 'never');
    const set = (index: number, floor: object) =>
      sendJson({ origin: at(index) }, browser, ['PUT', '/api/approval-floor', { floor }]);
    expect(await set(0, { vault: ['add'] })).toMatchObject({ status: 200 });
    for (const index of [0, 1]) {
      await expect
        .poll(async () => (await write(index, token, 'Floor')).reason, { timeout: 30_000 })
        .toBe('approval_required');
    }
    expect(await set(1, {})).toMatchObject({ status: 200 });
    for (const index of [0, 1]) {
      await expect.poll(async () => (await write(index, token, 'Unfloored')).ok, { timeout: 30_000 }).toBe(true);
    }
  });

  it('notify the app at one of a decision made at the other (ASK-018)', async () => {
    const token = await app('Listening', 'change');
    const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/message', at(0)), { requestInit }));
    const heard: string[] = [];
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
    for (const decision of ['allow', 'refuse']) {
      const asked = await write(0, token, 'Heard');
      const uri = `portolan://approvals/${asked.id}`;
      await client.subscribeResource({ uri });
      expect((await decide(1, asked.id, decision)).status).toBe(200);
      await expect.poll(() => heard.filter((one) => one === uri).length, { timeout: 30_000 }).toBeGreaterThan(0);
      const { contents } = await client.readResource({ uri });
      expect(JSON.stringify(contents)).toContain(decision === 'allow' ? 'done' : 'refused');
    }
    await client.close();
  });

  it('take a change back once that both take back at once (UNDO-052)', async () => {
    const token = await app('Undoing');
    for (let round = 0; round < 3; round += 1) {
      const path = `Undone ${round}.md`;
      await call(0, token, 'vault_note_write', { path, content: 'First\n' });
      await call(1, token, 'vault_note_write', { path, content: 'Second\n', mode: 'overwrite' });
      const listed = await call(0, token, 'workspace_undo', { dry: true });
      const id = z.looseObject({ changes: z.array(z.looseObject({ id: z.string() })) }).parse(listed.data)
        .changes[0]?.id;
      const taken = await Promise.all([0, 1].map((index) => call(index, token, 'workspace_undo', { activity: id })));
      expect(taken.filter(({ ok }) => ok)).toHaveLength(1);
      const note = await fetch(`${at(1)}/api/vault/vault/${encodeURIComponent(path)}`, {
        headers: { authorization: `Bearer ${token}`, accept: 'text/markdown' },
      });
      expect(await note.json()).toMatchObject({ data: 'First\n' });
    }
  });
});
