import { inOneLine } from '#domain/vault-queries/search-terms.ts';

/** A match in a text, from `start` to `end`, and the text with the same number of characters on both sides of it. */
export type Match = Readonly<{ start: number; end: number; context: string }>;

/** The best places of a text that match, in its order, and the number of the others. */
export type Excerpts = Readonly<{ shown: readonly string[]; more: number }>;

/** The maximum number of places that are shown of a text. */
const maxShown = 3;

/** A part of a line that is shown; `isCut` says at which ends the line goes on. */
type Excerpt = {
  begin: number;
  end: number;
  text: string;
  isCut: [before: boolean, after: boolean];
  words: Set<string>;
};

/**
 * Shows matches, sorted by place, by the parts of their lines: those that overlap as one, and of more than three those
 * with the most different words, each text once. `contextLength` is the number of characters beside each match.
 */
export function excerptsOf(matches: readonly Match[], contextLength: number): Excerpts {
  const found: Excerpt[] = [];
  const maxLength = 4 * contextLength + 60;
  for (const match of matches) {
    const next = excerptAt(match, contextLength);
    const last = found.at(-1);
    if (last === undefined || next.begin >= last.end) {
      found.push(next);
      continue;
    }
    const isWithin = match.start < last.end && next.end - last.begin > maxLength;
    if (next.end <= last.end || isWithin) add(last.words, next.words);
    else if (next.end - last.begin <= maxLength) extend(last, next);
    else
      found.push({
        ...next,
        begin: last.end,
        text: next.text.slice(last.end - next.begin),
        isCut: [true, next.isCut[1]],
      });
  }
  const ranked = found.toSorted((a, b) => b.words.size - a.words.size || a.begin - b.begin);
  const different = new Map<string, Excerpt>();
  for (const one of ranked) {
    if (different.size === maxShown) break;
    const text = shownText(one);
    if (!different.has(text)) different.set(text, one);
  }
  const best = [...different].sort(([, a], [, b]) => a.begin - b.begin);
  return { shown: best.map(([text]) => text), more: found.length - best.length };
}

/** The part of the line of a match that is in its context. */
function excerptAt({ start, end, context }: Match, contextLength: number): Excerpt {
  const before = Math.min(start, contextLength);
  const after = Math.min(before + end - start, context.length);
  const from = context.lastIndexOf('\n', before - 1) + 1;
  const lineEnd = context.indexOf('\n', after);
  const to = lineEnd === -1 ? context.length : lineEnd;
  return {
    begin: start - before + from,
    end: start - before + to,
    text: context.slice(from, to),
    isCut: [from === 0 && start > contextLength, lineEnd === -1 && context.length - after >= contextLength],
    words: new Set([context.slice(before, after).toLowerCase()]),
  };
}

function extend(last: Excerpt, next: Excerpt): void {
  last.text += next.text.slice(last.end - next.begin);
  last.end = next.end;
  last.isCut[1] = next.isCut[1];
  add(last.words, next.words);
}

const shownText = ({ text, isCut: [before, after] }: Excerpt): string =>
  `${before ? '…' : ''}${inOneLine(text)}${after ? '…' : ''}`;

function add(words: Set<string>, more: ReadonlySet<string>): void {
  for (const word of more) words.add(word);
}
