import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningPortolan } from '#bootstrap/portolan.ts';
import { allowReaction } from '#test/support/changes/decision-form.ts';
import { post, serverFolder, settled, signIn, startServer } from '#test/support/webhooks/webhook-server.ts';
import { issueData, issuePayload, trackerDelivery } from '#test/support/webhooks/webhook-tracker.ts';

// Who has the permission `vault` and no other writes a reaction, and reads in its note what happens in the tracker.

let folder: Awaited<ReturnType<typeof serverFolder>>;
let server: RunningPortolan;
let cookie: string;

const spy = (name: string, mode = 'on') =>
  `---\nreaction: ${mode}\nwhen: tracker.issue.create\nnote: ${name}.md\n---\n- {{ issue.title }}\n`;
const file = (path: string) => join(folder.path, 'vault', path);
const note = (path: string) => readFile(file(path), 'utf8').catch(() => null);
const page = async (path: string) => (await fetch(`${server.baseUrl}${path}`, { headers: { cookie } })).text();
const pageOf = (name: string) => page(`/reactions/one?path=Reactions%2F${name}.md`);

async function write(name: string, text = spy(name)): Promise<void> {
  await mkdir(dirname(file(`Reactions/${name}.md`)), { recursive: true });
  await writeFile(file(`Reactions/${name}.md`), text);
  await expect.poll(() => note(`Reactions/${name}.md`), { timeout: 30_000 }).toContain('reaction_status: ok');
}

let issues = 0;
async function happens(title: string): Promise<void> {
  issues += 1;
  const data = { ...issueData(), id: `issue-${issues}`, title };
  await post(server.baseUrl, trackerDelivery(issuePayload(Date.now(), { data }), { 'tracker-delivery': `d${issues}` }));
  await settled(server.baseUrl);
}

async function invite(...permissions: readonly string[]): Promise<void> {
  const body = JSON.stringify({ email: `${permissions.join('-')}@example.com`, permissions });
  const headers = { cookie, origin: server.baseUrl, 'content-type': 'application/json' };
  const answer = await fetch(`${server.baseUrl}/api/users`, { method: 'POST', headers, body });
  expect(answer.status).toBe(201);
}

beforeAll(async () => {
  folder = await serverFolder();
  server = await startServer(folder.path);
  cookie = await signIn(server.baseUrl);
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

it('a reaction runs without approval while all users of the vault may use the tracker; a later invitation stops nothing (WRITE-034)', async () => {
  await write('early');
  await happens('one');
  expect(await note('early.md')).toContain('- one');
  await invite('vault');
  await happens('two');
  expect(await note('early.md')).toContain('- two');
});

it('a reaction written later waits, and catches up once an administrator approves it (WRITE-034)', async () => {
  await write('late');
  await write('dry', spy('dry', 'dry'));
  await happens('three');
  expect(await note('late.md')).toBeNull();
  expect(await note('early.md')).toContain('- three');
  expect(await pageOf('dry')).not.toContain('three');
  const shown = await pageOf('late');
  expect(shown).toContain('events of tracker, which not all users of the vault may use');

  const headers = { cookie, origin: server.baseUrl };
  const status = await allowReaction('Reactions/late.md', {
    get: page,
    post: (path, fields) =>
      fetch(`${server.baseUrl}${path}`, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers,
        redirect: 'manual',
      }),
  });
  expect(status).toBe(303);
  await settled(server.baseUrl);
  expect(await note('late.md')).toContain('- three');
  expect(await pageOf('late')).not.toContain('This waits');
});

it('a changed text needs a new approval (WRITE-034)', async () => {
  await write('late', spy('late').replace('{{ issue.title }}', '{{ issue.title }} {{ issue.description }}'));
  await happens('four');
  expect(await note('late.md')).not.toContain('four');
});

it('a schedule, which reads all services, waits, too (WRITE-034)', async () => {
  await write(
    'weekly',
    '---\nreaction: on\nwhen: "schedule: 0 17 * * 5"\nnote: weekly.md\n---\n{{ events.tracker.size }}\n',
  );
  expect(await pageOf('weekly')).toMatch(/events of [a-z_, ]*tracker/);
});
