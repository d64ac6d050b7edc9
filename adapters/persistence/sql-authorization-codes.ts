import { z } from 'zod';
import type { AuthorizationCodes } from '#application/ports/authorization-codes.ts';
import type { AuthorizationCode } from '#domain/oauth/authorization-code.ts';
import type { CodeUse } from '#domain/oauth/code-use.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

const whole = z.coerce.number().int();
const rowSchema = z.object({
  code: z.string(),
  client_id: z.string(),
  user_id: whole,
  redirect_uri: z.string(),
  code_challenge: z.string().nullable(),
  expires_at: whole,
  scope: z.string().nullable(),
});
const place = { table: 'authorization_codes', keys: ['code'] } as const;

const usesSchema = z.array(z.object({ user_id: whole, grant_id: z.string(), used_at: whole, exchange: z.string() }));

/** The column of each member; the type ensures that none is missing. */
const columns: Readonly<Record<keyof AuthorizationCode, string>> = {
  code: 'code',
  clientId: 'client_id',
  userId: 'user_id',
  redirectUri: 'redirect_uri',
  codeChallenge: 'code_challenge',
  expiresAt: 'expires_at',
  scope: 'scope',
};
const names = Object.values(columns).join(', ');

/** Stores authorization codes and their uses in the database, for all servers that share it. */
export class SqlAuthorizationCodes implements AuthorizationCodes {
  readonly #database: Database;
  readonly #max: number;

  /** `max` bounds the number of codes, and of uses (CODE-008). */
  constructor(database: Database, max = 10_000) {
    this.#database = database;
    this.#max = max;
  }

  async keep({ code, clientId, userId, redirectUri, codeChallenge, expiresAt, scope }: AuthorizationCode) {
    await this.#execute(
      `insert into authorization_codes (${names}) values (?, ?, ?, ?, ?, ?, ?)
       on conflict (code) do update set client_id = excluded.client_id, user_id = excluded.user_id,
         redirect_uri = excluded.redirect_uri, code_challenge = excluded.code_challenge,
         expires_at = excluded.expires_at, scope = excluded.scope`,
      [code, clientId, userId, redirectUri, codeChallenge, expiresAt, scope ?? null],
    );
    await this.#bound('authorization_codes');
  }

  async find(code: string): Promise<AuthorizationCode | null> {
    const rows = await this.#execute(`select ${names} from authorization_codes where code = ?`, [code]);
    const [row] = this.#database.rows.read(place, rows, (one) => rowSchema.parse(one));
    if (row === undefined) return null;
    const { client_id: clientId, user_id: userId, redirect_uri: redirectUri, code_challenge: codeChallenge } = row;
    const found = { code: row.code, clientId, userId, redirectUri, codeChallenge, expiresAt: row.expires_at };
    return row.scope === null ? found : { ...found, scope: row.scope };
  }

  async consume(code: string, { userId, grantId, usedAt, exchange }: CodeUse): Promise<boolean> {
    const isConsumed = await this.#database.em.fork().transactional(async (em) => {
      const rows: readonly unknown[] = await em.execute(
        'delete from authorization_codes where code = ? returning seq',
        [code],
      );
      if (rows.length !== 1) return false;
      await em.execute('insert into code_uses (code, user_id, grant_id, used_at, exchange) values (?, ?, ?, ?, ?)', [
        code,
        userId,
        grantId,
        usedAt,
        exchange,
      ]);
      return true;
    });
    if (isConsumed) await this.#bound('code_uses');
    return isConsumed;
  }

  async remove(code: string): Promise<void> {
    await this.#execute('delete from authorization_codes where code = ?', [code]);
  }

  async useOf(code: string): Promise<CodeUse | null> {
    const rows = await this.#execute('select * from code_uses where code = ?', [code]);
    const [row] = usesSchema.parse(rows);
    if (row === undefined) return null;
    return { userId: row.user_id, grantId: row.grant_id, usedAt: row.used_at, exchange: row.exchange };
  }

  /** Evicts the oldest rows. Concurrent writers may leave a few too many, which the next write removes. */
  async #bound(table: 'authorization_codes' | 'code_uses'): Promise<void> {
    await this.#execute(
      `delete from ${table} where seq in (select seq from ${table} order by seq desc limit 100 offset ${this.#max})`,
      [],
    );
  }

  #execute(sql: string, parameters: readonly unknown[]): Promise<readonly unknown[]> {
    return this.#database.em.fork().execute(sql, parameters);
  }
}
