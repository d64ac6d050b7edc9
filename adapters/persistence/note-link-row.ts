import { defineEntity, p } from '@mikro-orm/core';

/** The table `note_links`: the last path of a record's note, and the latest event that set its frontmatter. */
export const NoteLinkRow = defineEntity({
  name: 'NoteLinkRow',
  tableName: 'note_links',
  properties: {
    service: p.text().primary(),
    kind: p.text().primary(),
    recordId: p.text().primary(),
    path: p.text(),
    appliedAt: p.bigint('number'),
  },
});
