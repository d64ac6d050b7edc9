import { AuthorizationCodeRow } from '#adapters/persistence/schema/authorization-codes.ts';
import { CodeUseRow } from '#adapters/persistence/schema/code-uses.ts';
import type { AuthorizationCodes } from '#application/ports/authorization-codes.ts';
import type { AuthorizationCode } from '#domain/oauth/authorization-code.ts';
import type { CodeUse } from '#domain/oauth/code-use.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { Table } from '#infrastructure/database/table.ts';

/** Stores authorization codes and their uses in the database, for all servers that share it. */
export class SqlAuthorizationCodes implements AuthorizationCodes {
  readonly #database: Database;
  readonly #codes;
  readonly #uses;
  readonly #max: number;

  /** `max` bounds the number of codes, and of uses (CODE-008). */
  constructor(database: Database, max = 10_000) {
    this.#database = database;
    this.#codes = new Table(database, AuthorizationCodeRow, ['code']);
    this.#uses = new Table(database, CodeUseRow, ['code']);
    this.#max = max;
  }

  async keep(code: AuthorizationCode): Promise<void> {
    await this.#codes.put({ ...code, scope: code.scope ?? null, ask: code.ask ?? null });
    // Concurrent writers may leave a few too many, which the next write removes.
    await this.#codes.evict('seq desc', this.#max);
  }

  async find(code: string): Promise<AuthorizationCode | null> {
    const row = await this.#codes.find({ code });
    if (row === null) return null;
    const { seq: _, scope, ask, ...found } = row;
    return { ...found, ...(scope === null ? {} : { scope }), ...(ask === null ? {} : { ask }) };
  }

  async consume(code: string, use: CodeUse): Promise<boolean> {
    const isConsumed = await this.#database.em.fork().transactional(async (em) => {
      if ((await em.nativeDelete(AuthorizationCodeRow, { code })) !== 1) return false;
      await this.#uses.insert({ code, ...use }, em);
      return true;
    });
    if (isConsumed) await this.#uses.evict('seq desc', this.#max);
    return isConsumed;
  }

  async remove(code: string): Promise<void> {
    await this.#codes.delete({ code });
  }

  async useOf(code: string): Promise<CodeUse | null> {
    const [use] = await this.#uses.some(this.#uses.qb().select('*').where({ code }), [
      'userId',
      'grantId',
      'usedAt',
      'exchange',
    ]);
    return use ?? null;
  }
}
