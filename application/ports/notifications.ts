import type { Channel, Notification, NotificationKind } from '#domain/notifications/notification.ts';

/**
 * A notification on its way over one channel. `id` is the message's, `attempts` the number of times it was claimed.
 * `isDigest` is set for e-mails that exceeded the hour's number.
 */
export type OutgoingNotification = Notification &
  Readonly<{ id: string; channel: Channel; attempts: number; dueAt: number; isDigest: boolean }>;

/** A notification to add, under the id of its message. */
export type NewOutgoing = Notification & Readonly<{ id: string; channel: Channel }>;

/** Keeps notifications until they are sent, and what e-mails users do not want. Times are Unix ms. */
export interface Notifications {
  /** Adds one that is due at once; false, with nothing changed, when its id is known. */
  add(notification: NewOutgoing): Promise<boolean>;
  /** Lists those of the channels that are due at `now`, those due longest first; at most `limit`. */
  due(
    query: Readonly<{ channels: readonly Channel[]; now: number; limit: number }>,
  ): Promise<readonly OutgoingNotification[]>;
  /**
   * Claims one that is as it was listed until `until`, when it is due again, and counts the attempt; false, with nothing
   * changed, when somebody else has claimed it.
   */
  claim(one: OutgoingNotification, until: number): Promise<boolean>;
  /** Has one that is not ended be due at that time, also as part of a digest. */
  defer(id: string, dueAt: number, more?: Readonly<{ isDigest: boolean }>): Promise<void>;
  /** Ends those that are not ended; they are kept until they are pruned, so that their ids stay known. */
  end(ids: readonly string[], at: number, result: 'sent' | 'dropped'): Promise<void>;
  /** Counts those that have not ended, by channel. */
  waiting(): Promise<Readonly<Record<Channel, number>>>;
  /** Counts the e-mails of a kind that were sent since then, besides digests. */
  mailsSince(kind: NotificationKind, since: number): Promise<number>;
  /** Removes those that ended before that time, and returns their number. */
  prune(before: number): Promise<number>;
  /** Lists the switches of e-mails that a user has off, sorted. */
  switchedOff(userId: number): Promise<readonly string[]>;
  /** Replaces the switches that a user has off. */
  switchOff(userId: number, off: readonly string[]): Promise<void>;
}
