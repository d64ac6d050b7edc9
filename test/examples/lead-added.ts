import { inlineText } from '#domain/notes/markdown-text.ts';
import { notePath } from '#domain/notes/note-path.ts';
import { on } from '#domain/reactions/reaction.ts';
import { datedEntry } from '#domain/reactions/step.ts';

/** When a lead is added, creates a note `Leads/{title}.md` with its id, and adds a dated line under History. */
export const leadAdded = on('sales_crm', ['added.lead'], (event) => {
  const { record, current, occurredAt } = event;
  const untitled = `Lead ${record.id}`;
  const title = typeof current?.['title'] === 'string' ? current['title'] : untitled;
  const frontmatter = { sales_crm_lead_id: record.id, title };
  const body = `\n# Lead\n\n${inlineText(title)}\n\n## History\n`;
  return [
    {
      do: 'note',
      record,
      idKey: 'sales_crm_lead_id',
      frontmatter,
      history: [datedEntry('History', event, 'came in')],
      occurredAt,
      create: { path: notePath('Leads/{title}.md', { title }, untitled), frontmatter, body },
    },
  ];
});
