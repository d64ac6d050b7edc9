import type { ActivityEntry } from '#domain/activity/activity-entry.ts';
import type { UsageCount } from '#domain/activity/usage-count.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** An entry as stored; ids increase in insertion order. */
export type StoredActivity = ActivityEntry & Readonly<{ id: number }>;

/**
 * A filter for entries; members that are not given match all. `from` is inclusive and `until` exclusive, both Unix ms.
 */
export type ActivityQuery = Readonly<{
  userId?: number;
  service?: ServiceKey;
  app?: string;
  from?: number;
  until?: number;
  /** Only entries with a smaller id, for the next page. */
  before?: number;
  /** The maximum number of entries, 1 to 10,000. */
  limit: number;
}>;

/**
 * Whose hourly counts, and since when (Unix ms, the start of an hour); null for those of all users together. With `parts`,
 * first hours in order of which `since` is the first, the counts of each part may be summed up as one of its first hour.
 */
export type UsageQuery = Readonly<{ userId: number | null; since: number; parts?: readonly number[] }>;

/** Stores what apps did on behalf of users, and hourly counts, which stay small however much is done. */
export interface ActivityLog {
  /** Stores entries in order and adds the counts to those of their hours, all or none. */
  add(entries: readonly ActivityEntry[], usage?: readonly UsageCount[]): Promise<void>;
  /** Returns the counts of a user, or of all users together, in order of their hours. */
  usage(query: UsageQuery): Promise<readonly UsageCount[]>;
  /** Lists the matching entries, the latest first. */
  list(query: ActivityQuery): Promise<readonly StoredActivity[]>;
  /**
   * Lists the names of apps with entries for a user, or for all users when null, in alphabetical order; at most 200.
   */
  apps(userId: number | null): Promise<readonly string[]>;
  /** Removes the entries older than this time (Unix ms) and returns their number; and the counts of hours before it. */
  prune(before: number): Promise<number>;
}
