import { type AdfNode, mentionScheme } from '#adapters/services/tracker/jira/adf-nodes.ts';
import { own } from '#domain/shared/own.ts';
import { withoutEnd } from '#domain/text/without-end.ts';

/** Where a line of text is written, which decides how it breaks and what is escaped. */
export type LinePlace = 'paragraph' | 'heading' | 'cell';

/** A text with the marks around it, outermost first; `isRaw` when it is Markdown already. */
type Run = Readonly<{ text: string; marks: readonly string[]; isRaw: boolean }>;

const delimiters: Readonly<Record<string, string>> = { strong: '**', strike: '~~', em: '_' };

const delimiterOf = (mark: string) => own(delimiters, mark) ?? '';

/** Writes the nodes of a line as Markdown that is read as the same nodes. */
export function inlineMarkdown(nodes: readonly AdfNode[], place: LinePlace): string {
  if (place === 'heading') {
    const line = lineMarkdown(nodes.map((node) => (node.type === 'hardBreak' ? { type: 'text', text: ' ' } : node)));
    const open = withoutEnd(line.trim(), '#');
    return open === line.trim() ? open : `${open}\\${line.trim().slice(open.length)}`;
  }
  const lines = linesOf(nodes).map((line) => atLineStart(lineMarkdown(line).trim(), place));
  while (lines.at(-1) === '') lines.pop();
  return lines.join(place === 'cell' ? '<br>' : '\\\n');
}

function linesOf(nodes: readonly AdfNode[]): readonly (readonly AdfNode[])[] {
  const lines: AdfNode[][] = [[]];
  for (const node of nodes) {
    if (node.type === 'hardBreak') lines.push([]);
    else lines.at(-1)?.push(node);
  }
  return lines;
}

