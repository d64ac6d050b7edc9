import type { ServerFacts } from '#application/ports/server-facts.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

/** Stores the server's facts in the table `server_facts`. */
export class DatabaseServerFacts implements ServerFacts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(name: string): Promise<string | null> {
    const rows: readonly Readonly<{ value: string }>[] = await this.#database.em
      .fork()
      .execute('select value from server_facts where name = ?', [name]);
    return rows[0]?.value ?? null;
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
