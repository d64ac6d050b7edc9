import type { Channel, NotificationKind } from '#domain/notifications/notification.ts';

/** Counts what becomes of notifications. */
export interface NotificationMetrics {
  /** An attempt to send one: sent, failed and tried again, or given up. */
  notified(kind: NotificationKind, channel: Channel, result: 'sent' | 'failed' | 'dropped'): void;
}
