import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { writeFileAtomically } from '#infrastructure/files/atomic-file.ts';
import { openTestVault, patchHeaders, type TestVault } from '#test/support/vault/embedded-vault-server.ts';

let vault: TestVault;
let file: string;
beforeEach(async () => {
  vault = await openTestVault();
  file = join(vault.folder, 'note.md');
  mkdirSync(vault.folder, { recursive: true });
  writeFileSync(file, '# Mine\n\n## History\n');
});
afterEach(() => vault.close());

const numbers = (length: number) => Array.from({ length }, (_, at) => at);

const editors = {
  'saves a new file over it': (text: string) => {
    writeFileSync(`${file}.tmp`, text);
    renameSync(`${file}.tmp`, file);
  },
  'writes into it': (text: string) => writeFileSync(file, text),
};

async function edit(save: (text: string) => void, count: number): Promise<void> {
  for (const number of numbers(count)) {
    save(readFileSync(file, 'utf8').replace('# Mine\n', `# Mine\nedit ${number}\n`));
    await wait(number % 3 === 0 ? 60 : 2);
  }
}

describe('a person edits a note while the server changes it', () => {
  it.each(Object.entries(editors))(
    'in an editor that %s: every edit and every line is kept (EMB-005)',
    async (_, save) => {
      const headers = patchHeaders('append', 'heading', 'Mine::History', { 'Create-Target-If-Missing': 'true' });
      const patches = async () => {
        for (const number of numbers(30)) {
          const answer = await vault.ask('PATCH', '/vault/note.md', { body: `- line ${number}\n`, headers });
          expect(answer.status).toBe(200);
        }
      };
      await Promise.all([edit(save, 40), patches()]);
      const text = readFileSync(file, 'utf8');
      expect(text.match(/^edit \d+$/gm)).toHaveLength(40);
      expect(text.match(/^- line \d+$/gm)).toHaveLength(30);
    },
  );

  it('and a note that appears while it is created is not overwritten (NOTE-004)', async () => {
    let isMade = false;
    const slow = await openTestVault({
      folder: vault.folder,
      writeFile: async (path, content, expected) => {
        if (!isMade) writeFileSync(path, 'by hand');
        isMade = true;
        return writeFileAtomically(path, content, expected);
      },
    });
    const headers = { 'Content-Type': 'text/markdown', 'If-None-Match': '*' };
    const answer = await slow.ask('PUT', '/vault/new.md', { body: 'made', headers });
    expect([answer.status, await slow.read('new.md')]).toEqual([412, 'by hand']);
    await slow.close();
  });

  it('and what is saved over a note just after a change is what a search finds (EMB-005)', async () => {
    const other = await openTestVault({
      folder: vault.folder,
      writeFile: async (path, content, expected) => {
        const written = await writeFileAtomically(path, content, expected);
        editors['saves a new file over it']('# Mine\n\nzebra\n');
        return written;
      },
    });
    const headers = { 'Content-Type': 'text/markdown' };
    await other.ask('PUT', '/vault/note.md', { body: '# Mine\n\ngiraffe\n', headers });
    const found = async (word: string) => {
      const answer = await other.ask('POST', `/search/simple/?query=${word}`);
      return z.array(z.unknown()).parse(await answer.json()).length;
    };
    expect([await found('giraffe'), await found('zebra')]).toEqual([0, 1]);
    await other.close();
  });

  it('but a PUT without a condition replaces what another program wrote', async () => {
    writeFileSync(file, 'by hand');
    await vault.ask('PUT', '/vault/note.md', { body: 'put', headers: { 'Content-Type': 'text/markdown' } });
    expect(await vault.read('note.md')).toBe('put');
  });
});
