import type {
  MarkdownBlock,
  MarkdownInline,
  MarkdownItem,
  MarkdownLine,
} from '#adapters/services/markdown/markdown-tree.ts';
import { maxLevels, readMarkdown } from '#adapters/services/markdown/read-markdown.ts';
import {
  type AdfDocument,
  type AdfMark,
  type AdfNode,
  maxLength,
  mediaScheme,
  mentionScheme,
  panels,
} from '#adapters/services/tracker/jira/adf-nodes.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';

/** Converts Markdown to a document. Refuses what is longer than Jira stores, or nested too deeply. */
export function toAdf(markdown: string): Outcome<AdfDocument> {
  if (markdown.length > maxLength) {
    return failed(
      'too_large',
      `Jira stores texts of at most ${maxLength} characters; this one has ${markdown.length}.`,
    );
  }
  const blocks = readMarkdown(markdown);
  if (blocks === null) return failed('invalid_input', `This Markdown is nested more than ${maxLevels} levels deep.`);
  return succeeded({ version: 1, type: 'doc', content: new Builder().nodes(blocks) });
}

/** Builds nodes; tasks are numbered within their document. */
class Builder {
  #ids = 0;

  nodes(blocks: readonly MarkdownBlock[]): readonly AdfNode[] {
    return blocks.flatMap((block) => this.#block(block));
  }

  #block(block: MarkdownBlock): readonly AdfNode[] {
    switch (block.kind) {
      case 'paragraph':
        return paragraphs(block.line);
      case 'heading':
        return [{ type: 'heading', attrs: { level: block.level }, content: inline(block.line) }];
      case 'list':
        return [block.start === null && block.items.every(isTask) ? this.#tasks(block.items) : this.#list(block)];
      case 'code': {
        const node = { type: 'codeBlock', content: block.code === '' ? [] : [text(block.code)] };
        return [block.language === null ? node : { ...node, attrs: { language: block.language } }];
      }
      case 'quote': {
        const panelType = Object.keys(panels).find((name) => panels[name] === block.callout);
        const isPanel = panelType !== undefined;
        const content = fitting(this.nodes(block.blocks), isPanel ? 'panel' : 'blockquote');
        const whole = isPanel ? content.filter((node, index) => index > 0 || !isEmpty(node)) : content;
        const filled = whole.length === 0 ? [paragraph([])] : whole;
        return [
          { type: isPanel ? 'panel' : 'blockquote', ...(isPanel ? { attrs: { panelType } } : {}), content: filled },
        ];
      }
      case 'table':
        return [{ type: 'table', content: block.rows.map((row, index) => tableRow(row, index === 0)) }];
      case 'rule':
        return [{ type: 'rule' }];
    }
  }

  #list({ start, items }: Readonly<{ start: number | null; items: readonly MarkdownItem[] }>): AdfNode {
    const content = items.map(({ box, blocks: [first, ...rest] }) => {
      // A box becomes text again in a list that is not one of tasks.
      const isBoxed = box !== null && first?.kind === 'paragraph';
      const lead = isBoxed ? [paragraph(inline([{ kind: 'text', text: `[${box}] `, marks: [] }, ...first.line]))] : [];
      const others = first === undefined || isBoxed ? rest : [first, ...rest];
      const nodes = fitting([...lead, ...this.nodes(others)], 'listItem');
      const startsWell = nodes[0] !== undefined && !nodes[0].type.endsWith('List');
      return { type: 'listItem', content: startsWell ? nodes : [paragraph([]), ...nodes] };
    });
    return start === null ? { type: 'bulletList', content } : { type: 'orderedList', attrs: { order: start }, content };
  }

