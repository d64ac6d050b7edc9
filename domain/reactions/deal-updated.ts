import type { Deal } from '#domain/events/sales-crm-event.ts';
import type { Frontmatter } from '#domain/notes/frontmatter.ts';
import { inlineText } from '#domain/notes/markdown-text.ts';
import { newNote } from '#domain/notes/templates.ts';
import { atVendorOf, dealHistory } from '#domain/reactions/deal-history.ts';
import { on } from '#domain/reactions/reaction.ts';
import { datedEntry } from '#domain/reactions/step.ts';

/** The frontmatter key of a deal's id; its value is always text. */
const dealIdKey = 'sales_crm_deal_id';

/**
 * Deal changed → its note gets `status` and `value` in the frontmatter and a dated line under History; a missing note
 * is created from the template (REACT-001, REACT-006). `title` is also set, and `currency`, which gives the value its
 * unit.
 */
export const dealUpdated = on('sales_crm', ['updated.deal'], (event, { templates, nameOf }) => {
  const { record, deal, occurredAt } = event;
  const { text, identity } = dealHistory(event, (ref) => nameOf(atVendorOf(event, ref)));
  const frontmatter = { [dealIdKey]: record.id, ...dealFrontmatter(deal) };
  const untitled = `Deal ${deal.id}`;
  const texts = { id: inlineText(deal.id), title: inlineText(deal.title ?? '') || inlineText(untitled) };
  return [
    {
      do: 'note',
      record,
      idKey: dealIdKey,
      frontmatter,
      history: [datedEntry('History', event, text, identity)],
      occurredAt,
      create: newNote(templates.deal, {
        frontmatter,
        names: { id: deal.id, title: deal.title ?? null },
        untitled,
        texts,
      }),
    },
  ];
});

/** Returns the frontmatter for the fields of the deal that were sent; the others keep their value in the note. */
function dealFrontmatter({ title, status, value, currency }: Deal): Frontmatter {
  const sent = Object.entries({ title, status, value, currency }).flatMap(([key, sentValue]) =>
    sentValue === undefined ? [] : [[key, sentValue] as const],
  );
  return Object.fromEntries(sent);
}