function atLineStart(line: string, place: LinePlace): string {
  if (place !== 'paragraph') return line;
  return line.replace(/^(?:[#+\-=>]|[:|](?=[-:|\s]*$))/, (mark) => `\\${mark}`).replace(/^(\d{1,9})([.)])/, '$1\\$2');
}

function lineMarkdown(nodes: readonly AdfNode[]): string {
  const runs: Run[] = [];
  for (let index = 0; index < nodes.length; ) {
    const href = hrefOf(nodes[index]);
    let end = index + 1;
    while (end < nodes.length && hrefOf(nodes[end]) === href) end += 1;
    const group = nodes.slice(index, end).map(runOf);
    if (href === null) runs.push(...group);
    else runs.push({ text: `[${written(group)}](${destination(href)})`, marks: [], isRaw: true });
    index = end;
  }
  return written(runs);
}

/** The address of a text's link; null without one, or with one that runs a script. */
function hrefOf(node: AdfNode | undefined): string | null {
  const href = node?.marks?.find(({ type }) => type === 'link')?.attrs?.['href'];
  return typeof href !== 'string' || /^\s*(?:javascript|vbscript|file|data):/i.test(href) ? null : href;
}

function destination(href: string): string {
  const safe = href.replaceAll(/[<>\\\s]/g, encodeURIComponent).replaceAll(/&(?=[#\w]+;)/g, '&amp;');
  return safe === '' || /[()]/.test(safe) ? `<${safe}>` : safe;
}

function runOf(node: AdfNode): Run {
  const { type, attrs = {}, marks = [] } = node;
  const raw = (text: string): Run => ({ text, marks: [], isRaw: true });
  const shown = typeof attrs['text'] === 'string' ? attrs['text'] : '';
  const url = attrs['url'];
  const kinds = marks.map((mark) => mark.type);
  if (type === 'text' && kinds.includes('code')) return raw(codeSpan(node.text ?? ''));
  if (type === 'mention' && typeof attrs['id'] === 'string') {
    return raw(`[${escaped(shown || `@${attrs['id']}`)}](${mentionScheme}${encodeURIComponent(attrs['id'])})`);
  }
  if (type.endsWith('Card') && typeof url === 'string') {
    return raw(/^https?:[^\s<>\\]+$/.test(url) ? `<${url}>` : `[${escaped(url)}](${destination(url)})`);
  }
  const text =
    type === 'text' ? (node.text ?? '') : type === 'date' ? dayOf(attrs['timestamp']) : shown || textWithin(node);
  const emoji =
    type === 'emoji' && text === '' ? (typeof attrs['shortName'] === 'string' ? attrs['shortName'] : '') : text;
  return {
    text: emoji.replaceAll(/[\r\n]+/g, ' '),
    marks: Object.keys(delimiters).filter((mark) => kinds.includes(mark)),
    isRaw: false,
  };
}

function dayOf(timestamp: unknown): string {
  const at = new Date(Number(timestamp));
  return Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 10);
}

/** All text within a node of an unknown kind. */
export function textWithin({ text = '', content = [] }: AdfNode): string {
  return [text, ...content.map(textWithin)].filter((part) => part !== '').join(' ');
}

/** A code span, whose fence is longer than any in it. */
function codeSpan(code: string): string {
  const line = code.replaceAll(/\r?\n/g, ' ');
  const fence = '`'.repeat(Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length)) + 1);
  const isPadded = /^`|`$/.test(line) || (/^ .* $/.test(line) && line.trim() !== '');
  const pad = isPadded ? ' ' : '';
  return line === '' ? '' : `${fence}${pad}${line}${pad}${fence}`;
}

/** Writes runs one after the other. Delimiters may not have spaces on their inside, which are moved outside. */
function written(given: readonly Run[]): string {
  const runs = withoutEdges(joined(given));
  const pieces: Readonly<{ text: string; side: 'open' | 'close' | null }>[] = [];
  let open: readonly string[] = [];
  const turnTo = (marks: readonly string[]) => {
    const kept = common(open, marks);
    for (const mark of open.slice(kept.length).toReversed()) pieces.push({ text: delimiterOf(mark), side: 'close' });
    for (const mark of marks.slice(kept.length)) pieces.push({ text: delimiterOf(mark), side: 'open' });
    open = marks;
  };
  for (const { text, marks, isRaw } of runs) {
    turnTo(marks);
    pieces.push({ text: isRaw ? text : escaped(text), side: null });
  }
  turnTo([]);
  return pieces
    .map((piece, index) =>
      piece.side === null ? besideDelimiters(piece.text, pieces[index - 1], pieces[index + 1]) : piece.text,
    )
    .join('');
}

type Piece = Readonly<{ text: string; side: 'open' | 'close' | null }>;

/**
 * Writes the letter next to a delimiter as a character reference where the delimiter would otherwise be taken for text
 * (CommonMark, “left-flanking”).
 */
function besideDelimiters(text: string, before: Piece | undefined, after: Piece | undefined): string {
  const last = after?.side === 'open' ? text.replace(/((?<!\\)_)?([^\s\p{P}\p{S}])$/u, referred) : text;
  return before?.side === 'close' ? last.replace(/^([^\s\p{P}\p{S}])(_)?/u, referred) : last;
}

/** The letter as a reference; an underscore beside it, which was within a word before, is escaped. */
function referred(_: string, ...[one, other]: readonly (string | undefined)[]): string {
  return [one, other]
    .map((part = '') => (part === '_' ? '\\_' : part === '' ? '' : `&#x${part.codePointAt(0)?.toString(16)};`))
    .join('');
}
/** Neighbours with the same marks as one run. */
function joined(runs: readonly Run[]): readonly Run[] {
  const whole: Run[] = [];
  for (const run of runs.filter(({ text }) => text !== '')) {
    const last = whole.at(-1);
    const isSame = last?.isRaw === false && !run.isRaw && last.marks.join() === run.marks.join();
    if (isSame) whole[whole.length - 1] = { ...run, text: `${last.text}${run.text}` };
    else whole.push(run);
  }
  return whole;
}

function withoutEdges(runs: readonly Run[]): readonly Run[] {
  return runs.flatMap((run, index) => {
    if (run.isRaw) return [run];
    const before = common(runs[index - 1]?.marks ?? [], run.marks);
    const after = common(run.marks, runs[index + 1]?.marks ?? []);
    const middle = run.text.trim();
    const from = run.text.length - run.text.trimStart().length;
    const [start, end] = [run.text.slice(0, from), run.text.slice(from + middle.length)];
    if (middle === '') return [{ ...run, marks: common(before, after) }];
    return [
      { ...run, text: start, marks: before },
      { ...run, text: middle },
      { ...run, text: end, marks: after },
    ].filter(({ text }) => text !== '');
  });
}

function common(one: readonly string[], other: readonly string[]): readonly string[] {
  const end = one.findIndex((mark, index) => mark !== other[index]);
  return end === -1 ? one : one.slice(0, end);
}

/** Escapes what Markdown would take for more than text. An underscore within a word is text already. */
function escaped(text: string): string {
  return text
    .replaceAll('\0', '')
    .replaceAll(/[\\`*[\]<~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=[#\w]+;)|!$/gu, (mark) => `\\${mark}`);
}
