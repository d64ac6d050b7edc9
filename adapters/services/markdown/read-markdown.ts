import MarkdownIt, { type Token } from 'markdown-it';
import type {
  MarkdownBlock,
  MarkdownInline,
  MarkdownItem,
  MarkdownLine,
  MarkdownMark,
} from '#adapters/services/markdown/markdown-tree.ts';
import { own } from '#domain/shared/own.ts';

/** The deepest nesting that is read. */
export const maxLevels = 100;

const parser = new MarkdownIt({ html: false, linkify: false }).disable(['text_join']);
parser.set({ maxNesting: maxLevels });
parser.normalizeLink = (address) => address;

/** Reads Markdown as blocks; null when it is nested too deeply, where the parser would leave text out. */
export function readMarkdown(markdown: string): readonly MarkdownBlock[] | null {
  const tokens = parser.parse(markdown, {});
  return tokens.some(({ level }) => level >= maxLevels - 1) ? null : blocksOf(nested(tokens));
}

type Nested = Readonly<{ token: Token; within: Nested[] }>;

/** The parser's flat list of tokens as a tree. */
function nested(tokens: readonly Token[]): readonly Nested[] {
  const root: Nested[] = [];
  const open: Nested[][] = [root];
  for (const token of tokens) {
    if (token.nesting === -1) open.pop();
    else {
      const node: Nested = { token, within: [] };
      open.at(-1)?.push(node);
      if (token.nesting === 1) open.push(node.within);
    }
  }
  return root;
}

const blocksOf = (nodes: readonly Nested[]): readonly MarkdownBlock[] => nodes.map(blockOf);

function blockOf({ token, within }: Nested): MarkdownBlock {
  switch (token.type) {
    case 'heading_open':
      return { kind: 'heading', level: Number(token.tag.slice(1)), line: lineIn(within) };
    case 'bullet_list_open':
      return { kind: 'list', start: null, items: within.map(itemOf) };
    case 'ordered_list_open':
      return { kind: 'list', start: Number(token.attrGet('start') ?? 1), items: within.map(itemOf) };
    case 'blockquote_open': {
      const { lead, blocks } = afterLead(within, /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\](?: |$)/);
      return { kind: 'quote', callout: lead, blocks };
    }
    case 'table_open': {
      const rows = within.flatMap((part) => part.within);
      return { kind: 'table', rows: rows.map((row) => row.within.map((cell) => lineIn(cell.within))) };
    }
    case 'fence':
    case 'code_block': {
      const language = /^\S+/.exec(token.info.trim())?.[0] ?? null;
      return { kind: 'code', language, code: token.content.replace(/\n$/, '') };
    }
    case 'hr':
      return { kind: 'rule' };
    default:
      return { kind: 'paragraph', line: lineIn(within) };
  }
}

function itemOf({ within }: Nested): MarkdownItem {
  const { lead, blocks } = afterLead(within, /^\[([ xX])\](?: |$)/);
  return { box: lead, blocks };
}

/** The blocks without what their first line begins with, which is `lead`; null when it does not. */
function afterLead(
  nodes: readonly Nested[],
  pattern: RegExp,
): Readonly<{ lead: string | null; blocks: MarkdownBlock[] }> {
  const [first, ...rest] = nodes;
  const tokens = first?.token.type === 'paragraph_open' ? tokensIn(first.within) : [];
  const [text, second] = tokens;
  const found = text?.type === 'text' ? pattern.exec(text.content) : null;
  if (found === null) return { lead: null, blocks: nodes.map(blockOf) };
  // A line break after the lead belongs to it.
  const following = lineOf(tokens.slice(second?.type === 'softbreak' ? 2 : 1));
  const line = [...textsOf(text?.content.slice(found[0].length) ?? '', []), ...following];
  return { lead: found[1] ?? '', blocks: [{ kind: 'paragraph', line }, ...rest.map(blockOf)] };
}

const tokensIn = (nodes: readonly Nested[]): readonly Token[] => nodes.flatMap(({ token }) => token.children ?? []);
const lineIn = (nodes: readonly Nested[]): MarkdownLine => lineOf(tokensIn(nodes));

const opening: Readonly<Record<string, MarkdownMark>> = { strong_open: 'strong', em_open: 'em', s_open: 'strike' };

function lineOf(tokens: readonly Token[]): MarkdownLine {
  const line: MarkdownInline[] = [];
  let link: Readonly<{ token: Token; content: MarkdownInline[] }> | null = null;
  let marks: readonly MarkdownMark[] = [];
  for (const token of tokens) {
    const { type } = token;
    const mark = own(opening, type);
    if (mark !== undefined) marks = [...marks.filter((one) => one !== mark), mark];
    else if (type === 'link_open') link = { token, content: [] };
    else if (type === 'link_close') {
      if (link !== null) line.push(linkOf(link.token, link.content));
      link = null;
    } else if (type.endsWith('_close')) {
      marks = marks.filter((one) => one !== own(opening, type.replace('_close', '_open')));
    } else (link?.content ?? line).push(...inlinesOf(token, marks));
  }
  return line;
}

function linkOf(token: Token, content: MarkdownLine): MarkdownInline {
  const href = String(token.attrGet('href') ?? '');
  return token.markup === 'autolink' && /^https?:/.test(href)
    ? { kind: 'address', url: href }
    : { kind: 'link', href, content };
}

function inlinesOf(token: Token, marks: readonly MarkdownMark[]): MarkdownLine {
  switch (token.type) {
    case 'hardbreak':
      return [{ kind: 'break' }];
    case 'softbreak':
      return [{ kind: 'text', text: ' ', marks }];
    case 'code_inline':
      return [{ kind: 'code', text: token.content }];
    case 'image': {
      const alt = (token.children ?? []).map((child) => child.content).join('');
      return [{ kind: 'image', src: String(token.attrGet('src') ?? ''), alt }];
    }
    default:
      return textsOf(token.content, marks);
  }
}

/** The texts of a line; a line break in a table's cell is written as an element, since a cell has one line only. */
const textsOf = (content: string, marks: readonly MarkdownMark[]): MarkdownLine =>
  content
    .split(/<br ?\/?>/i)
    .flatMap((text, index) => [
      ...(index === 0 ? [] : [{ kind: 'break' } as const]),
      { kind: 'text', text, marks } as const,
    ]);
