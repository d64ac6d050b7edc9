import { expect, it } from 'vitest';
import { fillReaction } from '#adapters/reactions/fill-reaction.ts';
import type { ReactionNote } from '#domain/reaction-notes/reaction-note.ts';
import { costOfGrowth } from '#test/support/measures/cost-of-growth.ts';

// Each event fills every reaction's templates: what costs little to read may not cost much with each event.

const reaction: ReactionNote = {
  path: 'Reactions/a.md',
  digest: 'd',
  mode: 'on',
  triggers: [{ kind: 'event', service: 'tracker', name: 'issue.create' }],
  condition: null,
  note: 'A.md',
  under: null,
  once: null,
  set: {},
  calls: [],
  body: '',
};
const many = (size: number, part: string) => part.repeat(Math.ceil(size / part.length));

it.each([
  ['blanks before a name', (size: number) => `{{${many(size, ' ')}id }}b`],
  ['blanks after a name', (size: number) => `{{ id${many(size, ' ')}x}}`],
  ['many signs', (size: number) => `{{${many(size, '- ')}}}`],
  ['many values', (size: number) => many(size, '{{id}}')],
  ['many lines of values', (size: number) => many(size, '{{id}}\n')],
  ['many values in tags', (size: number) => many(size, '<a {{id}}')],
  ['many trimmed values', (size: number) => many(size, ' {{- id -}} ')],
  ['many assignments', (size: number) => many(size, '{% assign a = id %}')],
  ['a long condition', (size: number) => `{% if a${many(size, ' and a')} %}x{% endif %}`],
  ['many branches', (size: number) => `{% if a %}${many(size, '{% elsif b %}')}{% endif %}`],
  ['many filters', (size: number) => `{{ id ${many(size, '| upcase')} }}`],
  ['many members', (size: number) => `{{ id${many(size, '.a')} }}`],
  ['code', (size: number) => `{{ id }}\`${many(size, ' ')}x\`${many(size, '<% ')}`],
])('a template of %s is filled in linear time with each event (EDGE-016)', (_, textOf) => {
  const fill = (text: string) => {
    fillReaction({ ...reaction, body: text }, { id: 'x' });
    fillReaction({ ...reaction, note: text }, { id: 'x' });
    fillReaction({ ...reaction, set: { a: text } }, { id: 'x' });
  };
  // Up to the 65,536 characters that a note may have: a longer one is not filled at all.
  expect(costOfGrowth(fill, (size) => textOf(size / 2))).toBeLessThan(6);
});
