/** A note's frontmatter and where its body starts. */
export type NoteParts = Readonly<{
  /** The YAML between the two lines of dashes, without the last line end; null when the note has no frontmatter. */
  yaml: string | null;
  bodyStart: number;
}>;

const frontmatter = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/;

/** Splits a note. Frontmatter counts at the very start of the text only. */
export function splitNote(text: string): NoteParts {
  const match = text.startsWith('---') ? frontmatter.exec(text) : null;
  return match === null ? { yaml: null, bodyStart: 0 } : { yaml: match[1] ?? '', bodyStart: match[0].length };
}

/** The line end of the text: CRLF when it has one, else LF. */
export const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
