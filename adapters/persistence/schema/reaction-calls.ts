import { callStates } from '#application/ports/reaction-log.ts';
import { oneOf, table, text, whole } from '#infrastructure/database/columns.ts';

/** The calls of reactions, recorded before they are sent. */
export const ReactionCallRow = table('reaction_calls', {
  key: text().fieldName('call_key').primary(),
  reaction: text(),
  operation: text(),
  seq: whole(),
  depth: whole(),
  at: whole().fieldName('begun_at'),
  state: oneOf(callStates),
  outcome: text().nullable(),
  recordService: text().nullable(),
  recordId: text().nullable(),
  endedAt: whole().nullable(),
});
