import { column, table } from '#infrastructure/database/columns.ts';

/** The apps that the activity of each user names; `userId` is -1 for that of all users together. */
export const ActivityAppRow = table('activity_apps', {
  userId: column.whole().primary(),
  app: column.text().primary(),
  lastAt: column.whole(),
});
