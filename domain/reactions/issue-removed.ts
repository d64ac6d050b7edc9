import { issueIdKey } from '#domain/reactions/issue-changed.ts';
import { issueHistory } from '#domain/reactions/issue-history.ts';
import { on } from '#domain/reactions/reaction.ts';
import { datedEntry } from '#domain/reactions/step.ts';

/**
 * Issue removed → its note is kept, since users may have written in it: `status` becomes `removed`, and a history line
 * is added. No note is created for an issue without one (REACT-010).
 */
export const issueRemoved = on('tracker', ['issue.remove'], (event) => {
  const { record, occurredAt } = event;
  const { text, identity } = issueHistory(event);
  return [
    {
      do: 'note',
      record,
      idKey: issueIdKey,
      frontmatter: { [issueIdKey]: record.id, status: 'removed' },
      history: [datedEntry('History', event, text, identity)],
      occurredAt,
      create: null,
    },
  ];
});
