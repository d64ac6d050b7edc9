import { table, text, whole } from '#infrastructure/database/columns.ts';

/** Messages between servers that are too long for a notification. */
export const ServerMessageRow = table('server_messages', {
  id: whole().primary().autoincrement(),
  text: text(),
  createdAt: whole(),
});
