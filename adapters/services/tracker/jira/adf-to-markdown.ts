import type {
  MarkdownBlock,
  MarkdownInline,
  MarkdownItem,
  MarkdownLine,
  MarkdownMark,
} from '#adapters/services/markdown/markdown-tree.ts';
import { writeMarkdown } from '#adapters/services/markdown/write-markdown.ts';
import {
  type AdfNode,
  adfNodeOf,
  mediaScheme,
  mentionScheme,
  panels,
} from '#adapters/services/tracker/jira/adf-nodes.ts';
import { isObject } from '#domain/json/json-data.ts';
import { own } from '#domain/shared/own.ts';

/**
 * Converts a document to Markdown that `toAdf` converts back to it. A text is returned unchanged (webhooks have texts in
 * place of documents), and what is no document is null. Nodes of unknown kinds become the text within them.
 */
export function toMarkdown(document: unknown): string | null {
  if (typeof document === 'string') return document;
  const node = adfNodeOf(document);
  return node === null ? null : writeMarkdown(blocksOf(node.content));
}

const blocksOf = (nodes: readonly AdfNode[] = []): readonly MarkdownBlock[] => nodes.flatMap(blocksIn);
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

function blocksIn(node: AdfNode): readonly MarkdownBlock[] {
  const { type, attrs = {}, content = [] } = node;
  switch (type) {
    case 'heading':
      return [{ kind: 'heading', level: Math.min(6, Math.max(1, Number(attrs['level']) || 1)), line: lineOf(content) }];
    case 'bulletList':
    case 'decisionList':
      return [{ kind: 'list', start: null, items: content.map(itemOf) }];
    case 'orderedList':
      return [{ kind: 'list', start: startOf(attrs['order']), items: content.map(itemOf) }];
    case 'taskList':
      return [{ kind: 'list', start: null, items: tasksOf(content) }];
    case 'codeBlock': {
      const code = content.map(({ text = '' }) => text).join('');
      return [{ kind: 'code', language: textOf(attrs['language']), code }];
    }
    case 'blockquote':
      return [{ kind: 'quote', callout: null, blocks: blocksOf(content) }];
    case 'panel': {
      const callout = own(panels, String(attrs['panelType'])) ?? panels['info'] ?? null;
      return [{ kind: 'quote', callout, blocks: blocksOf(content) }];
    }
    case 'rule':
      return [{ kind: 'rule' }];
    case 'table':
      return [{ kind: 'table', rows: rowsOf(content) }];
    case 'media':
      return [{ kind: 'paragraph', line: [imageOf(attrs)] }];
    case 'expand':
    case 'nestedExpand': {
      const title = { kind: 'text', text: textOf(attrs['title']), marks: ['strong'] } as const;
      return [{ kind: 'paragraph', line: [title] }, ...blocksOf(content)];
    }
    default:
      if (paragraphs.includes(type)) return [{ kind: 'paragraph', line: lineOf(content) }];
      if (!lineKinds.includes(type) && content.some(isBlock)) return blocksOf(content);
      return [{ kind: 'paragraph', line: lineOf([node]) }];
  }
}

const paragraphs = ['paragraph', 'taskItem', 'decisionItem', 'caption'];
const lineKinds = 'text hardBreak mention emoji inlineCard date status mediaInline placeholder'.split(' ');
const isBlock = ({ type }: AdfNode) => !lineKinds.includes(type);

/** The number of the first item: nine digits at most. */
const startOf = (order: unknown) =>
  Number.isInteger(order) && Number(order) >= 0 ? Math.min(Number(order), 99_999_999) : 1;

const itemOf = (node: AdfNode): MarkdownItem => ({
  box: null,
  blocks: node.type === 'listItem' ? blocksOf(node.content) : blocksIn(node),
});

/** Tasks; a list of tasks within is part of the task before it. */
function tasksOf(nodes: readonly AdfNode[]): readonly MarkdownItem[] {
  const items: MarkdownItem[] = [];
  for (const node of nodes) {
    const before = node.type === 'taskList' ? items.pop() : undefined;
    const box = node.type === 'taskList' ? (before?.box ?? null) : node.attrs?.['state'] === 'DONE' ? 'x' : ' ';
    items.push({ box, blocks: [...(before?.blocks ?? []), ...blocksIn(node)] });
  }
  return items;
}

/** The columns up to which cells are added for what spans them: a few nodes may span a million. */
const maxSpanned = 200;

