import { table, text, whole } from '#infrastructure/database/columns.ts';

/** The texts of reactions that an administrator approved. */
export const ReactionApprovalRow = table('reaction_approvals', {
  digest: text().primary(),
  reaction: text(),
  by: text().fieldName('allowed_by'),
  at: whole().fieldName('allowed_at'),
});
