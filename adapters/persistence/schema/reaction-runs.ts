import { column, table } from '#infrastructure/database/columns.ts';

/** The runs and faults of each reaction. */
export const ReactionRunRow = table('reaction_runs', {
  reaction: column.text().primary(),
  runs: column.whole(),
  faults: column.whole(),
  at: column.whole().fieldName('last_at'),
  outcome: column.text().fieldName('last_outcome'),
  isFault: column.bit().fieldName('last_is_fault'),
});
