/** A part of a text; `end` is the offset after it. */
export type Range = Readonly<{ start: number; end: number }>;

const opening = /^(?:[ \t>]|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))*(`{3,}|~{3,})/;
const maxMargin = 200;

/** The code in a note's text, fenced and in lines, in order; a fence that nothing closes reaches to the end. */
export function codeRanges(text: string, from = 0): readonly Range[] {
  const ranges: Range[] = [];
  let open: Readonly<{ fence: string; start: number }> | null = null;
  for (let start = from; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    if (open === null) {
      const fence = fenceAt(text, start, end);
      if (fence === null) spansIn(text, start, end, ranges);
      else open = { fence, start };
    } else if (closes(text.slice(start, end), open.fence)) {
      ranges.push({ start: open.start, end });
      open = null;
    }
    start = end + 1;
  }
  if (open !== null) ranges.push({ start: open.start, end: text.length });
  return ranges;
}

function fenceAt(text: string, start: number, end: number): string | null {
  const [margin = '', fence = ''] = opening.exec(text.slice(start, Math.min(end, start + maxMargin))) ?? [];
  const tick = fence.startsWith('`') ? text.indexOf('`', start + margin.length) : -1;
  return fence === '' || (tick !== -1 && tick < end) ? null : fence;
}

function closes(line: string, fence: string): boolean {
  const bare = line.replace(/^[ \t>]+/, '').trimEnd();
  return bare.length >= fence.length && bare === fence.charAt(0).repeat(bare.length);
}

/** Adds the spans between runs of as many backticks in one line. */
function spansIn(text: string, start: number, end: number, ranges: Range[]): void {
  const runs: Range[] = [];
  for (let at = text.indexOf('`', start); at !== -1 && at < end; at = text.indexOf('`', at)) {
    const begin = at;
    while (text.charCodeAt(at) === 96) at += 1;
    runs.push({ start: begin, end: at });
  }
  const next = new Map<number, number>();
  const closing = runs.map(() => -1);
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const length = lengthOf(runs[index]);
    closing[index] = next.get(length) ?? -1;
    next.set(length, index);
  }
  for (let index = 0; index < runs.length; ) {
    const [run, other] = [runs[index], runs[closing[index] ?? -1]];
    const isEscaped = run !== undefined && text.charAt(run.start - 1) === '\\';
    if (run !== undefined && other !== undefined && !isEscaped) {
      ranges.push({ start: run.start, end: other.end });
      index = (closing[index] ?? index) + 1;
    } else index += 1;
  }
}

const lengthOf = (range: Range | undefined): number => (range === undefined ? 0 : range.end - range.start);
