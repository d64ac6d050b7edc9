import { beforeEach, expect, it } from 'vitest';
import type { LanguageFailure } from '#application/ports/reaction-language.ts';
import { ReactionBook, type ReactionBookDependencies } from '#application/reactions/reaction-book.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import type { ReadReaction } from '#domain/reaction-notes/reaction-note.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import { MemoryReactionLog } from '#test/doubles/memory-reaction-log.ts';
import { MemoryVaultNotes } from '#test/doubles/memory-vault-notes.ts';
import { rememberingLogger } from '#test/support/webhooks/webhook-harness.ts';

const good = '---\nreaction: on\nwhen: sales_crm.updated.deal\nnote: Log.md\n---\nText\n';
const hostile = good.replace('Text', 'hostile');
const trigger = { kind: 'event', service: 'sales_crm', name: 'updated.deal' } as const;

let vault: MemoryVaultNotes;
let log: MemoryReactionLog;
/** The paths of the notes that were read, in order. */
let read: string[];
/** While set, reading the note at that path does not end. */
let stuck: string | null;

beforeEach(() => {
  vault = new MemoryVaultNotes();
  log = new MemoryReactionLog();
  [read, stuck] = [[], null];
});

const reactionAt = (path: string): ReadReaction => ({
  path,
  isYaml: true,
  reaction: {
    path,
    digest: `digest of ${path}`,
    mode: 'on',
    triggers: [trigger],
    condition: null,
    note: 'Log.md',
    under: null,
    once: null,
    set: {},
    calls: [],
    body: 'Text',
  },
  faults: [],
});

const language = {
  read: async (path: string, text: string): Promise<Result<ReadReaction | null, LanguageFailure>> => {
    read.push(path);
    if (path === stuck) return new Promise(() => undefined);
    return text.includes('hostile') ? err({ reason: 'exceeded', message: 'too long' }) : ok(reactionAt(path));
  },
};

async function textOf(path: string): Promise<string> {
  const note = await vault.read(path);
  return (note.ok && note.value?.content) || '';
}

const pathsOf = () => ({
  paths: async () => ok(vault.paths.filter((path) => path.startsWith('Reactions/'))),
  stamps: async (): Promise<ReadonlyMap<string, string>> => new Map(),
  text: async (path: string): Promise<Result<string | null, Failure>> => ok((await textOf(path)) || null),
});

const bookOf = (more: Partial<ReactionBookDependencies> = {}) =>
  new ReactionBook({
    paths: pathsOf(),
    notes: vault,
    language,
    log,
    clock: new SettableClock(1_000),
    logger: rememberingLogger().logger,
    ...more,
  });

/** Reads the notes again, until their statuses are written, too. */
async function loadWhole(book: ReactionBook): Promise<boolean> {
  const isLoaded = await book.load();
  await book.idle();
  return isLoaded;
}

const statusOf = async (path: string) => /^reaction_status: (.*)$/m.exec(await textOf(path))?.[1];

it('a note that exceeds the limits twice is set aside, marked as such, and not read at later starts (WRITE-030)', async () => {
  vault.write('Reactions/a.md', hostile);
  vault.write('Reactions/b.md', good);
  const book = bookOf();
  expect(await loadWhole(book)).toBe(true);
  expect(read).toEqual(['Reactions/a.md', 'Reactions/b.md', 'Reactions/a.md']);
  expect(book.all()[0]).toMatchObject({ reaction: null, faults: [{ message: expect.stringContaining('set aside') }] });
  expect(book.to(trigger).map(({ path }) => path)).toEqual(['Reactions/b.md']);
  expect(await statusOf('Reactions/a.md')).toContain('set aside');
  read = [];
  const later = bookOf();
  await later.load();
  await later.load();
  expect(read).toEqual(['Reactions/b.md']);
  expect(later.all()[0]?.faults[0]?.message).toContain('set aside');
});

it('a note that was set aside is read again when it has changed (WRITE-030)', async () => {
  vault.write('Reactions/a.md', hostile);
  const book = bookOf();
  await loadWhole(book);
  vault.write('Reactions/a.md', good);
  await loadWhole(book);
  expect(book.at('Reactions/a.md')).not.toBeNull();
  expect(await statusOf('Reactions/a.md')).toBe('ok');
});

