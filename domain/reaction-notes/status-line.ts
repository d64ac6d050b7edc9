/** The frontmatter key under which the server writes whether a reaction is valid. */
export const statusKey = 'reaction_status';

/**
 * Matches a note's frontmatter and captures the text between its fences; some editors write a byte order mark first.
 */
export const fences = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;

/** Whether frontmatter, valid YAML or not, has the key that makes a note a reaction. */
export function hasReactionKey(frontmatter: string): boolean {
  return /^["']?reaction["']?[ \t]*:/m.test(frontmatter);
}

const statusLine = new RegExp(`^${statusKey}:[ \\t]*("(?:[^"\\\\\\r\\n]|\\\\.)*")?[^\\r\\n]*`, 'm');

/**
 * Returns the status from frontmatter that need not be valid YAML, as `withStatusLine` writes it; null when there is
 * none.
 */
export function statusIn(frontmatter: string): string | null {
  const written = statusLine.exec(frontmatter)?.[1];
  if (written === undefined) return null;
  try {
    const status: unknown = JSON.parse(written);
    return typeof status === 'string' ? status : null;
  } catch {
    return null;
  }
}

/**
 * Writes the status into a note's frontmatter without changing any other line; null when the note has no frontmatter.
 */
export function withStatusLine(text: string, status: string): string | null {
  const match = fences.exec(text);
  if (match === null || match.index !== 0) return null;
  const [block, frontmatter = ''] = match;
  const line = `${statusKey}: ${JSON.stringify(status)}`;
  const start = block.indexOf(frontmatter, block.indexOf('\n'));
  const end = frontmatter.includes('\r\n') ? '\r\n' : '\n';
  const changed = statusLine.test(frontmatter)
    ? frontmatter.replace(statusLine, () => line)
    : `${frontmatter}${line}${end}`;
  return `${text.slice(0, start)}${changed}${text.slice(start + frontmatter.length)}`;
}
