import { column, table } from '#infrastructure/database/columns.ts';

/** The same party in both CRMs, and a digest of what was last pushed. */
export const PartyLinkRow = table('party_links', {
  service: column.text().primary(),
  kind: column.text().primary(),
  recordId: column.text().primary(),
  remoteId: column.text(),
  digest: column.text(),
  appliedAt: column.whole(),
});
