import { column, table } from '#infrastructure/database/columns.ts';

/** The reactions that are set aside since reading or filling them exceeded the limits. */
export const ReactionAsideRow = table('reaction_asides', {
  digest: column.text().primary(),
  reaction: column.text(),
  at: column.whole().fieldName('set_aside_at'),
});
