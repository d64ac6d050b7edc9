import type { AuditLog, AuditQuery, StoredAudit } from '#application/ports/audit-log.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

/** Who administered what, in the memory of this process. */
export class MemoryAuditLog implements AuditLog {
  #entries: readonly StoredAudit[] = [];
  #lastId = 0;

  async add(entry: AuditEntry): Promise<void> {
    this.#lastId += 1;
    this.#entries = [frozenCopy({ ...entry, id: this.#lastId }), ...this.#entries];
  }

  async list({ about, action, from, until, before, limit }: AuditQuery): Promise<readonly StoredAudit[]> {
    return this.#entries
      .filter(
        (entry) =>
          (about === undefined || entry.actorId === about || entry.userId === about) &&
          (action ?? entry.action) === entry.action &&
          (from === undefined || entry.at >= from) &&
          (until === undefined || entry.at < until) &&
          (before === undefined || entry.id < before),
      )
      .slice(0, limit);
  }

  async prune(before: number): Promise<number> {
    const kept = this.#entries.filter(({ at }) => at >= before);
    const pruned = this.#entries.length - kept.length;
    this.#entries = kept;
    return pruned;
  }
}
