import { GrantRow } from '#adapters/persistence/schema/app-grants.ts';
import type { Grants } from '#application/ports/grants.ts';
import type { AskChoice } from '#domain/changes/ask-policy.ts';
import type { AppGrant } from '#domain/oauth/app-grant.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { Table } from '#infrastructure/database/table.ts';

/** Stores the grants of apps in the database. */
export class SqlGrants implements Grants {
  readonly #grants;

  constructor(database: Database) {
    this.#grants = new Table(database, GrantRow);
  }

  keep(grant: AppGrant): Promise<void> {
    return this.#grants.insert(grant);
  }

  find(id: string): Promise<AppGrant | null> {
    return this.#grants.find({ id });
  }

  list(userId: number): Promise<readonly AppGrant[]> {
    return this.#grants.list({ userId }, { since: 'desc', id: 'asc' });
  }

  async noteUse(id: string, at: number): Promise<void> {
    const isLater = [{ lastUsedAt: null }, { lastUsedAt: { $lt: at } }];
    await this.#grants.update({ id, $or: isLater }, { lastUsedAt: at });
  }

  async chooseAsk(userId: number, id: string, ask: AskChoice | null): Promise<boolean> {
    return (await this.#grants.update({ id, userId }, { ask })) === 1;
  }

  async remove(userId: number, id: string): Promise<boolean> {
    return (await this.#grants.delete({ id, userId })) === 1;
  }

  prune(before: number): Promise<number> {
    return this.#grants.deleteBefore('since', before);
  }
}
