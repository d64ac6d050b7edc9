import { table, text, whole } from '#infrastructure/database/columns.ts';

/** The same party in both CRMs, and a digest of what was last pushed. */
export const PartyLinkRow = table('party_links', {
  service: text().primary(),
  kind: text().primary(),
  recordId: text().primary(),
  remoteId: text(),
  digest: text(),
  appliedAt: whole(),
});
