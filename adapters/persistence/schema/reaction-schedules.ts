import { column, table } from '#infrastructure/database/columns.ts';

/** The time up to which each schedule has run. */
export const ReactionScheduleRow = table('reaction_schedules', {
  reaction: column.text().primary(),
  runTo: column.whole(),
});
