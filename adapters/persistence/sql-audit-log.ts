import { AuditRow } from '#adapters/persistence/schema/audit.ts';
import { idsBetween } from '#adapters/persistence/time-bounds.ts';
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
    const most = Math.trunc(limit);
    const query = this.#audit
      .qb()
      .select('*')
      .where(given({ action, id: given({ $lt: before }) }));
    if (from !== undefined || until !== undefined) query.andWhere(idsBetween('audit', from, until));
    if (about !== undefined) query.andWhere({ $or: [{ actorId: about }, { userId: about }] });
    return this.#audit.rows(query.orderBy({ id: 'desc' }).limit(most));
  }

  prune(before: number): Promise<number> {
    return this.#audit.deleteBefore('at', before);
  }
}
