import { approvalStates } from '#domain/changes/approval.ts';
import { effects } from '#domain/operations/effect.ts';
import { column, table } from '#infrastructure/database/columns.ts';

/** The changes that people decide. Content, outcome and comment are encrypted. */
export const ApprovalRow = table('approvals', {
  id: column.text().primary(),
  userId: column.whole(),
  grantId: column.text(),
  app: column.text().nullable(),
  service: column.text(),
  operation: column.text(),
  effect: column.oneOf(effects),
  at: column.whole(),
  expiresAt: column.whole(),
  state: column.oneOf(approvalStates),
  decidedAt: column.whole().nullable(),
  digest: column.text(),
  inputDigest: column.text(),
  content: column.text(),
  comment: column.text().nullable(),
  outcome: column.text().nullable(),
  /** What is the same of one that waits and another that would; null once it was decided, or has expired. */
  openKey: column.text().nullable(),
});
