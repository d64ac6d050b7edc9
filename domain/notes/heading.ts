/**
 * The full path of the first heading of that name in a note, from the outermost heading down; null when there is none.
 * Headings in fenced code are none. So a section is found again when a person has put headings above it.
 */
export function findHeading(markdown: string, name: string): readonly string[] | null {
  let fence: string | null = null;
  const above: { level: number; text: string }[] = [];
  for (const line of markdown.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && fence === null) fence = mark;
    else if (mark !== undefined && fence !== null && mark.startsWith(fence)) fence = null;
    if (fence !== null) continue;
    const [, hashes, text] = /^(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/.exec(line) ?? [];
    if (hashes === undefined || text === undefined) continue;
    while ((above.at(-1)?.level ?? 0) >= hashes.length) above.pop();
    above.push({ level: hashes.length, text });
    if (text === name) return above.map((heading) => heading.text);
  }
  return null;
}
