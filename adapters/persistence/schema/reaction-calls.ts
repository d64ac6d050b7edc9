import { callStates } from '#application/ports/reaction-log.ts';
import { column, table } from '#infrastructure/database/columns.ts';

/** The calls of reactions, recorded before they are sent. */
export const ReactionCallRow = table('reaction_calls', {
  key: column.text().fieldName('call_key').primary(),
  reaction: column.text(),
  operation: column.text(),
  seq: column.whole(),
  depth: column.whole(),
  at: column.whole().fieldName('begun_at'),
  state: column.oneOf(callStates),
  outcome: column.text().nullable(),
  recordService: column.text().nullable(),
  recordId: column.text().nullable(),
  endedAt: column.whole().nullable(),
});
