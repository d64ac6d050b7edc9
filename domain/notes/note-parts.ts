/** A note's frontmatter and where its body starts. */
export type NoteParts = Readonly<{
  /** The YAML between the two `---` lines, without its last line end; null when the note has no frontmatter. */
  yaml: string | null;
  /** The offset at which the YAML starts, or would start when there is none. */
  yamlStart: number;
  bodyStart: number;
}>;

const fence = '---';

/**
 * Splits a note into frontmatter and body. Frontmatter must be at the very start of the text, after a byte order mark
 * at most.
 */
export function splitNote(text: string): NoteParts {
  const first = text.startsWith('\uFEFF') ? 1 : 0;
  const none = { yaml: null, yamlStart: first, bodyStart: first };
  const yamlStart = text.startsWith(fence, first) ? behindFence(text, first) : null;
  if (yamlStart === null || text.charCodeAt(yamlStart - 1) !== 10) return none;
  for (let at = yamlStart - 1; at !== -1; at = text.indexOf(`\n${fence}`, at + 1)) {
    if (!text.startsWith(fence, at + 1)) continue;
    const bodyStart = behindFence(text, at + 1);
    if (bodyStart === null) continue;
    const end = text.charCodeAt(at - 1) === 13 ? at - 1 : at;
    return { yaml: text.slice(yamlStart, Math.max(end, yamlStart)), yamlStart, bodyStart };
  }
  return none;
}

/** The offset of the line after a fence; null when the fence's line has other text. */
function behindFence(text: string, at: number): number | null {
  let next = at + fence.length;
  while (text.charCodeAt(next) === 32 || text.charCodeAt(next) === 9) next += 1;
  if (next === text.length || text.charCodeAt(next) === 10) return Math.min(next + 1, text.length);
  return text.startsWith('\r\n', next) ? next + 2 : null;
}

/** The line end of the text: CRLF if it contains one, else LF. */
export const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
