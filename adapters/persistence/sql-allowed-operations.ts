import { AllowedOperationRow } from '#adapters/persistence/schema/allowed-operations.ts';
import type { AllowedAlways, AllowedOperations } from '#application/ports/approval-policy.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { given, Table } from '#infrastructure/database/table.ts';

/** Stores what users always allow in the database. */
export class SqlAllowedOperations implements AllowedOperations {
  readonly #allowed;

  constructor(database: Database) {
    this.#allowed = new Table(database, AllowedOperationRow);
  }

  async keep(allowed: AllowedAlways): Promise<void> {
    await this.#allowed.add(allowed);
  }

  list(userId: number): Promise<readonly AllowedAlways[]> {
    return this.#allowed.list({ userId }, { grantId: 'asc', service: 'asc', operation: 'asc' });
  }

  async remove({ userId, grantId, service, operation }: Omit<AllowedAlways, 'at'>): Promise<boolean> {
    return (await this.#allowed.delete({ userId, grantId, service, operation })) === 1;
  }

  async removeOf(userId: number, grantId: string | null): Promise<void> {
    await this.#allowed.delete(given({ userId, grantId: grantId ?? undefined }));
  }
}
