import type { NoteIndex } from '#adapters/vault-folder/index/note-index.ts';
import { forEachNote } from '#adapters/vault-folder/search/for-each-note.ts';
import type { SearchHit, SearchMatch, SearchResult, WordQuery } from '#application/ports/vault-folder.ts';
import { maxListAnswer } from '#domain/notes/sizes.ts';
import { noteName } from '#domain/notes/vault-path.ts';
import { indexOfText } from '#domain/text/index-of-text.ts';
import { TimeSlices } from '#infrastructure/concurrency/time-slices.ts';

const maxPlacesPerWord = 2_000;
const matchOverhead = 120;

type Range = readonly [start: number, end: number];

/**
 * Finds the notes whose name or text contains every word and phrase of the query, ignoring case. Scores are negative and sorted in
 * descending order, so that the best, nearest to 0, is first, as in newer releases of the real server (older ones
 * sorted in ascending order). How its host computes scores is not published: here a note scores by a hit in its name
 * and by how often the words occur. Returns at most 4 MiB of matches, the best ones, and of each word the first 2,000
 * in a note.
 */
export async function searchNotes(index: NoteIndex, { terms, contextLength, page }: WordQuery): Promise<SearchResult> {
  if (terms.length === 0) return { hits: [], total: 0, isTruncated: false };
  const scored: { path: string; score: number }[] = [];
  await forEachNote(index, (path, text) => {
    const ranges = findWords(terms, searchable(path, text));
    if (ranges !== null) scored.push({ path, score: scoreOf(ranges, noteName(path).length) });
  });
  scored.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  const { from, limit } = page ?? { from: 0, limit: scored.length };
  const wanted = scored.slice(from, from + limit);
  return { ...(await withMatches(index, wanted, terms, contextLength)), total: scored.length };
}

/**
 * The occurrences of all words and phrases in text order, the first 2,000 of each; null unless every one occurs. A phrase
 * also occurs where a line ends between its words.
 */
export function findWords(words: readonly string[], text: string): readonly Range[] | null {
  const hasPhrase = words.some((word) => word.includes(' '));
  const lower = hasPhrase ? lowerCase(text).replaceAll(/\s/g, ' ') : lowerCase(text);
  const ranges: Range[] = [];
  for (const word of words) {
    let places = 0;
    let at = indexOfText(lower, word);
    if (at === -1) return null;
    for (; at !== -1 && places < maxPlacesPerWord; at = indexOfText(lower, word, at + word.length)) {
      ranges.push([at, at + word.length]);
      places += 1;
    }
  }
  return ranges.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

async function withMatches(
  index: NoteIndex,
  scored: readonly Readonly<{ path: string; score: number }>[],
  words: readonly string[],
  contextLength: number,
): Promise<Omit<SearchResult, 'total'>> {
  const slices = new TimeSlices();
  const hits: SearchHit[] = [];
  let size = 0;
  for (const { path, score } of scored) {
    const text = await index.textOf(path);
    const ranges = text === null ? null : findWords(words, searchable(path, text));
    if (text === null || ranges === null) continue;
    const room = Math.max(0, Math.floor((maxListAnswer - size) / (2 * contextLength + matchOverhead)));
    if (room < 1) return { hits, isTruncated: true };
    const matches = ranges.slice(0, room).flatMap((range) => matchOf(range, noteName(path), text, contextLength));
    size += matches.reduce((sum, { context }) => sum + context.length + matchOverhead, matchOverhead);
    hits.push({ filename: path, score, matches });
    if (slices.isUsedUp) await slices.next();
  }
  return { hits, isTruncated: false };
}

function matchOf([start, end]: Range, name: string, text: string, contextLength: number): readonly SearchMatch[] {
  const offset = name.length + 2;
  if (start < name.length) {
    return [{ match: { start, end: Math.min(end, name.length), source: 'filename' }, context: name }];
  }
  if (start < offset) return [];
  const [from, to] = [start - offset, end - offset];
  const context = text.slice(Math.max(from - contextLength, 0), to + contextLength);
  return [{ match: { start: from, end: to, source: 'content' }, context }];
}

const searchable = (path: string, text: string): string => `${noteName(path)}\n\n${text}`;

function scoreOf(ranges: readonly Range[], nameLength: number): number {
  const isInName = ranges.some(([start]) => start < nameLength);
  const share = ranges.length / (ranges.length + 10);
  // Both parts together stay below 2, so that the score is negative.
  return Math.round(((isInName ? 1 : 0) + share - 2) * 10_000) / 10_000;
}

/** Lower-cases without changing the length: a letter that would become longer (İ) is kept. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, (letter) =>
    letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter,
  ).join('');
}
