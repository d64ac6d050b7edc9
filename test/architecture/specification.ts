/** A clause of docs/specification.md: its id, its statement, and the group that its heading names. */
export type Clause = Readonly<{ id: string; text: string; group: string }>;

const clauseLine = /^- \*\*([A-Z]+-\d{3})\*\* ([A-Z`/{].*[.:])( †)?$/u;
const heading = /^## (?:.*\(([A-Z]+)\)|([A-Za-z]+))$/;

/** The clauses of the document in its order, and every list item below a heading that is not written as one. */
export function clausesOf(markdown: string): Readonly<{ clauses: readonly Clause[]; malformed: readonly string[] }> {
  const clauses: Clause[] = [];
  const malformed: string[] = [];
  let group = '';
  for (const line of markdown.split('\n')) {
    const [, bracketed, alone] = heading.exec(line) ?? [];
    group = (bracketed ?? alone ?? group).toUpperCase();
    if (!line.startsWith('- ')) continue;
    const [, id = '', text = ''] = clauseLine.exec(line) ?? [];
    if (id === '' || id.split('-')[0] !== group) malformed.push(line);
    else clauses.push({ id, text, group });
  }
  return { clauses, malformed };
}

/** The ids in the brackets that end the titles of tests, as in `refuses a code 600 s old (CODE-006)`. */
export function titledIn(source: string): readonly string[] {
  const titles = source.matchAll(/ \(((?:[A-Z]+-\d{3}(?:, )?)+)\)(?=['"`])/g);
  return [...titles].flatMap(([, ids = '']) => ids.split(', '));
}

/** The ids of the given groups that a text names anywhere. */
export function citedIn(text: string, groups: ReadonlySet<string>): readonly string[] {
  return [...text.matchAll(/\b([A-Z]+)-\d{3}\b/g)].filter(([, group = '']) => groups.has(group)).map(([id]) => id);
}

/** Those that occur more than once, each once. */
export function repeatedOf(ids: readonly string[]): readonly string[] {
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
}
