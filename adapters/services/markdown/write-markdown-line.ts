import type { MarkdownInline, MarkdownLine, MarkdownMark } from '#adapters/services/markdown/markdown-tree.ts';
import { withoutEnd } from '#domain/text/without-end.ts';

/** Where a line is written, which decides how it breaks and what is escaped. */
export type LinePlace = 'paragraph' | 'heading' | 'cell';

/** A text with the marks around it, outermost first; `raw` is Markdown already. */
type Run = Readonly<{ text: string; marks: readonly MarkdownMark[]; kind: 'text' | 'code' | 'raw' }>;

const delimiters: Readonly<Record<MarkdownMark, string>> = { strong: '**', strike: '~~', em: '_' };
const order: readonly MarkdownMark[] = ['strong', 'strike', 'em'];

/** Writes a line as Markdown that is read as the same line. */
export function writtenLine(line: MarkdownLine, place: LinePlace): string {
  if (place === 'heading') {
    const text = written(line.flatMap(runsOf)).trim();
    const open = withoutEnd(text, '#');
    return open === text ? open : `${open}\\${text.slice(open.length)}`;
  }
  const lines = linesOf(line).map((one) => atLineStart(written(one.flatMap(runsOf)).trim(), place));
  while (lines.at(-1) === '') lines.pop();
  return lines.join(place === 'cell' ? '<br>' : '\\\n');
}

function linesOf(line: MarkdownLine): readonly MarkdownLine[] {
  const lines: MarkdownInline[][] = [[]];
  for (const part of line) {
    if (part.kind === 'break') lines.push([]);
    else lines.at(-1)?.push(part);
  }
  return lines;
}

function atLineStart(line: string, place: LinePlace): string {
  if (place !== 'paragraph') return line;
  return line.replace(/^(?:[#+\-=>]|[:|](?=[-:|\s]*$))/, (mark) => `\\${mark}`).replace(/^(\d{1,9})([.)])/, '$1\\$2');
}

function runsOf(part: MarkdownInline): readonly Run[] {
  const raw = (text: string): readonly Run[] => [{ text, marks: [], kind: 'raw' }];
  switch (part.kind) {
    case 'text':
      return [{ text: oneLine(part.text), marks: order.filter((mark) => part.marks.includes(mark)), kind: 'text' }];
    case 'code':
      return [{ text: part.text, marks: [], kind: 'code' }];
    case 'link': {
      const within = part.content.flatMap(runsOf);
      return isScript(part.href) ? within : raw(`[${written(within)}](${destination(part.href)})`);
    }
    case 'address':
      return raw(
        /^https?:[^\s<>\\]+$/.test(part.url)
          ? `<${part.url}>`
          : `[${escaped(oneLine(part.url))}](${destination(part.url)})`,
      );
    case 'image':
      return raw(`![${escaped(oneLine(part.alt))}](${destination(part.src)})`);
    case 'break':
      return [{ text: ' ', marks: [], kind: 'text' }];
  }
}

const oneLine = (text: string) => text.replaceAll(/[\r\n]+/g, ' ');

/** Whether an address runs a script, or reads a file. */
const isScript = (href: string) => /^\s*(?:javascript|vbscript|file|data):/i.test(href);

function destination(href: string): string {
  const safe = href.replaceAll(/[<>\\\s]/g, encodeURIComponent).replaceAll(/&(?=[#\w]+;)/g, '&amp;');
  return safe === '' || /[()]/.test(safe) ? `<${safe}>` : safe;
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
  let open: readonly MarkdownMark[] = [];
  const turnTo = (marks: readonly MarkdownMark[]) => {
    const kept = common(open, marks);
    for (const mark of open.slice(kept.length).toReversed()) pieces.push({ text: delimiters[mark], side: 'close' });
    for (const mark of marks.slice(kept.length)) pieces.push({ text: delimiters[mark], side: 'open' });
    open = marks;
  };
  for (const { text, marks, kind } of runs) {
    turnTo(marks);
    pieces.push({ text: kind === 'raw' ? text : kind === 'code' ? codeSpan(text) : escaped(text), side: null });
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

/** Neighbours with the same marks as one run; two code spans side by side would be read as another one. */
function joined(runs: readonly Run[]): readonly Run[] {
  const whole: Run[] = [];
  for (const run of runs.filter(({ text }) => text !== '')) {
    const last = whole.at(-1);
    const isSame = last?.kind === run.kind && run.kind !== 'raw' && last.marks.join() === run.marks.join();
    if (isSame) whole[whole.length - 1] = { ...run, text: `${last.text}${run.text}` };
    else whole.push(run);
  }
  return whole;
}

function withoutEdges(runs: readonly Run[]): readonly Run[] {
  return runs.flatMap((run, index) => {
    if (run.kind !== 'text') return [run];
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

function common(one: readonly MarkdownMark[], other: readonly MarkdownMark[]): readonly MarkdownMark[] {
  const end = one.findIndex((mark, index) => mark !== other[index]);
  return end === -1 ? one : one.slice(0, end);
}

/** Escapes what Markdown would take for more than text. An underscore within a word is text already. */
function escaped(text: string): string {
  return text
    .replaceAll('\0', '')
    .replaceAll(/[\\`*[\]<~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=[#\w]+;)|!$/gu, (mark) => `\\${mark}`);
}
