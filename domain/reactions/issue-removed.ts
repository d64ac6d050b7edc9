import { inlineText } from '#domain/notes/markdown-text.ts';
import { issueIdKey } from '#domain/reactions/issue-changed.ts';
import { on } from '#domain/reactions/reaction.ts';
import { datedEntry } from '#domain/reactions/step.ts';

/**
 * Issue removed → its note stays, for it may hold what people wrote: only `status` becomes `removed`, with a line of
 * history. An issue that has no note gets none. Not in the contract.
 */
export const issueRemoved = on('tracker', ['issue.remove'], ({ record, issue, occurredAt, actor }) => {
  const by = actor === null ? '' : ` by ${inlineText(actor)}`;
  return [
    {
      do: 'note',
      record,
      idKey: issueIdKey,
      frontmatter: { [issueIdKey]: issue.id, status: 'removed' },
      history: [datedEntry('History', record, occurredAt, `removed${by}`)],
      occurredAt,
      create: null,
    },
  ];
});
