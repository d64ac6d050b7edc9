import { table, text, whole } from '#infrastructure/database/columns.ts';

/** The time up to which each schedule has run. */
export const ReactionScheduleRow = table('reaction_schedules', {
  reaction: text().primary(),
  runTo: whole(),
});
