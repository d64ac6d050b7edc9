import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ReactionThreads } from '#adapters/reactions/reaction-threads.ts';
import type { RunningPortolan } from '#bootstrap/portolan.ts';
import { dealPayload, salesCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';
import { post, serverFolder, settled, signIn, startServer } from '#test/support/webhooks/webhook-server.ts';

let folder: Awaited<ReturnType<typeof serverFolder>>;
let server: RunningPortolan;
let cookie: string;

beforeAll(async () => {
  folder = await serverFolder();
  server = await startServer(folder.path);
  cookie = await signIn(server.baseUrl);
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its object.
  const { read } = ReactionThreads.prototype;
  // As on a machine that is busy.
  vi.spyOn(ReactionThreads.prototype, 'read').mockImplementation(async function (this: ReactionThreads, path, text) {
    await delay(500);
    return read.call(this, path, text);
  });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await server.stop();
  await folder.remove();
});

const reaction = (note: string) =>
  `---\nreaction: on\nwhen: sales_crm.updated.deal\nnote: ${note}\n---\n- {{ deal.title }}\n`;

async function change(method: 'PUT' | 'DELETE', content?: string): Promise<void> {
  const headers = { cookie, origin: server.baseUrl, 'content-type': 'application/json' };
  const body = content === undefined ? {} : { body: JSON.stringify({ content }) };
  const answer = await fetch(`${server.baseUrl}/api/vault/vault/Reactions/new.md`, { method, headers, ...body });
  expect(answer.ok, await answer.text()).toBe(true);
}

async function deliver(title: string): Promise<void> {
  const answer = await post(server.baseUrl, salesCrmDelivery(dealPayload({ id: title.length, title })));
  expect(answer.status).toBe(200);
  await settled(server.baseUrl);
}

const noteText = (path: string) => readFile(join(folder.path, 'vault', path), 'utf8').catch(() => '');

it('a reaction has the first event after the answer to its writing, its change and its deletion (WRITE-041)', async () => {
  await deliver('Before');
  await change('PUT', reaction('First.md'));
  await deliver('Written');
  await change('PUT', reaction('Second.md'));
  await deliver('Changed now');
  await change('DELETE');
  await deliver('Deleted by then');
  expect(await noteText('First.md')).toMatch(/^- Written \^evt-[0-9a-f]{16}\n$/);
  expect(await noteText('Second.md')).toMatch(/^- Changed now \^evt-[0-9a-f]{16}\n$/);
});
