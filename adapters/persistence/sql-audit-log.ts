import { AuditRow } from '#adapters/persistence/schema/audit.ts';
import type { AuditLog, AuditQuery, StoredAudit } from '#application/ports/audit-log.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { given, Table } from '#infrastructure/database/table.ts';

/** Stores who administered what in the database. */
export class SqlAuditLog implements AuditLog {
  readonly #audit;

  constructor(database: Database) {
    this.#audit = new Table(database, AuditRow);
  }

  add(entry: AuditEntry): Promise<void> {
    return this.#audit.insert(entry);
  }

  list({ about, action, from, until, before, limit }: AuditQuery): Promise<readonly StoredAudit[]> {
    const where = given({ action, at: given({ $gte: from, $lt: until }), id: given({ $lt: before }) });
    const ofUser = about === undefined ? {} : { $or: [{ actorId: about }, { userId: about }] };
    const query = this.#audit
      .qb()
      .select('*')
      .where({ ...where, ...ofUser });
    return this.#audit.rows(query.orderBy({ id: 'desc' }).limit(Math.trunc(limit)));
  }

  prune(before: number): Promise<number> {
    return this.#audit.delete({ at: { $lt: before } });
  }
}
