import { ServerFactRow } from '#adapters/persistence/schema/server-facts.ts';
import type { ServerFacts } from '#application/ports/server-facts.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { Table } from '#infrastructure/database/table.ts';

/** Stores the server's facts in the table `server_facts`. */
export class DatabaseServerFacts implements ServerFacts {
  readonly #facts;

  constructor(database: Database) {
    this.#facts = new Table(database, ServerFactRow);
  }

  async find(name: string): Promise<string | null> {
    return (await this.#facts.find({ name }))?.value ?? null;
  }

  async keepFirst(name: string, value: string): Promise<string> {
    await this.#facts.add({ name, value });
    return (await this.find(name)) ?? value;
  }

  replace(name: string, value: string): Promise<void> {
    return this.#facts.put({ name, value });
  }
}
