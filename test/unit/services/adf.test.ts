import { describe, expect, it } from 'vitest';
import { toAdf } from '#adapters/services/tracker/jira/adf-from-markdown.ts';
import type { AdfMark, AdfNode } from '#adapters/services/tracker/jira/adf-nodes.ts';
import { toMarkdown } from '#adapters/services/tracker/jira/adf-to-markdown.ts';

const text = (words: string, ...marks: readonly AdfMark[]): AdfNode => ({ type: 'text', text: words, marks });
const node = (type: string, content: readonly AdfNode[], attrs = {}): AdfNode => ({ type, attrs, content });
const paragraph = (...content: readonly AdfNode[]) => node('paragraph', content);
const markdownOf = (...content: readonly AdfNode[]) => toMarkdown({ version: 1, type: 'doc', content });
const code = { type: 'code' };

describe('a document of Jira as Markdown', () => {
  it('keeps one paragraph where a node of an unknown kind is within its text (JIRA-001)', () => {
    const unknown: AdfNode = { type: 'inlineExtension', attrs: { text: 'the chart' } };
    expect(markdownOf(paragraph(text('See '), unknown, text(' below.')))).toBe('See the chart below.');
    const cell = node('tableCell', [paragraph(text('See '), unknown)]);
    expect(markdownOf(node('table', [node('tableRow', [cell])]))).toContain('| See the chart |');
  });

  it('has code beside code of another link as one span, which is read as code again (JIRA-001)', () => {
    const note = { type: 'annotation', attrs: { id: '1' } };
    const markdown = markdownOf(paragraph(text('a`b', code), text('c', code, note), text(' d')));
    expect(markdown).toBe('``a`bc`` d');
    expect(toAdf(markdown ?? '')).toMatchObject({
      data: { content: [{ content: [{ text: 'a`bc', marks: [code] }, { text: ' d' }] }] },
    });
  });

  it('leaves a cell empty for each column and row that another one spans (JIRA-001)', () => {
    const cell = (words: string, attrs = {}) => node('tableCell', [paragraph(text(words))], attrs);
    const rows = [
      node('tableRow', [cell('A', { colspan: 2, rowspan: 2 }), cell('B')]),
      node('tableRow', [cell('C')]),
      node('tableRow', [cell('D'), cell('E'), cell('F')]),
    ];
    expect(markdownOf(node('table', rows))).toBe('| A |  | B |\n| --- | --- | --- |\n|  |  | C |\n| D | E | F |');
  });

  it('keeps what a cell has besides text: titles, pictures, cards, code (JIRA-001)', () => {
    const cell = node('tableCell', [
      node('nestedExpand', [paragraph(text('inside'))], { title: 'More' }),
      node('mediaSingle', [node('media', [], { type: 'file', id: 'f1', collection: 'c' })]),
      node('blockCard', [], { url: 'https://example.com/x' }),
      node('bulletList', [node('listItem', [paragraph(text('one'))])]),
      node('codeBlock', [text('a | b')]),
    ]);
    expect(markdownOf(node('table', [node('tableRow', [cell])]))).toBe(
      '| **More**<br>inside<br>![](media:f1/c)<br><https://example.com/x><br>one<br>`a \\| b` |\n| --- |',
    );
  });

  it('keeps files within text attached, and cards whose address is in their data (JIRA-001)', () => {
    const file = { type: 'mediaInline', attrs: { type: 'file', id: 'f1', collection: 'c' } };
    const markdown = markdownOf(paragraph(text('See '), file));
    expect(markdown).toBe('See ![](media:f1/c)');
    expect(toAdf(markdown ?? '')).toMatchObject({ data: { content: [{ content: [{ text: 'See ' }, file] }] } });
    const card = { type: 'inlineCard', attrs: { data: { url: 'https://example.com/z', name: 'Z' } } };
    expect(markdownOf(paragraph(card))).toBe('<https://example.com/z>');
  });

  it.each([
    ['no list of nodes', { type: 'doc', content: 'no' }, ''],
    ['no document', 5, null],
    ['a list', [], null],
  ])('is empty or none for %s (JIRA-001)', (_, value, markdown) => {
    expect(toMarkdown(value)).toBe(markdown);
  });
});
