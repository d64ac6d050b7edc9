/**
 * Returns up to three candidates with the smallest edit distance to `text`, ignoring case; none when that exceeds two
 * and a third of the text's length.
 */
export function nearest(text: string, candidates: readonly string[]): readonly string[] {
  const wanted = text.toLowerCase();
  const maxEdits = Math.max(2, wanted.length / 3);
  // Names whose lengths differ by more need no comparison.
  const measured = candidates
    .filter(({ length }) => Math.abs(length - text.length) <= maxEdits)
    .map((candidate) => ({ candidate, edits: editsBetween(wanted, candidate.toLowerCase()) }));
  const fewest = Math.min(...measured.map(({ edits }) => edits));
  if (fewest > maxEdits) return [];
  return measured.flatMap(({ candidate, edits }) => (edits === fewest ? [candidate] : [])).slice(0, 3);
}

/** Returns the Levenshtein distance. */
export function editsBetween(left: string, right: string): number {
  const columns = Array.from(right);
  let row = Array.from({ length: columns.length + 1 }, (_, index) => index);
  let index = 0;
  for (const a of left) {
    index += 1;
    const next = [index];
    for (let j = 0; j < columns.length; j += 1) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (a === columns[j] ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
