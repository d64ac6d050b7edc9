import { connectionStates } from '#domain/connections/connection-status.ts';
import { column, table } from '#infrastructure/database/columns.ts';

/** The status of each connection; one without a row is connected. */
export const ConnectionStatusRow = table('connection_standings', {
  userId: column.whole().primary(),
  service: column.text().primary(),
  state: column.oneOf(connectionStates),
  since: column.whole(),
  reason: column.text().nullable(),
  refusedAt: column.whole().nullable(),
  refusedProbes: column.whole().nullable(),
  probeAt: column.whole().nullable(),
});
