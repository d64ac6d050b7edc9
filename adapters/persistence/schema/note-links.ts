import { table, text, whole } from '#infrastructure/database/columns.ts';

/** The last path of a record’s note, and the latest event that set its frontmatter. */
export const NoteLinkRow = table('note_links', {
  service: text().primary(),
  kind: text().primary(),
  recordId: text().primary(),
  path: text(),
  appliedAt: whole(),
});
