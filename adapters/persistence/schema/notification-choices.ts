import { column, table } from '#infrastructure/database/columns.ts';

/** The e-mails that users do not want. */
export const NotificationChoiceRow = table('notification_choices', {
  userId: column.whole().primary(),
  off: column.list(),
});
