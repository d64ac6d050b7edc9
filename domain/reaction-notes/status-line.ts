/** The key under which the server writes whether it understands a reaction. */
export const statusKey = 'reaction_status';

/** A note's frontmatter between its fences; some editors put a byte order mark before it. */
export const fences = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;

/** Whether a frontmatter, valid YAML or not, has the key that makes a note a reaction. */
export function hasReactionKey(frontmatter: string): boolean {
  return /^["']?reaction["']?[ \t]*:/m.test(frontmatter);
}

const statusLine = new RegExp(`^${statusKey}:[ \\t]*("(?:[^"\\\\\\r\\n]|\\\\.)*")?[^\\r\\n]*`, 'm');

/** Returns the status in a frontmatter that need not be valid YAML, as `withStatusLine` writes it; null for none. */
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

/** Writes the status into the text of a note, and leaves every other line as it is; null without a frontmatter. */
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
