import { column, table } from '#infrastructure/database/columns.ts';

/** The built-in reactions that are switched off. */
export const ReactionSwitchRow = table('reaction_switches', {
  name: column.text().primary(),
});
