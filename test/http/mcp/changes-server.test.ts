import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ada } from '#test/support/authorization/auth-app.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { post, toolsCall } from '#test/support/mcp/mcp-clients.ts';
import { type Ear, ears, plain } from '#test/support/mcp/mcp-ears.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';
import { programEnvironment } from '#test/support/server/program-environment.ts';
import { signedInAt } from '#test/support/server/signed-in.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';
import { issueData, issuePayload, sign } from '#test/support/webhooks/webhook-tracker.ts';

const secret = 'a signing secret of the tracker';
const address = 'vault://Issues/ENG-7%20Fix%20login.md';
const connections = 'portolan://connections';
const periodic = 'vault://Daily/2026-01-05.md';

let server: WholeServer;
let token: string;
let cookie: string;
let listening: readonly Ear[];

beforeAll(async () => {
  server = await openWholeServer({ TRACKER_WEBHOOK_SECRET: secret, SIGNING_URL: 'http://127.0.0.1:9' });
  cookie = `user=${(await signedInAt(server.origin, ada)).cookies.get('user')}`;
  token = await accessToken(server);
  const uris = [address, periodic, ...['tool', 'rest', 'hand'].map((name) => `vault://By ${name}.md`), connections];
  listening = await Promise.all(Object.values(ears).map((open) => open({ url: server.origin }, token, { uris })));
});
afterAll(async () => {
  for (const ear of listening) await ear.close();
  await server[Symbol.asyncDispose]();
});

const ask = (method: string, path: string, body?: unknown) =>
  fetch(`${server.origin}${path}`, {
    method,
    headers: { cookie, accept: 'application/json', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const deliver = async (payload: unknown, id: string) => {
  const body = JSON.stringify(payload);
  const headers = { 'tracker-signature': sign(body, secret), 'tracker-delivery': id, 'tracker-event': 'Issue' };
  expect((await fetch(`${server.origin}/webhooks/tracker`, { method: 'POST', headers, body })).status).toBe(200);
};

const user = async (...args: readonly string[]) => {
  const env = { ...programEnvironment(), DATA_DIR: server.dataDir };
  const child = spawn(process.execPath, [await testedProgram('bootstrap/cli/user.ts'), ...args], { env });
  expect(await once(child, 'close')).toEqual([0, null]);
};

/** Whether every client hears it next, save what else it hears on the way. */
const allHear = async (wanted: unknown) => {
  for (const ear of listening) {
    for (;;) {
      const heard = await ear.next();
      expect(heard).not.toBeNull();
      if (JSON.stringify(plain(heard)) === JSON.stringify(wanted)) break;
    }
  }
};
const updated = (uri: string) => ['notifications/resources/updated', { uri }];
const list = (kind: string) => `notifications/${kind}/list_changed`;

describe(`clients of every era (${Object.keys(ears).join(', ')}) are notified`, () => {
  it('of the note that a delivery creates', async () => {
    await deliver(issuePayload(Date.now()), 'one');
    await allHear(list('resources'));
    await allHear(updated(address));
  });

  it('of the note that a delivery changes (MCP-010)', async () => {
    const state = { id: 'd2', name: 'Done', type: 'completed' };
    const data = issueData({ title: 'Fix login', state, updatedAt: new Date().toISOString() });
    await deliver(issuePayload(Date.now(), { action: 'update', data, updatedFrom: { stateId: 'd1' } }), 'two');
    await allHear(updated(address));
  });

  it('of the note that a tool changes (MCP-010)', async () => {
    const call = toolsCall(1, 'vault_note_write', { arguments: { path: 'By tool.md', content: 'x' } });
    expect((await post(server.origin, call, { person: token })).status).toBe(200);
    await allHear(updated('vault://By tool.md'));
  });

  it('of the periodic note that a tool writes, by its path', async () => {
    const args = { period: 'daily', date: '2026-01-05', content: 'Met Ann.' };
    const call = toolsCall(1, 'vault_periodic_write', { arguments: args });
    expect((await post(server.origin, call, { person: token })).status).toBe(200);
    await allHear(updated(periodic));
  });

  it('of the note that is written over REST (MCP-010)', async () => {
    expect((await ask('PUT', '/api/vault/vault/By%20rest.md', { content: 'x' })).status).toBe(200);
    await allHear(updated('vault://By rest.md'));
  });

  it('of the note that a person writes in the folder (MCP-010)', async () => {
    await writeFile(join(server.dataDir, 'vault', 'By hand.md'), 'x');
    await allHear(updated('vault://By hand.md'));
  });

  it('of their tools when a service is connected, and when it is disconnected (MCP-009)', async () => {
    const given = { service: 'signing', auth_method: 'api_key', access_token: 'x' };
    expect((await ask('POST', '/save', given)).status).toBe(200);
    await allHear(list('tools'));
    await allHear(updated(connections));
    expect((await ask('POST', '/disconnect', { service: 'signing' })).status).toBe(200);
    await allHear(list('tools'));
  });

  it('of their lists when another process revokes a permission, and of the notes no more (MCP-009)', async () => {
    await user('revoke', ada.email, 'vault');
    for (const kind of ['tools', 'prompts', 'resources']) await allHear(list(kind));
    await writeFile(join(server.dataDir, 'vault', 'By hand.md'), 'unheard');
    await user('permit', ada.email, 'vault');
    for (const ear of listening) {
      const heard = [];
      while (heard.at(-1) !== list('resources')) heard.push(plain(await ear.next()));
      expect(heard).not.toContainEqual(updated('vault://By hand.md'));
    }
  });
});
