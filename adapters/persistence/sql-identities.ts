import { IdentityRow } from '#adapters/persistence/schema/identities.ts';
import type { Identities } from '#application/ports/identities.ts';
import type { LinkedIdentity } from '#domain/sign-in/identity.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { Table } from '#infrastructure/database/table.ts';

/** Stores the identities of users in the database. */
export class SqlIdentities implements Identities {
  readonly #identities;

  constructor(database: Database) {
    this.#identities = new Table(database, IdentityRow);
  }

  find(id: string): Promise<LinkedIdentity | null> {
    return this.#identities.find({ id });
  }

  list(userId: number): Promise<readonly LinkedIdentity[]> {
    return this.#identities.list({ userId }, { linkedAt: 'asc', id: 'asc' });
  }

  async link(identity: LinkedIdentity & Readonly<{ userId: number }>): Promise<boolean> {
    if (await this.#identities.add(identity)) return true;
    const { id, ...values } = identity;
    return (await this.#identities.update({ id, userId: null }, values)) === 1;
  }

  async noteUse(id: string, { at, email }: Readonly<{ at: number; email: string | null }>): Promise<void> {
    await this.#identities.update({ id, userId: { $ne: null } }, { lastUsedAt: at, email });
  }

  async unlink(userId: number, id: string): Promise<boolean> {
    return (await this.#identities.delete({ id, userId })) === 1;
  }

  forgetUser(userId: number): Promise<number> {
    return this.#identities.update({ userId }, { userId: null, email: null });
  }
}