  #tasks(items: readonly MarkdownItem[]): AdfNode {
    const content = items.flatMap(({ box, blocks: [first, ...nested] }) => {
      const state = box?.toLowerCase() === 'x' ? 'DONE' : 'TODO';
      const line = first?.kind === 'paragraph' ? inline(first.line) : [];
      return [{ type: 'taskItem', attrs: { localId: this.#id(), state }, content: line }, ...this.nodes(nested)];
    });
    return { type: 'taskList', attrs: { localId: this.#id() }, content };
  }

  #id(): string {
    this.#ids += 1;
    return String(this.#ids);
  }
}

/** Whether an item can be a task: its text, and besides only lists of tasks. */
function isTask({ box, blocks: [first, ...rest] }: MarkdownItem): boolean {
  const isList = (block: MarkdownBlock) => block.kind === 'list' && block.start === null && block.items.every(isTask);
  return box !== null && first?.kind === 'paragraph' && rest.every(isList);
}

const text = (content: string, marks: readonly AdfMark[] = []): AdfNode =>
  marks.length === 0 ? { type: 'text', text: content } : { type: 'text', text: content, marks };

const paragraph = (content: readonly AdfNode[]): AdfNode => ({ type: 'paragraph', content });
const isEmpty = ({ type, content = [] }: AdfNode) => type === 'paragraph' && content.length === 0;

const tableRow = (cells: readonly MarkdownLine[], isHeader: boolean): AdfNode => ({
  type: 'tableRow',
  content: cells.map((cell) => ({
    type: isHeader ? 'tableHeader' : 'tableCell',
    content: [paragraph(inline(cell))],
  })),
});

/** A paragraph; one of images only becomes blocks of their own. Within text, Jira has attached files only. */
function paragraphs(line: MarkdownLine): readonly AdfNode[] {
  const images = line.filter((part) => part.kind === 'image');
  const isImages = line.every((part) => part.kind === 'image' || (part.kind === 'text' && part.text.trim() === ''));
  if (images.length === 0 || !isImages) return [paragraph(inline(line))];
  return images.map((image) => ({ type: 'mediaSingle', attrs: { layout: 'center' }, content: [media(image)] }));
}

type Image = Extract<MarkdownInline, { kind: 'image' }>;

function media({ src, alt }: Image): AdfNode {
  const about = alt === '' ? {} : { alt };
  if (!src.startsWith(mediaScheme)) return { type: 'media', attrs: { type: 'external', url: src, ...about } };
  const [id = '', collection = ''] = src.slice(mediaScheme.length).split('/').map(decoded);
  return { type: 'media', attrs: { type: 'file', id, collection, ...about } };
}

/** Nodes within a line; neighbouring texts with the same marks are one text. */
function inline(line: MarkdownLine): readonly AdfNode[] {
  return joined(line.flatMap((part) => inlineNodes(part, [])));
}

function joined(nodes: readonly AdfNode[]): readonly AdfNode[] {
  const whole: AdfNode[] = [];
  for (const node of nodes) {
    const last = whole.at(-1);
    const isSame = last?.type === 'text' && node.type === 'text' && sameMarks(last, node);
    if (isSame) whole[whole.length - 1] = { ...node, text: `${last.text}${node.text}` };
    else if (node.type !== 'text' || node.text !== '') whole.push(node);
  }
  return whole;
}

const sameMarks = (one: AdfNode, other: AdfNode) =>
  JSON.stringify(one.marks ?? []) === JSON.stringify(other.marks ?? []);

/** The order in which Jira has the marks of a text. */
const order = ['link', 'strong', 'strike', 'em'];

function inlineNodes(part: MarkdownInline, around: readonly AdfMark[]): readonly AdfNode[] {
  switch (part.kind) {
    case 'text': {
      const marks = [...around, ...part.marks.map((type) => ({ type }))];
      return [
        text(
          part.text,
          marks.toSorted((one, other) => order.indexOf(one.type) - order.indexOf(other.type)),
        ),
      ];
    }
    case 'code':
      return [text(part.text, [...around, { type: 'code' }])];
    case 'break':
      return [{ type: 'hardBreak' }];
    case 'address':
      return [{ type: 'inlineCard', attrs: { url: part.url } }];
    case 'image': {
      const { src, alt } = part;
      if (src.startsWith(mediaScheme)) return [{ ...media(part), type: 'mediaInline' }];
      return [text(alt || src, src.startsWith(mentionScheme) ? [] : [{ type: 'link', attrs: { href: src } }])];
    }
    case 'link': {
      const { href } = part;
      if (!href.startsWith(mentionScheme)) {
        return part.content.flatMap((one) => inlineNodes(one, [{ type: 'link', attrs: { href } }]));
      }
      const name = part.content.flatMap((one) => inlineNodes(one, [])).map((node) => node.text ?? '');
      return [{ type: 'mention', attrs: { id: decoded(href.slice(mentionScheme.length)), text: name.join('') } }];
    }
  }
}

const lists = ['bulletList', 'orderedList'];
const usual = ['paragraph', 'codeBlock', 'mediaSingle', ...lists];

/** What Jira accepts within a block; other blocks are reduced to these. */
const accepted: Readonly<Record<'listItem' | 'blockquote' | 'panel', readonly string[]>> = {
  listItem: [...usual, 'taskList'],
  blockquote: usual,
  panel: [...usual, 'taskList', 'heading', 'rule'],
};

function fitting(nodes: readonly AdfNode[], place: keyof typeof accepted): readonly AdfNode[] {
  return nodes.flatMap((node) => (accepted[place].includes(node.type) ? [node] : fitting(reduced(node), place)));
}

/** The same content in simpler blocks: in the end, paragraphs. */
function reduced({ type, content = [] }: AdfNode): readonly AdfNode[] {
  if (type === 'heading') return [paragraph(content.map((node) => ({ ...node, marks: withStrong(node) })))];
  if (type === 'rule') return [paragraph([text('---')])];
  if (type === 'tableRow') {
    const cells = content.map((cell) => (cell.content ?? []).flatMap((one) => one.content ?? []));
    return [paragraph(joined(cells.flatMap((cell, index) => (index === 0 ? cell : [text(' | '), ...cell]))))];
  }
  if (type === 'taskItem') return [paragraph(content)];
  return content;
}

const withStrong = ({ type, marks = [] }: AdfNode) =>
  type !== 'text' || marks.some((mark) => mark.type === 'strong' || mark.type === 'code')
    ? marks
    : [...marks, { type: 'strong' }];

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
