import MarkdownIt, { type Token } from 'markdown-it';
import {
  type AdfDocument,
  type AdfMark,
  type AdfNode,
  maxLength,
  maxLevels,
  mediaScheme,
  mentionScheme,
  panels,
} from '#adapters/services/tracker/jira/adf-nodes.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';

const parser = new MarkdownIt({ html: false, linkify: false }).disable(['text_join']);
parser.set({ maxNesting: maxLevels });
parser.normalizeLink = (address) => address;

/**
 * Converts Markdown to a document. Refuses what is longer than Jira stores, or nested too deeply: the parser would leave
 * text out.
 */
export function toAdf(markdown: string): Outcome<AdfDocument> {
  if (markdown.length > maxLength) {
    return failed(
      'too_large',
      `Jira stores texts of at most ${maxLength} characters; this one has ${markdown.length}.`,
    );
  }
  const tokens = parser.parse(markdown, {});
  // At this level the parser has stopped, and the rest is missing.
  if (tokens.some(({ level }) => level >= maxLevels - 1)) {
    return failed('invalid_input', `This Markdown is nested more than ${maxLevels} levels deep.`);
  }
  return succeeded({ version: 1, type: 'doc', content: new Builder().document(tokens) });
}

/** A paragraph that began with a task's box or a panel's word in brackets, which is `lead`: `x`, ` `, `!NOTE`. */
type Part = AdfNode & Readonly<{ lead?: string }>;
type Open = { token: Token | null; parts: Part[] };

/** Builds the nodes of a document from the parser's flat list of tokens. */
class Builder {
  #ids = 0;

  document(tokens: readonly Token[]): readonly AdfNode[] {
    const root: Open = { token: null, parts: [] };
    const stack = [root];
    let top = root;
    for (const token of tokens) {
      if (token.nesting === 1) {
        top = { token, parts: [] };
        stack.push(top);
      } else if (token.nesting === -1) {
        const parts = top.token === null ? top.parts : this.#block(top.token, top.parts);
        stack.pop();
        top = stack.at(-1) ?? root;
        top.parts.push(...parts);
      } else {
        const outer = stack.at(-2);
        top.parts.push(...leaf(token, outer?.parts.length === 0 ? (outer.token?.type ?? '') : ''));
      }
    }
    return root.parts;
  }

  #block(token: Token, parts: readonly Part[]): readonly Part[] {
    switch (token.type) {
      case 'paragraph_open':
        return paragraphs(parts);
      case 'heading_open':
        return [{ type: 'heading', attrs: { level: Number(token.tag.slice(1)) }, content: inline(parts) }];
      case 'bullet_list_open':
        return [this.#list(parts)];
      case 'ordered_list_open':
        return [
          { type: 'orderedList', attrs: { order: Number(token.attrGet('start') ?? 1) }, content: parts.map(plainItem) },
        ];
      case 'list_item_open':
        return [{ type: 'listItem', content: parts }];
      case 'blockquote_open':
        return [quote(parts)];
      case 'table_open':
        return [{ type: 'table', content: parts }];
      case 'tr_open':
        return [{ type: 'tableRow', content: parts }];
      case 'th_open':
      case 'td_open':
        return [
          {
            type: token.type === 'th_open' ? 'tableHeader' : 'tableCell',
            content: [{ type: 'paragraph', content: inline(parts) }],
          },
        ];
      default:
        return parts;
    }
  }