it('the limits that a note exceeded are forgotten when it is changed or deleted (WRITE-030)', async () => {
  const path = 'Reactions/a.md';
  let reads = 0;
  const changing: typeof language = {
    read: async (at, text) => {
      reads += 1;
      // Somebody changes the note, and later writes the former text again.
      if (reads === 1) vault.write(path, good);
      if (reads === 3) vault.write(path, null);
      return language.read(at, text);
    },
  };
  const book = bookOf({ language: changing });
  vault.write(path, hostile);
  await loadWhole(book);
  expect(book.at(path)).not.toBeNull();
  vault.write(path, hostile);
  await loadWhole(book);
  expect(await log.setAsideNotes()).toEqual([]);
  await loadWhole(book);
  vault.write(path, hostile);
  read = [];
  await loadWhole(book);
  expect(read).toEqual([path, path]);
});

it('a reaction that exceeds the limits while it runs is set aside, too (WRITE-030)', async () => {
  vault.write('Reactions/a.md', good);
  const book = bookOf();
  await loadWhole(book);
  await book.setAside({ path: 'Reactions/a.md', digest: 'of another text' });
  expect(book.to(trigger)).toHaveLength(1);
  await book.setAside({ path: 'Reactions/a.md', digest: 'digest of Reactions/a.md' });
  expect(book.to(trigger)).toEqual([]);
  const later = bookOf();
  await later.load();
  expect(later.to(trigger)).toEqual([]);
});

it('a note that is slow to read delays neither the list nor reactions that have run before (WRITE-031)', async () => {
  for (const name of ['a', 'b', 'c']) vault.write(`Reactions/${name}.md`, good);
  await log.noteRuns([{ reaction: 'Reactions/c.md', seq: 1, at: 1, result: 'ran', outcome: '' }]);
  stuck = 'Reactions/a.md';
  const book = bookOf({ maxWaitMs: 20 });
  expect(await loadWhole(book)).toBe(true);
  expect(read).toEqual(['Reactions/c.md', 'Reactions/a.md']);
  expect(book.isLoaded).toBe(true);
  expect(book.all().map(({ faults }) => faults[0]?.message ?? 'read')).toEqual([
    'It has not been read yet.',
    'It has not been read yet.',
    'read',
  ]);
  expect(await statusOf('Reactions/a.md')).toBeUndefined();
});

it('reactions are not loaded while one that has run before is slow to read (WRITE-031)', async () => {
  vault.write('Reactions/a.md', good);
  await log.noteRuns([{ reaction: 'Reactions/a.md', seq: 1, at: 1, result: 'ran', outcome: '' }]);
  stuck = 'Reactions/a.md';
  expect(await bookOf({ maxWaitMs: 20 }).load()).toBe(false);
});

it('a note is read once for each text, whatever its status says, and the status is corrected (WRITE-003)', async () => {
  vault.write('Reactions/a.md', good);
  const book = bookOf();
  await loadWhole(book);
  await loadWhole(book);
  expect(await statusOf('Reactions/a.md')).toBe('ok');
  vault.write(
    'Reactions/a.md',
    (await textOf('Reactions/a.md')).replace('reaction_status: ok', 'reaction_status: mine'),
  );
  await loadWhole(book);
  expect(await statusOf('Reactions/a.md')).toBe('ok');
  expect(read).toEqual(['Reactions/a.md']);
});

it('a note that the vault cannot read does not block the others (WRITE-031)', async () => {
  for (const name of ['a', 'b', 'c']) vault.write(`Reactions/${name}.md`, good);
  const all = pathsOf();
  const large = err(failed('too_large', 'too large'));
  const text = async (path: string) => (path === 'Reactions/b.md' ? large : all.text(path));
  const book = bookOf({ paths: { ...all, text } });
  expect(await loadWhole(book)).toBe(true);
  expect(book.to(trigger).map(({ path }) => path)).toEqual(['Reactions/a.md', 'Reactions/c.md']);
  expect(book.all()[1]?.faults[0]?.message).toContain('too large');
});

it('all reactions together have a size limit, and one beyond it reports that (WRITE-032)', async () => {
  const large = good.replace('Text', 'x'.repeat(64 * 1024));
  for (let index = 0; index < 130; index += 1) vault.write(`Reactions/${String(index).padStart(3, '0')}.md`, large);
  const book = bookOf();
  await loadWhole(book);
  const beyond = book.all().filter(({ faults }) => faults[0]?.message.includes('8388608 characters'));
  expect(beyond.map(({ path }) => path)).toEqual(['Reactions/127.md', 'Reactions/128.md', 'Reactions/129.md']);
});

