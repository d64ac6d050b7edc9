import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toAdf } from '#adapters/services/tracker/jira/adf-from-markdown.ts';
import type { AdfMark, AdfNode } from '#adapters/services/tracker/jira/adf-nodes.ts';
import { toMarkdown } from '#adapters/services/tracker/jira/adf-to-markdown.ts';
import { rounds } from '#test/support/form.ts';

const numRuns = rounds(1_000, 20_000);

/** Characters that Markdown takes for more than text, among letters. */
const letters = fc.constantFrom(
  ...Array.from('ab1é漢 \\`*_[]()<>~|#+-=!.:&;"\'/{}$^%@,?💡'),
  'word',
  '1. ',
  '# ',
  '&amp;',
  '[x] ',
  '[!NOTE]',
  '<br>',
  '](a)',
  '**',
  '__',
  '~~',
  '---',
);
const words = fc
  .array(letters, { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join('').replaceAll(/\s+/g, ' ').trim())
  .filter((text) => text !== '');

const markKinds = ['strong', 'strike', 'em'];
const link = fc.constantFrom('https://example.com/a_b', 'https://example.com/(x)?a=1&lt;b', 'mailto:a@b.example');
const marks: fc.Arbitrary<readonly AdfMark[]> = fc
  .tuple(fc.option(link, { nil: null, freq: 4 }), fc.subarray(markKinds))
  .map(([href, kinds]) => [
    ...(href === null ? [] : [{ type: 'link', attrs: { href } }]),
    ...kinds.map((type) => ({ type })),
  ]);

const textNode = fc
  .record({ text: words, marks })
  .map(({ text, marks: given }): AdfNode => ({ type: 'text', text, ...(given.length === 0 ? {} : { marks: given }) }));
const codeNode = words.map((text): AdfNode => ({ type: 'text', text, marks: [{ type: 'code' }] }));
const mention = fc
  .record({ id: fc.constantFrom('5b10a2844c20165700ede21g', '712020:ab-c/d e'), name: words })
  .map(({ id, name }): AdfNode => ({ type: 'mention', attrs: { id, text: `@${name}` } }));
const card = fc.constant<AdfNode>({ type: 'inlineCard', attrs: { url: 'https://example.com/x?y=1#z' } });
const attached = fc.constant<AdfNode>({ type: 'mediaInline', attrs: { type: 'file', id: 'a1', collection: 'c 2' } });
const rest = [
  { arbitrary: attached, weight: 1 },
  { arbitrary: codeNode, weight: 1 },
  { arbitrary: mention, weight: 1 },
  { arbitrary: card, weight: 1 },
];

// Files alone are a block.
const lineOf = (nodes: fc.Arbitrary<AdfNode>) =>
  fc
    .array(nodes, { minLength: 1, maxLength: 5 })
    .map(joined)
    .filter((line) => line.some(({ type }) => type !== 'mediaInline'));

/** Neighbouring texts with the same marks are one text. */
function joined(nodes: readonly AdfNode[]): readonly AdfNode[] {
  const kept: AdfNode[] = [];
  for (const node of nodes) {
    const last = kept.at(-1);
    const isSame = last?.type === 'text' && node.type === 'text';
    if (isSame && JSON.stringify(last.marks) === JSON.stringify(node.marks)) continue;
    if (last?.type !== 'hardBreak' || node.type !== 'hardBreak') kept.push(node);
  }
  if (kept[0]?.type === 'hardBreak') kept.shift();
  if (kept.at(-1)?.type === 'hardBreak') kept.pop();
  return kept;
}

const line = lineOf(fc.oneof({ arbitrary: textNode, weight: 6 }, ...rest));
const lines = lineOf(
  fc.oneof({ arbitrary: textNode, weight: 6 }, { arbitrary: fc.constant({ type: 'hardBreak' }), weight: 1 }, ...rest),
).filter((nodes) => nodes.length > 0);
const paragraph = lines.map((content): AdfNode => ({ type: 'paragraph', content }));
const heading = fc
  .record({ level: fc.integer({ min: 1, max: 6 }), content: line })
  .map(({ level, content }): AdfNode => ({ type: 'heading', attrs: { level }, content }));
const codeBlock = fc
  .record({ language: fc.constantFrom('js', 'c++', 'objective-c'), code: fc.array(words, { maxLength: 4 }) })
  .map(
    ({ language, code }): AdfNode => ({
      type: 'codeBlock',
      content: code.length === 0 ? [] : [{ type: 'text', text: code.join('\n') }],
      attrs: { language },
    }),
  );
const rule = fc.constant<AdfNode>({ type: 'rule' });
const table = fc.integer({ min: 1, max: 3 }).chain((width) => {
  const row = (type: string) =>
    fc.array(lines, { minLength: width, maxLength: width }).map(
      (cells): AdfNode => ({
        type: 'tableRow',
        content: cells.map((content) => ({ type, content: [{ type: 'paragraph', content }] })),
      }),
    );
  return fc
    .tuple(row('tableHeader'), fc.array(row('tableCell'), { maxLength: 2 }))
    .map(([header, more]): AdfNode => ({ type: 'table', content: [header, ...more] }));
});
const media = fc.constantFrom<AdfNode>(
  { type: 'media', attrs: { type: 'file', id: 'a1-b2', collection: 'contentId-1 2', alt: 'A [b]' } },
  { type: 'media', attrs: { type: 'external', url: 'https://example.com/a(1).png' } },
);
const mediaSingle = media.map((one): AdfNode => ({ type: 'mediaSingle', attrs: { layout: 'center' }, content: [one] }));

const { block } = fc.letrec<{ block: AdfNode; inner: AdfNode; list: AdfNode; tasks: AdfNode; item: AdfNode }>(
  (tie) => ({
    block: fc.oneof(
      { maxDepth: 3 },
      paragraph,
      heading,
      codeBlock,
      rule,
      table,
      mediaSingle,
      tie('list'),
      tie('tasks'),
      quote(tie('inner')),
      panel(tie('inner')),
    ),
    inner: fc.oneof({ maxDepth: 3 }, paragraph, codeBlock, tie('list')),
    list: fc
      .record({
        items: fc.array(tie('item'), { minLength: 1, maxLength: 3 }),
        order: fc.option(fc.integer({ min: 0, max: 999 })),
      })
      .map(
        ({ items, order }): AdfNode =>
          order === null
            ? { type: 'bulletList', content: items }
            : { type: 'orderedList', attrs: { order }, content: items },
      ),
    item: fc
      .tuple(fc.oneof(paragraph, codeBlock), fc.array(tie('inner'), { maxLength: 2 }))
      .map(([first, more]): AdfNode => ({ type: 'listItem', content: [first, ...more] })),
    tasks: fc
      .array(
        fc.tuple(
          fc
            .record({ state: fc.constantFrom('TODO', 'DONE'), content: line })
            .map(({ state, content }): AdfNode => ({ type: 'taskItem', attrs: { state }, content })),
          fc.option(tie('tasks'), { maxDepth: 2, nil: null }),
        ),
        { minLength: 1, maxLength: 2 },
      )
      .map(
        (pairs): AdfNode => ({
          type: 'taskList',
          content: pairs.flatMap(([item, nested]) => (nested === null ? [item] : [item, nested])),
        }),
      ),
  }),
);

function quote(inner: fc.Arbitrary<AdfNode>) {
  return fc.array(inner, { minLength: 1, maxLength: 3 }).map((content): AdfNode => ({ type: 'blockquote', content }));
}

function panel(inner: fc.Arbitrary<AdfNode>) {
  return fc
    .record({
      panelType: fc.constantFrom('info', 'note', 'success', 'warning', 'error'),
      content: fc.array(inner, { minLength: 1, maxLength: 3 }),
    })
    .map(({ panelType, content }): AdfNode => ({ type: 'panel', attrs: { panelType }, content }));
}

const document = fc.array(block, { minLength: 1, maxLength: 4 });

/** Without the ids that a document's tasks have, and the members that are not set. */
function bare(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, member: unknown) =>
      name === 'localId'
        ? undefined
        : name === 'attrs' &&
            JSON.stringify(member, (key, inner: unknown) => (key === 'localId' ? undefined : inner)) === '{}'
          ? undefined
          : member,
    ),
  );
}

