import { readFile, rename, writeFile } from 'node:fs/promises';
import { type Client, type Clients, err, ok, type Result, type Store } from '#bootstrap/package/ports.ts';

/** A client, and whether a user signed in with it. */
type Entry = Readonly<{ client: Client; hasSignedIn: boolean }>;

/** Stores OAuth clients in one JSON file, least recently used first, so that apps need not register again after a restart. */
export class FileClients implements Clients, Store {
  readonly #path: string;
  readonly #max: number;
  #clients: Promise<Entry[]> | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string, max = 10_000) {
    this.#path = path;
    this.#max = max;
  }

  async keep(client: Client): Promise<void> {
    const entries = await this.#all();
    const hasSignedIn = take(entries, client.id)?.hasSignedIn ?? false;
    while (entries.length >= this.#max) dropOne(entries);
    entries.push({ client: structuredClone(client), hasSignedIn });
    await this.#write(entries);
  }

  async find(id: string): Promise<Result<Client, { reason: 'not_found' }>> {
    const entries = await this.#all();
    const entry = take(entries, id);
    if (entry === undefined) return err({ reason: 'not_found' });
    // A use alone is written with the next change.
    entries.push(entry);
    return ok(structuredClone(entry.client));
  }

  async noteSignIn(id: string): Promise<void> {
    const entries = await this.#all();
    const at = entries.findIndex(({ client }) => client.id === id);
    const entry = entries[at];
    if (entry === undefined || entry.hasSignedIn) return;
    entries[at] = { ...entry, hasSignedIn: true };
    await this.#write(entries);
  }

  async ready(): Promise<void> {
    await this.#all();
  }

  async close(): Promise<void> {
    if (this.#clients !== null) await this.#write(await this.#all());
  }

  #all(): Promise<Entry[]> {
    this.#clients ??= this.#read();
    return this.#clients;
  }

  async #read(): Promise<Entry[]> {
    try {
      return JSON.parse(await readFile(this.#path, 'utf8'));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw error;
    }
  }

  async #after(earlier: Promise<void>, text: string): Promise<void> {
    await earlier;
    await writeFile(`${this.#path}.new`, text, { mode: 0o600 });
    await rename(`${this.#path}.new`, this.#path);
  }

  /** Writes next to the file and renames, one after the other: the file is whole at any moment. */
  #write(entries: readonly Entry[]): Promise<void> {
    const text = JSON.stringify(entries);
    this.#writing = this.#after(this.#writing, text);
    return this.#writing;
  }
}

/** Takes the entry of that id out of the list. */
function take(entries: Entry[], id: string): Entry | undefined {
  const at = entries.findIndex(({ client }) => client.id === id);
  return at === -1 ? undefined : entries.splice(at, 1)[0];
}

/** Drops the longest unused of those that nobody signed in with, or of all when there are no such. */
function dropOne(entries: Entry[]): void {
  const at = entries.findIndex(({ hasSignedIn }) => !hasSignedIn);
  entries.splice(Math.max(0, at), 1);
}
