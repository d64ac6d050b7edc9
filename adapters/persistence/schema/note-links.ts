import { column, table } from '#infrastructure/database/columns.ts';

/** The last path of a record’s note, and the latest event that set its frontmatter. */
export const NoteLinkRow = table('note_links', {
  service: column.text().primary(),
  kind: column.text().primary(),
  recordId: column.text().primary(),
  path: column.text(),
  appliedAt: column.whole(),
});
