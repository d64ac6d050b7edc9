/**
 * Returns up to three candidates with the smallest edit distance to `text`, ignoring case; none when that exceeds two
 * and a third of the text's length.
 */
export function nearest(text: string, candidates: readonly string[]): readonly string[] {
  const wanted = text.toLowerCase();
  const measured = candidates.map((candidate) => ({ candidate, edits: editsBetween(wanted, candidate.toLowerCase()) }));
  const fewest = Math.min(...measured.map(({ edits }) => edits));
  if (fewest > Math.max(2, wanted.length / 3)) return [];
  return measured.flatMap(({ candidate, edits }) => (edits === fewest ? [candidate] : [])).slice(0, 3);
}

/** Returns the Levenshtein distance. */
export function editsBetween(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [i, a] of Array.from(left).entries()) {
    const next = [i + 1];
    for (const [j, b] of Array.from(right).entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (a === b ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
