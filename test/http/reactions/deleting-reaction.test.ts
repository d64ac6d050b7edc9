import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningPortolan } from '#bootstrap/portolan.ts';
import { decisionForm } from '#test/support/changes/decision-form.ts';
import { dealPayload, salesCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';
import { post, serverFolder, settled, signIn, startServer } from '#test/support/webhooks/webhook-server.ts';

let folder: Awaited<ReturnType<typeof serverFolder>>;
let server: RunningPortolan;

beforeAll(async () => {
  folder = await serverFolder();
  await mkdir(join(folder.path, 'vault', 'Reactions'), { recursive: true });
  await writeFile(join(folder.path, 'vault', 'Done.md'), 'text');
  await writeFile(
    join(folder.path, 'vault', 'Reactions', 'delete.md'),
    '---\nreaction: on\nwhen: sales_crm.updated.deal\ndo:\n  - vault.notes.delete: { path: "Done.md" }\n---\n',
  );
  server = await startServer(folder.path);
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

it('what a reaction deletes goes to the trash (VER-006)', async () => {
  const cookie = await signIn(server.baseUrl);
  const get = async (path: string) => (await fetch(`${server.baseUrl}${path}`, { headers: { cookie } })).text();
  await post(server.baseUrl, salesCrmDelivery(dealPayload({ id: 1, title: 'Deal 1' })));
  await settled(server.baseUrl);
  const form = decisionForm(await get('/approvals'), 'Reactions/delete.md');
  const body = new URLSearchParams({ ...form?.fields, decision: 'allow', comment: '' });
  const headers = { cookie, origin: server.baseUrl };
  await fetch(`${server.baseUrl}${form?.action}`, { method: 'POST', body, headers, redirect: 'manual' });
  const trash = join(folder.path, 'vault', '.trash', 'portolan');
  await expect.poll(() => readdir(trash).catch(() => []), { timeout: 30_000 }).toHaveLength(1);
  const [name = ''] = await readdir(trash);
  expect(name).toMatch(/^Done \(deleted \d{8}T\d{9}Z-[0-9a-f]{8}\)\.md$/);
  expect(await readFile(join(trash, name), 'utf8')).toBe('text');
  expect(await readdir(join(folder.path, 'vault'))).not.toContain('Done.md');
});
