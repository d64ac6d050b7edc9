import { column, table } from '#infrastructure/database/columns.ts';

/** The texts of reactions that an administrator approved. */
export const ReactionApprovalRow = table('reaction_approvals', {
  digest: column.text().primary(),
  reaction: column.text(),
  by: column.text().fieldName('allowed_by'),
  at: column.whole().fieldName('allowed_at'),
});
