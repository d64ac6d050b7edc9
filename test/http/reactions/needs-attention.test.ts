import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningPortolan } from '#bootstrap/portolan.ts';
import { dealPayload, salesCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';
import { post, serverFolder, settled, signIn, startServer } from '#test/support/webhooks/webhook-server.ts';

let folder: Awaited<ReturnType<typeof serverFolder>>;
let server: RunningPortolan;
let cookie: string;

const failing = `---
reaction: on
when: sales_crm.updated.deal
note: Log.md
once: "{% if deal.id == 0 %}x{% endif %}"
---
- {{ deal.title }}
`;

beforeAll(async () => {
  folder = await serverFolder();
  await mkdir(join(folder.path, 'vault', 'Reactions'), { recursive: true });
  await writeFile(join(folder.path, 'vault', 'Reactions', 'log.md'), failing);
  server = await startServer(folder.path);
  cookie = await signIn(server.baseUrl);
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

const page = async (path: string) => (await fetch(`${server.baseUrl}${path}`, { headers: { cookie } })).text();
const json = async () => (await fetch(`${server.baseUrl}/api/attention`, { headers: { cookie } })).json();
const home = /<a href="\/floki\/index"[^>]*>[\s\S]*?<\/a>/;

it('home begins with what needs the user, and the navigation counts it (PAGE-029, PAGE-030)', async () => {
  expect(await json()).toEqual({ data: [] });
  expect(await page('/floki/index')).not.toContain('Needs your attention');
  await post(server.baseUrl, salesCrmDelivery(dealPayload({ id: 7, title: 'Secret title' })));
  await settled(server.baseUrl);
  // What concerns the whole server is read again after some seconds.
  await expect.poll(json, { timeout: 30_000 }).toEqual({
    data: [
      {
        kind: 'reaction_failed',
        title: 'A reaction failed on a delivery',
        count: 1,
        is_more: false,
        since: expect.stringMatching(/^\d{4}-.*Z$/),
        url: `${server.baseUrl}/deliveries?state=faulty`,
      },
    ],
  });
  const shown = await page('/floki/index');
  expect(shown).toContain('One thing needs your attention.');
  expect(shown).toMatch(
    /Needs your attention<\/h2>[\s\S]*href="\/deliveries\?state=faulty"><bdi>A reaction failed on a delivery/,
  );
  expect(home.exec(shown)?.[0]).toContain('<span class="pill warn">1<');
  await expect.poll(async () => home.exec(await page('/account'))?.[0], { timeout: 30_000 }).toContain('pill warn">1<');
  expect(shown).not.toContain('Secret title');
});

it('nobody reads it without a token (PAGE-030)', async () => {
  expect((await fetch(`${server.baseUrl}/api/attention`)).status).toBe(401);
});
