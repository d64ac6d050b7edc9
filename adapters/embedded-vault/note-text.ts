/** A note's frontmatter and where its body starts. */
export type NoteParts = Readonly<{
  /** The YAML between the two lines of dashes, without the last line end; null when the note has no frontmatter. */
  yaml: string | null;
  /** Where the YAML starts; without frontmatter where it would. */
  yamlStart: number;
  bodyStart: number;
}>;

const frontmatter = /^(\uFEFF?---[ \t]*\r?\n)(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/;

/** Splits a note. Frontmatter counts at the very start of the text only, behind a byte order mark at most. */
export function splitNote(text: string): NoteParts {
  const first = text.startsWith('\uFEFF') ? 1 : 0;
  const match = text.startsWith('---', first) ? frontmatter.exec(text) : null;
  if (match === null) return { yaml: null, yamlStart: first, bodyStart: first };
  return { yaml: match[2] ?? '', yamlStart: match[1]?.length ?? 0, bodyStart: match[0].length };
}

/** The line end of the text: CRLF when it has one, else LF. */
export const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
