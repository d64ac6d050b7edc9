/** A line of a text that changed: added, removed, or as it was; `⋯` stands, without a text, for lines left out. */
export type DiffLine = Readonly<{ mark: '+' | '-' | ' ' | '⋯'; text: string }>;

const gap: DiffLine = { mark: '⋯', text: '' };

/** Above so many pairs of lines nothing is compared: the old lines go, the new ones come. */
const maxPairs = 4_000_000;

/** What changed from one text to another, line by line (longest common subsequence), with `around` unchanged lines about it. */
export function lineDiff(before: string, after: string, around = 1): readonly DiffLine[] {
  const all = compared(linesOf(before), linesOf(after));
  const isNear = (at: number) => all.slice(Math.max(0, at - around), at + around + 1).some(({ mark }) => mark !== ' ');
  const kept = [...all.keys()].filter(isNear);
  return kept.flatMap((at, index) => {
    const line = all[at] ?? gap;
    const isApart = index > 0 && kept[index - 1] !== at - 1;
    return isApart ? [gap, line] : [line];
  });
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function compared(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const changed = middle(before.slice(start, before.length - end), after.slice(start, after.length - end));
  return [...same(before.slice(0, start)), ...changed, ...same(before.slice(before.length - end))];
}

const marked = (mark: DiffLine['mark']) => (lines: readonly string[]) => lines.map((text) => ({ mark, text }));
const same = marked(' ');
const removed = marked('-');
const added = marked('+');

function middle(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  if (before.length * after.length > maxPairs) return [...removed(before), ...added(after)];
  const common = commonLengths(before, after);
  const at = (row: number, column: number) => common[row]?.[column] ?? 0;
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old, fresh] = [before[row], after[column]];
    if (old !== undefined && old === fresh) {
      lines.push({ mark: ' ', text: old });
      row += 1;
      column += 1;
    } else if (old !== undefined && (fresh === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ mark: '-', text: old });
      row += 1;
    } else {
      lines.push({ mark: '+', text: fresh ?? '' });
      column += 1;
    }
  }
  return lines;
}

/** How many lines the rest of both texts have in common, from each pair of places on. */
function commonLengths(before: readonly string[], after: readonly string[]): readonly (readonly number[])[] {
  const rows: number[][] = Array.from({ length: before.length + 1 }, () => Array<number>(after.length + 1).fill(0));
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const isSame = before[row] === after[column];
      const [next, here] = [rows[row + 1], rows[row]];
      if (next === undefined || here === undefined) continue;
      here[column] = isSame ? (next[column + 1] ?? 0) + 1 : Math.max(next[column] ?? 0, here[column + 1] ?? 0);
    }
  }
  return rows;
}
