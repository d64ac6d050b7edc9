import { column, table } from '#infrastructure/database/columns.ts';

/** The texts of reactions that an administrator refused, with what they wrote. */
export const ReactionRefusalRow = table('reaction_refusals', {
  digest: column.text().primary(),
  reaction: column.text(),
  by: column.text().fieldName('refused_by'),
  at: column.whole().fieldName('refused_at'),
  comment: column.text().nullable(),
});
