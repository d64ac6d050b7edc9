import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ServerTurns } from '#adapters/contracts/server-turns.ts';
import type { ChangeJournal, VaultChange } from '#application/ports/change-journal.ts';
import { vaultPathOf } from '#domain/notes/vault-path.ts';
import { KeyedQueue } from '#infrastructure/concurrency/keyed-queue.ts';
import { type Within, writeFileAtomically } from '#infrastructure/files/atomic-file.ts';
import { diskGone, isFileAbsent } from '#infrastructure/files/error-code.ts';

const folder = ['.portolan', 'changes'] as const;

const path = z.string().refine((given) => {
  const place = vaultPathOf(given);
  return place.ok && place.value.path === given && given !== '';
});
const splice = z.object({ start: z.int().min(0), end: z.int().min(0), text: z.string() });
const changeSchema = z.object({
  move: z.object({ from: path, to: path, revision: z.string() }).nullable(),
  notes: z.array(z.object({ path, before: z.string(), after: z.string(), splices: z.array(splice) })),
});

/** Keeps changes as files in a dot-folder of the vault, which its interfaces do not serve. */
export class JournalFiles implements ChangeJournal {
  readonly #within: Within;
  readonly #turns: ServerTurns;
  readonly #queue = new KeyedQueue();

  constructor(within: Within, turns: ServerTurns) {
    this.#within = within;
    this.#turns = turns;
  }

  async add(change: VaultChange): Promise<string> {
    const id = `${Date.now().toString(36).padStart(10, '0')}-${randomUUID()}`;
    const text = Buffer.from(JSON.stringify(change));
    await writeFileAtomically(this.#placeOf(id), text, null, this.#within);
    return id;
  }

  async remove(id: string): Promise<void> {
    if (this.#within.isAway()) throw diskGone();
    await rm(this.#placeOf(id), { force: true });
  }

  async pending(): Promise<readonly Readonly<{ id: string; change: VaultChange }>[]> {
    const names = await readdir(join(this.#within.root, ...folder)).catch((error: unknown) => {
      if (isFileAbsent(error)) return [];
      throw error;
    });
    const found: Readonly<{ id: string; change: VaultChange }>[] = [];
    for (const id of names.flatMap((name) => /^([\da-z]+-[\da-f-]{36})\.json$/.exec(name)?.[1] ?? []).sort()) {
      const change = changeIn(await readFile(this.#placeOf(id), 'utf8').catch(() => ''));
      if (change !== null) found.push({ id, change });
    }
    return found;
  }

  inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.#queue.run('', () => this.#turns.run('changes of several notes', work));
  }

  #placeOf(id: string): string {
    return join(this.#within.root, ...folder, `${id}.json`);
  }
}

/** The change in a file; null for one that is damaged or names a path outside the vault. */
function changeIn(text: string): VaultChange | null {
  try {
    return changeSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
