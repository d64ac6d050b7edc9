import { runResults } from '#domain/reactions/run-result.ts';
import { column, table } from '#infrastructure/database/columns.ts';

/** What each delivery came to for each reaction. */
export const ReactionResultRow = table('reaction_results', {
  reaction: column.text().primary(),
  seq: column.whole().primary(),
  at: column.whole(),
  result: column.oneOf(runResults),
  outcome: column.text(),
});
