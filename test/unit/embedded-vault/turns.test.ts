import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NoTurn, noTurns, type ServerTurns } from '#adapters/contracts/server-turns.ts';
import { VaultFolder, type WriteFile } from '#adapters/vault-folder/notes/vault-folder.ts';
import { ok } from '#domain/shared/result.ts';
import { KeyedQueue } from '#infrastructure/concurrency/keyed-queue.ts';
import { identityOf, isSameFile } from '#infrastructure/files/atomic-file.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'portolan-turns-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Writes as a server on another machine may: a moment passes between the look at the file and the change of it. */
const slowly: WriteFile = async (path, content, expected) => {
  if (!isSameFile(identityOf(path), expected)) return null;
  const draft = join(root, `.draft-${Math.random()}`);
  await writeFile(draft, content);
  await delay(5);
  await rename(draft, path);
  return identityOf(path);
};

/** Two servers over the folder append lines to one note at once; the lines that are there afterwards. */
async function appendedBy(turns: ServerTurns): Promise<number> {
  const servers = [1, 2].map(() => new VaultFolder(root, async () => undefined, { writeFile: slowly, turns }));
  await Promise.all(
    servers.flatMap((folder) =>
      Array.from({ length: 10 }, () =>
        folder.update('log.md', (current) => ok(Buffer.concat([current ?? Buffer.alloc(0), Buffer.from('line\n')]))),
      ),
    ),
  );
  return (await readFile(join(root, 'log.md'), 'utf8')).split('\n').length - 1;
}

describe('servers that share a folder of notes', () => {
  it('keep every write when they change a note in turn (EMB-016)', async () => {
    const queue = new KeyedQueue();
    const inTurn: ServerTurns['run'] = (name, work) => queue.run(name, work);
    expect(await appendedBy({ run: inTurn, brief: inTurn })).toBe(20);
  });

  it('would lose writes without taking turns', async () => {
    expect(await appendedBy(noTurns)).toBeLessThan(20);
  });

  it('change nothing when they get no turn, and report it', async () => {
    const refuse: ServerTurns['run'] = (name) => Promise.reject(new NoTurn(name));
    const turns: ServerTurns = { run: refuse, brief: refuse };
    const folder = new VaultFolder(root, async () => undefined, { turns });
    expect(await folder.update('note.md', () => ok(Buffer.from('x')))).toEqual({
      ok: false,
      failure: { reason: 'no_turn' },
    });
    expect(await folder.has('note.md')).toBe(false);
  });
});
