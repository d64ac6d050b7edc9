import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestVault } from '#test/support/vault/embedded-vault-server.ts';

const count = 3_000;

it('a search during the first indexing gets 503 with its progress; notes can be read by their paths (EMB-021)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'first-read-'));
  for (let at = 0; at < count; at += 100) {
    await mkdir(join(folder, `f${at}`));
    const paths = Array.from({ length: 100 }, (_, index) => join(folder, `f${at}`, `${index}.md`));
    await Promise.all(paths.map((path) => writeFile(path, 'a word')));
  }
  const vault = await openTestVault({ folder, indexWaitMs: 0 });
  try {
    const search = () => vault.ask('POST', '/search/simple/?query=word');
    const early = await search();
    expect(early.status).toBe(503);
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await early.text()).toMatch(/: \d+ of the \d+ files and folders found so far\. Try again in \d+ s;/);
    expect((await vault.ask('GET', '/tags/')).status).toBe(503);
    expect(await vault.read('f0/0.md')).toBe('a word');
    await expect.poll(async () => (await search()).status, { timeout: 60_000 }).toBe(200);
  } finally {
    await vault.close();
    await rm(folder, { recursive: true, force: true });
  }
});
