import { bit, table, text, whole } from '#infrastructure/database/columns.ts';

/** The runs and faults of each reaction. */
export const ReactionRunRow = table('reaction_runs', {
  reaction: text().primary(),
  runs: whole(),
  faults: whole(),
  at: whole().fieldName('last_at'),
  outcome: text().fieldName('last_outcome'),
  isFault: bit().fieldName('last_is_fault'),
});
