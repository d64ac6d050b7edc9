import { z } from 'zod';
import type { ServerFacts } from '#application/ports/server-facts.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

const rowSchema = z.object({ value: z.string() });
const place = { table: 'server_facts', keys: ['name'] } as const;

/** Stores the server's facts in the table `server_facts`. */
export class DatabaseServerFacts implements ServerFacts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(name: string): Promise<string | null> {
    const rows: unknown[] = await this.#database.em
      .fork()
      .execute('select name, value from server_facts where name = ?', [name]);
    return this.#database.rows.read(place, rows, (row) => rowSchema.parse(row).value)[0] ?? null;
  }

  async keepFirst(name: string, value: string): Promise<string> {
    const em = this.#database.em.fork();
    await em.execute('insert into server_facts (name, value) values (?, ?) on conflict (name) do nothing', [
      name,
      value,
    ]);
    return (await this.find(name)) ?? value;
  }

  async replace(name: string, value: string): Promise<void> {
    await this.#database.em
      .fork()
      .execute(
        'insert into server_facts (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
        [name, value],
      );
  }
}
