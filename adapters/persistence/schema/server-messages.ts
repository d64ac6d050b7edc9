import { column, table } from '#infrastructure/database/columns.ts';

/** Messages between servers that are too long for a notification. */
export const ServerMessageRow = table('server_messages', {
  id: column.whole().primary().autoincrement(),
  text: column.text(),
  createdAt: column.whole(),
});
