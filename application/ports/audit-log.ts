import type { AuditAction, AuditEntry } from '#domain/audit/audit-entry.ts';

/** An entry as stored; ids increase in insertion order. */
export type StoredAudit = AuditEntry & Readonly<{ id: number }>;

/** A filter for entries; members that are not given match all. `from` is inclusive and `until` exclusive, both Unix ms. */
export type AuditQuery = Readonly<{
  /** Entries of what this user did, or what was done to them. */
  about?: number;
  action?: AuditAction;
  from?: number;
  until?: number;
  /** Only entries with a smaller id, for the next page. */
  before?: number;
  /** The maximum number of entries, 1 to 10,000. */
  limit: number;
}>;

/** Stores who administered what. */
export interface AuditLog {
  /** Stores an entry. */
  add(entry: AuditEntry): Promise<void>;
  /** Lists the matching entries, the latest first. */
  list(query: AuditQuery): Promise<readonly StoredAudit[]>;
  /** Removes the entries older than this time (Unix ms) and returns their number. */
  prune(before: number): Promise<number>;
}
