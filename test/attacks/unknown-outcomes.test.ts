import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { RunningPortolan } from '#bootstrap/portolan.ts';
import { SignedIn } from '#test/demo/signed-in.ts';
import { allowReaction } from '#test/support/changes/decision-form.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';
import { dealPayload, salesCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';
import { admin, post, serverFolder, settled, startServer } from '#test/support/webhooks/webhook-server.ts';

// A provider that takes a reaction's call and hangs up: nobody knows what came of it, and only that call may wait.

let folder: Awaited<ReturnType<typeof serverFolder>>;
let provider: LoopbackServer;
let server: RunningPortolan;
let person: SignedIn;
let calls = 0;

const file = (path: string) => join(folder.path, 'vault', path);
const note = (path: string) => readFile(file(path), 'utf8').catch(() => null);
const head = '---\nreaction: on\nwhen: sales_crm.updated.deal\n';

beforeAll(async () => {
  provider = await serveOnLoopback((request, response) => {
    request.resume();
    if (request.method === 'GET')
      return response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true,"data":{}}');
    calls += 1;
    return request.socket.destroy();
  });
  folder = await serverFolder();
  server = await startServer(folder.path, { SALES_CRM_URL: `${provider.url}/sales`, WEBHOOK_REGISTRATION: 'off' });
  person = await SignedIn.to(server.baseUrl, admin);
  const extra = { plan: 'ultimate', seats: 100 };
  await person.call('POST', '/save', {
    service: 'sales_crm',
    auth_method: 'personal_token',
    access_token: 'a-key',
    extra,
  });
  await mkdir(file('Reactions'), { recursive: true });
  await writeFile(
    file('Reactions/a.md'),
    `${head}do:\n  - sales_crm.deals.create: { title: "Copy of {{ deal.title }}" }\n---\n`,
  );
  await writeFile(file('Reactions/b.md'), `${head}note: After.md\n---\n- {{ deal.title }}\n`);
  for (const path of ['Reactions/a.md', 'Reactions/b.md']) {
    await vi.waitFor(async () => expect(await note(path)).toContain('reaction_status'), {
      timeout: 60_000,
      interval: 50,
    });
  }
});
afterAll(async () => {
  await server.stop();
  await provider.close();
  await folder.remove();
});

it('a call with an unknown outcome blocks neither other reactions nor later deliveries, and is not repeated without a decision (WRITE-006, WRITE-024)', async () => {
  const status = await allowReaction('Reactions/a.md', {
    get: async (path) => (await person.fetch(path)).text(),
    post: (path, fields) =>
      person.fetch(path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' }),
  });
  expect(status).toBe(303);
  for (const id of [1, 2]) {
    await post(server.baseUrl, salesCrmDelivery(dealPayload({ id, title: `Deal ${id}` })));
    await settled(server.baseUrl);
  }
  expect(await note('After.md')).toMatch(/^- Deal 1 .*\n- Deal 2 /);
  expect(calls).toBe(2);
  expect(await (await person.fetch('/deliveries?state=dead')).text()).not.toContain('/deliveries/1"');
  expect(await (await person.fetch('/reactions')).text()).toMatch(/unknown|decide/i);
});
