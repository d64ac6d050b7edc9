import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { VaultFolder } from '#adapters/vault-folder/notes/vault-folder.ts';
import { startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

const reaction = (title: string): string =>
  `---\nreaction: on\nwhen: tracker.issue.remove\nif: issue.title == "${title}"\nnote: Log.md\n---\n- {{ issue.title }}\n`;

let server: WholeServer;

beforeAll(async () => {
  server = await startWholeServer({ TRACKER_WEBHOOK_SECRET: 'secret' });
  await mkdir(join(server.dataDir, 'vault/Reactions'), { recursive: true });
  for (let index = 1; index <= 60; index += 1) {
    const name = `Rule ${String(index).padStart(2, '0')}`;
    await writeFile(join(server.dataDir, `vault/Reactions/${name}.md`), reaction(name));
  }
});
afterAll(() => server[Symbol.asyncDispose]());

const titlesOf = (page: string): readonly string[] =>
  [...page.matchAll(/<bdi>(Rule \d+)<\/bdi>/g)].map(([, title = '']) => title);

it('lists fifty reactions on a page, and the others on the next (WRITE-008)', async () => {
  const browser = await server.signedIn();
  await expect.poll(async () => titlesOf(await (await browser.get('/reactions')).text()).length).toBe(50);
  const first = await (await browser.get('/reactions')).text();
  expect(titlesOf(first).at(-1)).toBe('Rule 50');
  const [, more = ''] = /<a class="button quiet" href="([^"]+)">More reactions</.exec(first) ?? [];
  const second = await (await browser.get(more)).text();
  expect(titlesOf(second)).toEqual(Array.from({ length: 10 }, (_, index) => `Rule ${51 + index}`));
  expect(second).not.toContain('More reactions');
  expect(second).toContain('action="/reactions/switches"');
  const beyond = await (await browser.get('/reactions?after=Reactions%2FZ.md')).text();
  expect(beyond).toContain('There are no more reactions.');
});

it('reads no note again for a page of reactions, a reaction or the approvals (WRITE-040)', async () => {
  const browser = await server.signedIn();
  const read = vi.spyOn(VaultFolder.prototype, 'read');
  const readBy = async (path: string) => {
    read.mockClear();
    expect((await browser.get(path)).status).toBe(200);
    return read.mock.calls.filter(([name]) => name.startsWith('Reactions/')).length;
  };
  // Their statuses were written a moment ago.
  await expect.poll(() => readBy('/reactions'), { timeout: 60_000 }).toBe(0);
  expect(await readBy('/approvals')).toBe(0);
  expect(await readBy('/api/approvals')).toBe(0);
  // Its lines are shown.
  expect(await readBy('/reactions/one?path=Reactions%2FRule%2007.md')).toBe(1);
  const path = 'Reactions/Rule 07.md';
  await writeFile(join(server.dataDir, 'vault', path), reaction('Another title'));
  const page = await (await browser.get(`/reactions/one?path=${encodeURIComponent(path)}`)).text();
  expect(page).toContain('issue.title == &quot;Another title&quot;');
  read.mockRestore();
});