  /** A list of tasks if every item has a box and, besides its text, only lists of tasks; else a list with bullets. */
  #list(items: readonly Part[]): AdfNode {
    const isTasks = items.every(({ content = [] }) => {
      const [text, ...rest]: readonly Part[] = content;
      return text?.lead !== undefined && rest.every(({ type }) => type === 'taskList');
    });
    if (!isTasks) return { type: 'bulletList', content: items.map(plainItem) };
    const content = items.flatMap(({ content: parts = [] }) => {
      const [text, ...nested]: readonly Part[] = parts;
      const state = text?.lead?.toLowerCase() === 'x' ? 'DONE' : 'TODO';
      return [{ type: 'taskItem', attrs: { localId: this.#id(), state }, content: text?.content ?? [] }, ...nested];
    });
    return { type: 'taskList', attrs: { localId: this.#id() }, content };
  }

  #id(): string {
    this.#ids += 1;
    return String(this.#ids);
  }
}

const text = (content: string, marks: readonly AdfMark[] = []): AdfNode =>
  marks.length === 0 ? { type: 'text', text: content } : { type: 'text', text: content, marks };

const paragraph = (content: readonly AdfNode[]): AdfNode => ({ type: 'paragraph', content });

function leaf(token: Token, container: string): readonly Part[] {
  if (token.type === 'inline') return inlineParts(token.children ?? [], own(leads, container));
  if (token.type === 'hr') return [{ type: 'rule' }];
  if (token.type !== 'fence' && token.type !== 'code_block') return [paragraph([text(token.content)])];
  const code = token.content.replace(/\n$/, '');
  const language = /^\S+/.exec(token.info.trim())?.[0];
  const block = { type: 'codeBlock', content: code === '' ? [] : [text(code)] };
  return [language === undefined ? block : { ...block, attrs: { language } }];
}

/** A paragraph; images between its lines of text become blocks of their own, as Jira has no images within text. */
function paragraphs(parts: readonly Part[]): readonly Part[] {
  const [first] = parts;
  const lead = first?.lead === undefined ? {} : { lead: first.lead };
  const rest = first?.lead === undefined ? parts : parts.slice(1);
  const images = rest.filter(({ type }) => type === 'image');
  const isImages = images.length > 0 && rest.every(({ type, text: words }) => type === 'image' || words?.trim() === '');
  if (!isImages || 'lead' in lead) return [{ ...paragraph(inline(rest)), ...lead }];
  return images.map((image) => ({ type: 'mediaSingle', attrs: { layout: 'center' }, content: [media(image)] }));
}

function media({ attrs = {} }: AdfNode): AdfNode {
  const [url, alt] = [String(attrs['src']), String(attrs['alt'])];
  const about = alt === '' ? {} : { alt };
  if (!url.startsWith(mediaScheme)) return { type: 'media', attrs: { type: 'external', url, ...about } };
  const [id = '', collection = ''] = url.slice(mediaScheme.length).split('/').map(decoded);
  return { type: 'media', attrs: { type: 'file', id, collection, ...about } };
}

/** Nodes within a line: images become links, and neighbouring texts with the same marks one text. */
function inline(parts: readonly AdfNode[]): readonly AdfNode[] {
  const joined: AdfNode[] = [];
  for (const part of parts) {
    const node = part.type === 'image' ? linkTo(part) : part;
    const last = joined.at(-1);
    const isSame = last?.type === 'text' && node.type === 'text' && sameMarks(last, node);
    if (isSame) joined[joined.length - 1] = { ...node, text: `${last.text}${node.text}` };
    else if (node.type !== 'text' || node.text !== '') joined.push(node);
  }
  return joined;
}

function linkTo({ attrs = {} }: AdfNode): AdfNode {
  const [href, alt] = [String(attrs['src']), String(attrs['alt'])];
  const isWeb = !href.startsWith(mediaScheme) && !href.startsWith(mentionScheme);
  return text(alt || href, isWeb ? [{ type: 'link', attrs: { href } }] : []);
}

const sameMarks = (one: AdfNode, other: AdfNode) =>
  JSON.stringify(one.marks ?? []) === JSON.stringify(other.marks ?? []);

const opening: Readonly<Record<string, string>> = { strong_open: 'strong', em_open: 'em', s_open: 'strike' };
const order = ['link', 'strong', 'strike', 'em'];

/** What the first text of a block may begin with, by the block that contains it. */
const leads: Readonly<Record<string, RegExp>> = {
  list_item_open: /^\[([ xX])\](?: |$)/,
  blockquote_open: /^\[(!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION))\](?: |$)/,
};

function inlineParts(tokens: readonly Token[], leadOf: RegExp | undefined): readonly Part[] {
  const parts: Part[] = [];
  let marks: readonly AdfMark[] = [];
  const [first] = tokens;
  const lead = first?.type === 'text' ? leadOf?.exec(first.content) : null;
  if (lead) parts.push({ type: 'text', text: '', lead: lead[1] ?? '' });
  // A line break after the lead belongs to it.
  const lines = lead && tokens[1]?.type === 'softbreak' ? tokens.toSpliced(1, 1) : tokens;
  let mention: Readonly<{ id: string; from: number }> | null = null;
  for (const token of lines) {
    const { type } = token;
    const mark = own(opening, type);
    const href = String(token.attrGet('href') ?? '');
    if (type === 'link_open' && href.startsWith(mentionScheme)) {
      mention = { id: decoded(href.slice(mentionScheme.length)), from: parts.length };
    } else if (type === 'link_close' && mention !== null) {
      const name = parts.splice(mention.from).map((part) => part.text ?? '');
      parts.push({ type: 'mention', attrs: { id: mention.id, text: name.join('') } });
      mention = null;
    } else if (mark !== undefined) marks = [...marks.filter((one) => one.type !== mark), { type: mark }];
    else if (type === 'link_open') marks = [...marks, { type: 'link', attrs: { href, kind: token.markup } }];
    else if (type.endsWith('_close')) marks = marks.filter((one) => one.type !== markOf(type));
    else
      parts.push(
        ...inlineNodes(token, token === first && lead ? token.content.slice(lead[0].length) : token.content, marks),
      );
  }
  return parts;
}

const markOf = (type: string) => own(opening, type.replace('_close', '_open')) ?? 'link';

function inlineNodes(token: Token, content: string, marks: readonly AdfMark[]): readonly AdfNode[] {
  if (token.type === 'hardbreak') return [{ type: 'hardBreak' }];
  const alt = (token.children ?? []).map((child) => child.content).join('');
  if (token.type === 'image') return [{ type: 'image', attrs: { src: token.attrGet('src') ?? '', alt } }];
  const link = marks.find(({ type }) => type === 'link');
  const href = linkOf(link);
  if (link?.attrs?.['kind'] === 'autolink' && /^https?:/.test(href))
    return [{ type: 'inlineCard', attrs: { url: href } }];
  const kept = marks.map((mark) => (mark === link ? { type: 'link', attrs: { href } } : mark));
  if (token.type === 'code_inline')
    return [text(content, [...kept.filter(({ type }) => type === 'link'), { type: 'code' }])];
  if (token.type === 'softbreak') return [text(' ', sorted(kept))];
  // A line break in a table's cell is written so, since a cell has one line only.
  return content
    .split(/<br ?\/?>/i)
    .flatMap((line, index) => [...(index === 0 ? [] : [{ type: 'hardBreak' }]), text(line, sorted(kept))]);
}

const linkOf = (link: AdfMark | undefined) => (typeof link?.attrs?.['href'] === 'string' ? link.attrs['href'] : '');

const sorted = (marks: readonly AdfMark[]) =>
  marks.toSorted((one, other) => order.indexOf(one.type) - order.indexOf(other.type));

/** An item of a list with bullets or numbers; a task's box becomes text again. */
function plainItem({ content = [] }: AdfNode): AdfNode {
  const parts: readonly Part[] = content;
  const fitted = fitting(parts.map(withLead), 'listItem');
  const startsWell = fitted[0] !== undefined && !fitted[0].type.endsWith('List');
  return { type: 'listItem', content: startsWell ? fitted : [paragraph([]), ...fitted] };
}

/** The paragraph with its lead as text again. */
const withLead = ({ lead, ...part }: Part): AdfNode =>
  lead === undefined ? part : paragraph(inline([text(`[${lead}] `), ...(part.content ?? [])]));

/** A block quote, or a panel if its first line is a word such as `[!NOTE]`. */
function quote(parts: readonly Part[]): AdfNode {
  const [first, ...rest] = parts;
  const panelType = Object.keys(panels).find((name) => `!${panels[name]}` === first?.lead);
  if (first === undefined || panelType === undefined)
    return { type: 'blockquote', content: atLeastOne(fitting(parts, 'blockquote')) };
  const line = first.content?.length === 0 ? [] : [paragraph(first.content ?? [])];
  return { type: 'panel', attrs: { panelType }, content: atLeastOne(fitting([...line, ...rest], 'panel')) };
}

const atLeastOne = (nodes: readonly AdfNode[]) => (nodes.length === 0 ? [paragraph([])] : nodes);

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
    return [paragraph(inline(cells.flatMap((cell, index) => (index === 0 ? cell : [text(' | '), ...cell]))))];
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
