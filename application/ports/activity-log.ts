import type { ActivityEntry } from '#domain/activity/activity-entry.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** An entry as it is stored; ids grow in the order of storing. */
export type StoredActivity = ActivityEntry & Readonly<{ id: number }>;

/** The entries to list: those that are like all that is given. `from` is the first time, `until` the one after the last, both Unix ms. */
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

/** Stores what apps did in the names of users. */
export interface ActivityLog {
  /** Stores entries in their order, all or none. */
  add(entries: readonly ActivityEntry[]): Promise<void>;
  /** Lists entries, the last stored first. */
  list(query: ActivityQuery): Promise<readonly StoredActivity[]>;
  /** The names of the apps of a user that have entries, in the order of the alphabet; of all users for null. At most 200. */
  apps(userId: number | null): Promise<readonly string[]>;
  /** Removes the entries from before this time (Unix ms), and returns how many there were. */
  prune(before: number): Promise<number>;
}