/** Rows of cells, with an empty cell for each further column and row that a cell spans. */
function rowsOf(rows: readonly AdfNode[]): readonly (readonly MarkdownLine[])[] {
  const spanned: number[] = [];
  return rows.map(({ content = [] }) => {
    const row: MarkdownLine[] = [];
    const passSpanned = () => {
      for (let left = spanned[row.length] ?? 0; left > 0 && row.length < maxSpanned; left = spanned[row.length] ?? 0) {
        spanned[row.length] = left - 1;
        row.push([]);
      }
    };
    for (const { attrs = {}, content: cell } of content) {
      passSpanned();
      const first = row.length;
      const end = Math.max(first + 1, Math.min(maxSpanned, first + spanOf(attrs['colspan'])));
      for (let column = first; column < end; column += 1) {
        spanned[column] = spanOf(attrs['rowspan']) - 1;
        row.push(column === first ? lineAcross(blocksOf(cell)) : []);
      }
    }
    passSpanned();
    return row;
  });
}

const spanOf = (value: unknown) => Math.min(100, Math.max(1, Number(value ?? 1) || 1));

/** All lines in blocks as one, as a table's cell has them. */
const lineAcross = (blocks: readonly MarkdownBlock[]): MarkdownLine =>
  blocks
    .flatMap(linesIn)
    .filter(({ length }) => length > 0)
    .flatMap((line, index) => [...(index === 0 ? [] : [{ kind: 'break' } as const]), ...line]);

function linesIn(block: MarkdownBlock): readonly MarkdownLine[] {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return [block.line];
    case 'code':
      return [[{ kind: 'code', text: block.code }]];
    case 'list':
      return block.items.flatMap(({ blocks }) => blocks.flatMap(linesIn));
    case 'quote':
      return block.blocks.flatMap(linesIn);
    case 'table':
      return block.rows.flat();
    case 'rule':
      return [];
  }
}

/** Nodes within a line; neighbours with the same address are one link. */
function lineOf(nodes: readonly AdfNode[]): MarkdownLine {
  const line: MarkdownInline[] = [];
  for (let index = 0; index < nodes.length; ) {
    const href = hrefOf(nodes[index]);
    let end = index + 1;
    while (end < nodes.length && hrefOf(nodes[end]) === href) end += 1;
    const content = nodes.slice(index, end).map(inlineOf);
    line.push(...(href === null ? content : [{ kind: 'link', href, content } as const]));
    index = end;
  }
  return line;
}

function hrefOf(node: AdfNode | undefined): string | null {
  const href = node?.marks?.find(({ type }) => type === 'link')?.attrs?.['href'];
  return typeof href === 'string' ? href : null;
}

function inlineOf(node: AdfNode): MarkdownInline {
  const { type, text, attrs = {}, marks = [] } = node;
  const { id, data, url = isObject(data) ? data['url'] : null } = attrs;
  const kinds = marks.map((mark) => mark.type);
  const shown = textOf(attrs['text']);
  if (type === 'hardBreak') return { kind: 'break' };
  if (type === 'text' && kinds.includes('code')) return { kind: 'code', text: text ?? '' };
  if (type.endsWith('Card') && typeof url === 'string') return { kind: 'address', url };
  if (type === 'mediaInline') return imageOf(attrs);
  if (type === 'mention' && typeof id === 'string') {
    const name = { kind: 'text', text: shown || `@${id}`, marks: [] } as const;
    return { kind: 'link', href: `${mentionScheme}${encodeURIComponent(id)}`, content: [name] };
  }
  const words = type === 'date' ? dayOf(attrs['timestamp']) : shown || textWithin(node);
  const whole = type === 'emoji' && words === '' ? textOf(attrs['shortName']) : words;
  const known: readonly MarkdownMark[] = ['strong', 'strike', 'em'];
  return {
    kind: 'text',
    text: type === 'text' ? (text ?? '') : whole,
    marks: known.filter((mark) => kinds.includes(mark)),
  };
}

function dayOf(timestamp: unknown): string {
  const at = new Date(Number(timestamp));
  return Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 10);
}

/** All text within a node of an unknown kind. */
function textWithin({ text = '', content = [] }: AdfNode): string {
  return [text, ...content.map(textWithin)].filter((part) => part !== '').join(' ');
}

/** A picture or file: its address, or what Jira knows it by, so that it stays attached when the text is written back. */
function imageOf({ url, id, collection, alt }: Readonly<Record<string, unknown>>): MarkdownInline {
  const parts = [id, collection].map((part) => encodeURIComponent(textOf(part)));
  return { kind: 'image', src: typeof url === 'string' ? url : `${mediaScheme}${parts.join('/')}`, alt: textOf(alt) };
}
