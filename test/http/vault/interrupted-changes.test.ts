import { fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { versionOf } from '#domain/notes/conditions.ts';
import { openTestVault } from '#test/support/vault/embedded-vault-server.ts';

let made: string;
let folder: string;

beforeEach(async () => {
  made = await mkdtemp(join(tmpdir(), 'changes-'));
  folder = join(made, 'notes');
  await mkdir(join(folder, 'Links'), { recursive: true });
});
afterEach(() => rm(made, { recursive: true, force: true }));

const sources = 150;
const linkOf = (number: number) => join(folder, 'Links', `${number}.md`);
const text = (name: string, heading: string, tag: string) => `[[${name}#${heading}]] and [[${name}]] #${tag}\n`;

/** Begins an operation in a process, and kills it when that many of the notes have been changed. */
async function killWithin(name: string, input: object, changed: number): Promise<number> {
  const child = fork('test/support/vault/moving-process.ts', [folder, name, JSON.stringify(input)], { execArgv: [] });
  const ended = once(child, 'exit');
  await once(child, 'message');
  const before = text('Acme', 'Old', 'deal');
  for (;;) {
    const texts = await Promise.all(Array.from({ length: sources }, (_, number) => readFile(linkOf(number), 'utf8')));
    const done = texts.filter((one) => one !== before).length;
    if (done >= changed) break;
    await wait(1);
  }
  child.kill('SIGKILL');
  await ended;
  const texts = await Promise.all(Array.from({ length: sources }, (_, number) => readFile(linkOf(number), 'utf8')));
  return texts.filter((one) => one !== before).length;
}

const journal = () => readdir(join(folder, '.portolan', 'changes')).catch(() => []);

it.each([
  ['notes.move', { path: 'Acme.md', to: 'Won/New.md' }, text('New', 'Old', 'deal')],
  ['headings.rename', { path: 'Acme.md', target: 'Old', title: 'New' }, text('Acme', 'New', 'deal')],
  ['tags.rename', { tag: 'deal', to: 'client' }, text('Acme', 'Old', 'client')],
])(
  'what a kill interrupts in %s is done at the next start (VAULT-027)',
  async (name, input, after) => {
    await writeFile(join(folder, 'Acme.md'), '# Old\n');
    for (let number = 0; number < sources; number += 1) await writeFile(linkOf(number), text('Acme', 'Old', 'deal'));
    expect(await killWithin(name, input, 3)).toBeLessThan(sources);
    expect(await journal()).toHaveLength(1);
    const last = linkOf(sources - 1);
    const isLastLeft = (await readFile(last, 'utf8')) === text('Acme', 'Old', 'deal');
    if (isLastLeft) await appendFile(last, 'meanwhile\n');
    const vault = await openTestVault({ folder, listen: null });
    try {
      for (let number = 0; number < sources - 1; number += 1)
        expect(await readFile(linkOf(number), 'utf8')).toBe(after);
      const changed = `${text('Acme', 'Old', 'deal')}meanwhile\n`;
      expect(await readFile(last, 'utf8')).toBe(isLastLeft ? changed : after);
      expect(await journal()).toEqual([]);
      const line = vault.lines.find(({ message }) => message.startsWith('Change of several notes finished'));
      expect(line?.fields).toMatchObject({ left: isLastLeft ? [`Links/${sources - 1}.md`] : [] });
      expect((await readdir(folder)).includes('Acme.md')).toBe(name !== 'notes.move');
    } finally {
      await vault.close();
    }
  },
  60_000,
);

it('a move of which only the journal was written, or both names exist, is finished (VAULT-027)', async () => {
  const change = (from: string, to: string, of: string) =>
    JSON.stringify({ move: { from, to, revision: versionOf(Buffer.from(of)) }, notes: [] });
  const id = (letter: string) => `0000000000-00000000-0000-4000-8000-00000000000${letter}.json`;
  await mkdir(join(folder, '.portolan', 'changes'), { recursive: true });
  await writeFile(join(folder, 'A.md'), 'a');
  await writeFile(join(folder, '.portolan', 'changes', id('a')), change('A.md', 'B/A.md', 'a'));
  await writeFile(join(folder, 'C.md'), 'changed since');
  await writeFile(join(folder, '.portolan', 'changes', id('b')), change('C.md', 'B/C.md', 'c'));
  await writeFile(join(made, 'out.md'), 'o');
  await writeFile(join(folder, '.portolan', 'changes', id('c')), change('../out.md', 'B/out.md', 'o'));
  await writeFile(join(folder, '.portolan', 'changes', id('d')), '{"move": ');
  const vault = await openTestVault({ folder, listen: null });
  await vault.close();
  expect(await readdir(folder)).toEqual(['.portolan', 'B', 'C.md', 'Links']);
  expect(await readdir(join(folder, 'B'))).toEqual(['A.md']);
  expect(await readFile(join(made, 'out.md'), 'utf8')).toBe('o');
});
