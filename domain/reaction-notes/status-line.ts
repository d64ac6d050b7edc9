import { hash } from 'node:crypto';

/** The frontmatter key under which the server writes whether a reaction is valid. */
export const statusKey = 'reaction_status';

/** The place of a note's frontmatter: its lines between the fences, and the start of the text below them. */
export type FrontmatterPlace = Readonly<{ start: number; end: number; below: number }>;

// Some editors write a byte order mark first.
const openingFence = /^\ufeff?---[ \t]*\r?\n/;
const closingFence = /^---[ \t]*(?:\r?\n|$)/gm;

/** Returns the place of a note's frontmatter; null when the note has none. */
export function frontmatterPlace(text: string): FrontmatterPlace | null {
  const start = openingFence.exec(text)?.[0].length;
  if (start === undefined) return null;
  closingFence.lastIndex = start;
  const closing = closingFence.exec(text);
  if (closing === null) return null;
  return { start, end: closing.index, below: closing.index + closing[0].length };
}

/** The maximum length of a note that is read as a reaction, in characters. */
export const maxReactionText = 64 * 1024;

/** Whether a note is a reaction; looks at no more of it than a reaction may have. */
export function isReactionText(text: string): boolean {
  const read = text.slice(0, maxReactionText);
  const place = frontmatterPlace(read);
  if (place !== null) return hasReactionKey(read.slice(place.start, place.end));
  return text.length > maxReactionText && openingFence.test(read) && hasReactionKey(read);
}

/** Whether frontmatter, valid YAML or not, has the key that makes a note a reaction. */
function hasReactionKey(frontmatter: string): boolean {
  return /^["']?reaction["']?[ \t]*:/m.test(frontmatter);
}

const statusLine = new RegExp(`^${statusKey}:[ \\t]*([^\\r\\n]*)`, 'm');
const quotedText = /^"(?:[^"\\]|\\.)*"/;

/** Returns the status that `withStatusLine` wrote into a note, whose YAML need not be valid; null when there is none. */
export function statusIn(text: string): string | null {
  const place = frontmatterPlace(text);
  const value = place === null ? '' : (statusLine.exec(text.slice(place.start, place.end))?.[1] ?? '');
  const written = quotedText.exec(value)?.[0];
  if (written === undefined) return null;
  try {
    const status: unknown = JSON.parse(written);
    return typeof status === 'string' ? status : null;
  } catch {
    return null;
  }
}

/** Returns a digest of a note's whole text. */
export function wholeDigest(text: string): string {
  return hash('sha256', text);
}

/** Returns a digest of a note's text without its status, so that writing the status does not change it. */
export function textDigest(text: string): string {
  return hash('sha256', withStatusLine(text, '') ?? text);
}

/**
 * Writes the status into a note's frontmatter without changing any other line; null when the note has no frontmatter.
 */
export function withStatusLine(text: string, status: string): string | null {
  const place = frontmatterPlace(text);
  if (place === null) return null;
  const frontmatter = text.slice(place.start, place.end);
  const line = `${statusKey}: ${JSON.stringify(status)}`;
  const end = frontmatter.includes('\r\n') ? '\r\n' : '\n';
  const changed = statusLine.test(frontmatter)
    ? frontmatter.replace(statusLine, () => line)
    : `${frontmatter}${line}${end}`;
  return `${text.slice(0, place.start)}${changed}${text.slice(place.end)}`;
}
