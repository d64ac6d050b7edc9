import { readFile, rename, writeFile } from 'node:fs/promises';
import { type Client, type Clients, err, ok, type Result, type Store } from '#bootstrap/package/ports.ts';

/** OAuth clients in one JSON file, the longest unused first: apps need not register again after a restart. */
export class FileClients implements Clients, Store {
  readonly #path: string;
  readonly #max: number;
  #clients: Promise<Client[]> | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string, max = 10_000) {
    this.#path = path;
    this.#max = max;
  }

  async keep(client: Client): Promise<void> {
    const copy = structuredClone(client);
    const clients = await this.#all();
    this.#moveToEnd(clients, client.id, copy);
    clients.splice(0, Math.max(0, clients.length - this.#max));
    await this.#write(clients);
  }

  async find(id: string): Promise<Result<Client, { reason: 'not_found' }>> {
    const clients = await this.#all();
    const client = clients.find((one) => one.id === id);
    if (client === undefined) return err({ reason: 'not_found' });
    // A use alone is written with the next change.
    this.#moveToEnd(clients, id, client);
    return ok(structuredClone(client));
  }

  async ready(): Promise<void> {
    await this.#all();
  }

  async close(): Promise<void> {
    if (this.#clients !== null) await this.#write(await this.#all());
  }

  #all(): Promise<Client[]> {
    this.#clients ??= this.#read();
    return this.#clients;
  }

  async #read(): Promise<Client[]> {
    try {
      return JSON.parse(await readFile(this.#path, 'utf8'));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw error;
    }
  }

  #moveToEnd(clients: Client[], id: string, client: Client): void {
    const at = clients.findIndex((one) => one.id === id);
    if (at !== -1) clients.splice(at, 1);
    clients.push(client);
  }

  async #after(earlier: Promise<void>, text: string): Promise<void> {
    await earlier;
    await writeFile(`${this.#path}.new`, text, { mode: 0o600 });
    await rename(`${this.#path}.new`, this.#path);
  }

  /** Writes beside the file and renames, one after the other: the file is whole at any moment. */
  #write(clients: readonly Client[]): Promise<void> {
    const text = JSON.stringify(clients);
    this.#writing = this.#after(this.#writing, text);
    return this.#writing;
  }
}