function adfOf(markdown: string): readonly AdfNode[] {
  const made = toAdf(markdown);
  if (!made.ok) throw new Error(made.message);
  return made.data.content;
}

describe('a document of Jira as Markdown', () => {
  it('is the same document when it is converted back (JIRA-001)', () => {
    fc.assert(
      fc.property(document, (content) => {
        const markdown = toMarkdown({ version: 1, type: 'doc', content }) ?? '';
        expect(bare(adfOf(markdown)), markdown).toEqual(bare(content));
      }),
      { numRuns },
    );
  });
});

const fragments = fc.constantFrom(
  '- ',
  '* ',
  '1. ',
  '> ',
  '# ',
  '```\n',
  '| a | b |\n| - | - |\n',
  '\n',
  '\n\n',
  '  ',
  '    ',
  '[ ] ',
  '[x] ',
  '**',
  '_',
  '*',
  '~~',
  '`',
  '[a](b)',
  '![a](b)',
  '<https://a.example>',
  '<br>',
  '\\',
  '---\n',
  'word',
  ' ',
  '&amp;',
  '[!NOTE]\n',
  '[@a](accountid:1)',
  '|',
  'x_y',
  '"',
  '!',
);

describe('Markdown as a document of Jira', () => {
  it('is the same Markdown after the second time (JIRA-001)', () => {
    fc.assert(
      fc.property(fc.array(fragments, { maxLength: 16 }), (parts) => {
        const once = toMarkdown({ type: 'doc', content: adfOf(parts.join('')) }) ?? '';
        expect(toMarkdown({ type: 'doc', content: adfOf(once) })).toBe(once);
      }),
      { numRuns },
    );
  });
});