it('a note that is in the state in which it was read is not read again, and one that is not is (WRITE-040)', async () => {
  const all = pathsOf();
  const texts: string[] = [];
  const stamps = new Map([
    ['Reactions/a.md', '1'],
    ['Reactions/b.md', '1'],
  ]);
  const text = async (path: string) => {
    texts.push(path);
    return all.text(path);
  };
  for (const name of ['a', 'b', 'c']) vault.write(`Reactions/${name}.md`, good);
  const book = bookOf({ paths: { ...all, stamps: async () => stamps, text } });
  const readBy = async () => {
    texts.length = 0;
    await loadWhole(book);
    return texts.toSorted();
  };
  // Their statuses are written when they have been parsed, and each text is compared once after that.
  await readBy();
  await readBy();
  expect(await readBy()).toEqual(['Reactions/a.md', 'Reactions/b.md', 'Reactions/c.md']);
  expect(await readBy()).toEqual(['Reactions/c.md']);
  vault.write('Reactions/a.md', good.replace('Log', 'Other'));
  stamps.set('Reactions/a.md', '2');
  expect(await readBy()).toEqual(['Reactions/a.md', 'Reactions/a.md', 'Reactions/c.md']);
  // Written a moment ago: the vault does not name its state.
  stamps.delete('Reactions/b.md');
  expect(await readBy()).toContain('Reactions/b.md');
  vault.write('Reactions/b.md', null);
  await loadWhole(book);
  expect(book.at('Reactions/b.md')).toBeNull();
});

it('a note whose parsing did not end is read again although its state is the same (WRITE-040)', async () => {
  vault.write('Reactions/a.md', good);
  stuck = 'Reactions/a.md';
  const all = { ...pathsOf(), stamps: async () => new Map([['Reactions/a.md', '1']]) };
  const book = bookOf({ paths: all, maxWaitMs: 5 });
  await loadWhole(book);
  await loadWhole(book);
  expect(book.at('Reactions/a.md')).toBeNull();
  stuck = null;
  const later = bookOf({ paths: all });
  await later.load();
  expect(later.at('Reactions/a.md')).not.toBeNull();
});

it('whoever needs the reactions as they are waits for a note that has changed, and for no other reading (WRITE-041)', async () => {
  vault.write('Reactions/a.md', good);
  const book = bookOf();
  const loading = book.load();
  await book.changesRead();
  expect(book.at('Reactions/a.md')).toBeNull();
  await loading;
  vault.write('Reactions/b.md', good);
  void book.noteChanged();
  await book.changesRead();
  expect(book.to(trigger).map(({ path }) => path)).toEqual(['Reactions/a.md', 'Reactions/b.md']);
  vault.write('Reactions/a.md', null);
  vault.write('Reactions/b.md', null);
  void book.noteChanged();
  void book.noteChanged();
  await book.changesRead();
  expect(book.to(trigger)).toEqual([]);
});

it('a changed note that is slow to read, or cannot be read, is waited for only so long (WRITE-031, WRITE-041)', async () => {
  const book = bookOf({ maxWaitMs: 20 });
  await loadWhole(book);
  stuck = 'Reactions/a.md';
  vault.write('Reactions/a.md', good);
  void book.noteChanged();
  await book.changesRead();
  expect(book.at('Reactions/a.md')).toBeNull();
  const gone = async () => Promise.reject(new Error('The vault is gone.'));
  const broken = bookOf({ paths: { ...pathsOf(), paths: gone } });
  await expect(broken.noteChanged()).rejects.toThrow('The vault is gone.');
  await broken.changesRead();
});

it('whoever shows the reactions does not wait for the first reading since the start, and for each later one (WRITE-042)', async () => {
  for (const name of ['a', 'b']) vault.write(`Reactions/${name}.md`, good);
  stuck = 'Reactions/a.md';
  const book = bookOf({ maxWaitMs: 600_000 });
  void book.load();
  await book.refresh();
  expect(book.all().map(({ faults }) => faults[0]?.message)).toEqual(Array(2).fill('It has not been read yet.'));
  expect(book.isLoaded).toBe(false);
  stuck = null;
  const other = bookOf();
  await other.refresh();
  expect(other.all().map(({ faults }) => faults)).toEqual([[], []]);
  vault.write('Reactions/a.md', null);
  await other.refresh();
  expect(other.all().map(({ path }) => path)).toEqual(['Reactions/b.md']);
});
