import { issueIdKey } from '#domain/reactions/issue-changed.ts';
import { issueHistory } from '#domain/reactions/issue-history.ts';
import { on } from '#domain/reactions/reaction.ts';
import { datedEntry } from '#domain/reactions/step.ts';

/**
 * Issue removed → its note stays, for it may hold what people wrote: only `status` becomes `removed`, with a history
 * line. No note is created for an issue without one (REACT-010).
 */
export const issueRemoved = on('tracker', ['issue.remove'], (event) => {
  const { record, issue, occurredAt } = event;
  const { text, identity } = issueHistory(event);
  return [
    {
      do: 'note',
      record,
      idKey: issueIdKey,
      frontmatter: { [issueIdKey]: issue.id, status: 'removed' },
      history: [datedEntry('History', event, text, identity)],
      occurredAt,
      create: null,
    },
  ];
});
