import { z } from 'zod';
import type { PendingConnect, PendingConnects } from '#application/ports/pending-connects.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

const whole = z.coerce.number().int();
const extraSchema = z.record(z.string(), z.unknown());
const rowSchema = z.object({
  user_id: whole,
  service: z.string(),
  browser: z.string(),
  code_verifier: z.string().nullable(),
  extra: z.string(),
  started_at: whole,
});
const place = { table: 'pending_connects', keys: ['user_id', 'service'] } as const;

/** Stores pending connects in the database, for all servers that share it. */
export class SqlPendingConnects implements PendingConnects {
  readonly #database: Database;
  readonly #max: number;

  /** `max` bounds the number of pending connects. */
  constructor(database: Database, max = 1_000) {
    this.#database = database;
    this.#max = max;
  }

  async keep(state: string, { userId, service, browser, codeVerifier, extra, startedAt }: PendingConnect) {
    await this.#execute(
      `insert into pending_connects (state, user_id, service, browser, code_verifier, extra, started_at)
       values (?, ?, ?, ?, ?, ?, ?)
       on conflict (state) do update set user_id = excluded.user_id, service = excluded.service,
         browser = excluded.browser, code_verifier = excluded.code_verifier, extra = excluded.extra,
         started_at = excluded.started_at`,
      [state, userId, service, browser, codeVerifier, JSON.stringify(extra), startedAt],
    );
    // Concurrent writers may leave a few too many, which the next write removes.
    await this.#execute(
      `delete from pending_connects where seq in (
         select seq from pending_connects order by seq desc limit 100 offset ${this.#max})`,
      [],
    );
  }

  async take(state: string): Promise<PendingConnect | null> {
    const rows = await this.#execute(
      `delete from pending_connects where state = ?
       returning user_id, service, browser, code_verifier, extra, started_at`,
      [state],
    );
    return this.#database.rows.read(place, rows, toPendingConnect)[0] ?? null;
  }

  #execute(sql: string, parameters: readonly unknown[]): Promise<readonly unknown[]> {
    return this.#database.em.fork().execute(sql, parameters);
  }
}

function toPendingConnect(raw: unknown): PendingConnect {
  const { extra, ...row } = rowSchema.parse(raw);
  const { user_id: userId, service, browser, code_verifier: codeVerifier, started_at: startedAt } = row;
  return { userId, service, browser, codeVerifier, extra: extraSchema.parse(JSON.parse(extra)), startedAt };
}
