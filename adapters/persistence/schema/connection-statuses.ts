import { connectionStates } from '#domain/connections/connection-status.ts';
import { oneOf, table, text, whole } from '#infrastructure/database/columns.ts';

/** The status of each connection; one without a row is connected. */
export const ConnectionStatusRow = table('connection_standings', {
  userId: whole().primary(),
  service: text().primary(),
  state: oneOf(connectionStates),
  since: whole(),
  reason: text().nullable(),
  refusedAt: whole().nullable(),
  refusedProbes: whole().nullable(),
  probeAt: whole().nullable(),
});
