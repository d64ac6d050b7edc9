import { column, table } from '#infrastructure/database/columns.ts';

/** Facts about the server, such as its vault’s id. */
export const ServerFactRow = table('server_facts', {
  name: column.text().primary(),
  value: column.text(),
});
