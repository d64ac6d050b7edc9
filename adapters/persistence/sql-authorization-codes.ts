import { z } from 'zod';
import type { AuthorizationCodes } from '#application/ports/authorization-codes.ts';
import type { AuthorizationCode } from '#domain/oauth/authorization-code.ts';
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

/** Stores authorization codes in the database, for all servers that share it. */
export class SqlAuthorizationCodes implements AuthorizationCodes {
  readonly #database: Database;
  readonly #max: number;

  /** `max` bounds the number of codes (CODE-008). */
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
    // Concurrent writers may leave a few too many, which the next write removes.
    await this.#execute(
      `delete from authorization_codes where seq in (
         select seq from authorization_codes order by seq desc limit 100 offset ${this.#max})`,
      [],
    );
  }

  async find(code: string): Promise<AuthorizationCode | null> {
    const rows = await this.#execute(`select ${names} from authorization_codes where code = ?`, [code]);
    const [row] = this.#database.rows.read(place, rows, (one) => rowSchema.parse(one));
    if (row === undefined) return null;
    const { client_id: clientId, user_id: userId, redirect_uri: redirectUri, code_challenge: codeChallenge } = row;
    const found = { code: row.code, clientId, userId, redirectUri, codeChallenge, expiresAt: row.expires_at };
    return row.scope === null ? found : { ...found, scope: row.scope };
  }

  async consume(code: string): Promise<boolean> {
    const rows = await this.#execute('delete from authorization_codes where code = ? returning seq', [code]);
    return rows.length === 1;
  }

  #execute(sql: string, parameters: readonly unknown[]): Promise<readonly unknown[]> {
    return this.#database.em.fork().execute(sql, parameters);
  }
}
