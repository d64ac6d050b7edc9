import { raw } from '@mikro-orm/core';
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

  async list({ about, ...query }: AuditQuery): Promise<readonly StoredAudit[]> {
    const most = Math.trunc(query.limit);
    if (about === undefined) return this.#list(query, most);
    // Each is read through an index of its own, and no further than what is listed.
    const parts = [{ actorId: about }, { userId: about }].map((whose) => this.#list(query, most, whose));
    const byId = new Map((await Promise.all(parts)).flat().map((entry) => [entry.id, entry]));
    return [...byId.values()].toSorted((left, right) => right.id - left.id).slice(0, most);
  }

  #list(
    { action, from, until, before }: Omit<AuditQuery, 'about'>,
    most: number,
    whose?: Readonly<{ actorId?: number; userId?: number }>,
  ): Promise<readonly StoredAudit[]> {
    const named = whose === undefined ? given({ action }) : given(whose);
    const query = this.#audit
      .qb()
      .select('*')
      .where(given({ ...named, id: given({ $lt: before }) }));
    // In a form for which there is no index: few entries are a user's, and many of an action.
    if (whose !== undefined && action !== undefined) query.andWhere(raw("action || '' = ?", [action]));
    if (from !== undefined || until !== undefined) query.andWhere(idsBetween('audit', from, until));
    return this.#audit.rows(query.orderBy({ id: 'desc' }).limit(most));
  }

  prune(before: number): Promise<number> {
    return this.#audit.deleteBefore('at', before);
  }
}
