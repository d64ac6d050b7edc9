import type { Fields } from '#domain/events/event-facts.ts';
import type { Deal } from '#domain/events/sales-crm-event.ts';
import type { Frontmatter } from '#domain/notes/frontmatter.ts';
import { inlineText } from '#domain/notes/markdown-text.ts';
import { newNote } from '#domain/notes/templates.ts';
import { on } from '#domain/reactions/reaction.ts';
import { datedEntry } from '#domain/reactions/step.ts';

/** The frontmatter key of a deal's id; text, whatever the service sends. */
export const dealIdKey = 'sales_crm_deal_id';

/**
 * Deal changed → its note has `status` and `value` in the frontmatter and a dated line under History; a missing note is
 * made from the template (contract, Reactions planned). Not in the contract: `title`, and `currency`, without which a
 * value says little.
 */
export const dealUpdated = on('sales_crm', ['updated.deal'], (event, { templates }) => {
  const { record, deal, occurredAt, current, previous } = event;
  const frontmatter = dealFrontmatter(deal);
  const title = deal.title ?? `Deal ${deal.id}`;
  const names = { id: deal.id, title };
  const texts = { id: inlineText(deal.id), title: inlineText(title) };
  return [
    {
      do: 'note',
      record,
      idKey: dealIdKey,
      frontmatter,
      history: [datedEntry('History', record, occurredAt, changesTold(current ?? {}, previous ?? {}))],
      occurredAt,
      create: newNote(templates.deal, { frontmatter, names, texts }),
    },
  ];
});

/** What was sent of the deal; what was not is left as it is in the note. */
function dealFrontmatter({ id, title, status, value, currency }: Deal): Frontmatter {
  const sent = Object.entries({ title, status, value, currency }).flatMap(([key, sentValue]) =>
    sentValue === undefined ? [] : [[key, sentValue] as const],
  );
  return { [dealIdKey]: id, ...Object.fromEntries(sent) };
}

/** Fields whose values a line of history tells, in this order. */
const toldFields = ['title', 'status', 'value', 'currency', 'stage_id', 'pipeline_id', 'expected_close_date'] as const;

/** Fields that change with every change. */
const restless = /time$|^(id|label|.*_count|.*_id_.*|[0-9a-f]{40}.*)$/;

const mostOthers = 4;

/** 'status open → won, value 100 → 112'; then the names of other fields that changed; 'updated' when it is not told what. */
function changesTold(current: Fields, previous: Fields): string {
  const changed = Object.keys(previous).filter((key) => key in current && !isSame(current[key], previous[key]));
  const told = toldFields
    .filter((key) => changed.includes(key))
    .map((key) => `${key.replaceAll('_', ' ').replace(/ id$/, '')} ${shown(previous[key])} → ${shown(current[key])}`);
  const others = changed
    .filter((key) => !toldFields.some((name) => name === key) && !restless.test(key))
    .map((key) => inlineText(key.replaceAll('_', ' ').slice(0, 40)));
  const more = others.length > mostOthers ? [`${others.length - mostOthers} more`] : [];
  return [...told, ...others.slice(0, mostOthers), ...more].join(', ') || 'updated';
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function shown(value: unknown): string {
  if (typeof value === 'string' && value !== '') return inlineText(value.slice(0, 120));
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '(none)';
}
