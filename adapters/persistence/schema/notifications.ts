import { z } from 'zod';
import { channels, type NotificationSubject, notificationKinds } from '#domain/notifications/notification.ts';
import { column, table } from '#infrastructure/database/columns.ts';

const subject: z.ZodType<NotificationSubject> = z.object({
  service: z.string().exactOptional(),
  event: z.string().exactOptional(),
  delivery: z.number().exactOptional(),
  reaction: z.string().exactOptional(),
  approval: z.string().exactOptional(),
  user: z.number().exactOptional(),
});

/** The notifications on their way, and those that were sent in the last days. */
export const NotificationRow = table('notifications', {
  id: column.text().primary(),
  channel: column.oneOf(channels),
  kind: column.oneOf(notificationKinds),
  occasion: column.text(),
  userId: column.whole().nullable(),
  at: column.whole(),
  subject: column.json(subject),
  attempts: column.whole(),
  dueAt: column.whole().nullable(),
  isDigest: column.bit(),
  endedAt: column.whole().nullable(),
  result: column.text().nullable(),
});
