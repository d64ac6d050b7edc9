const [hash, backtick, tilde, underscore, star, minus, plus, equals] = [35, 96, 126, 95, 42, 45, 43, 61];
const [dot, parenthesis] = [46, 41];

/** Reads the text and level of an ATX heading, `# Heading ##` (CommonMark §4.2); null when the line is none. */
export function atxHeading(text: string, at: number, end: number): { text: string; level: number } | null {
  const level = runOf(hash, text, at, end);
  if (level > 6 || !(at + level === end || isSpace(text.charCodeAt(at + level)))) return null;
  let last = trimmedEnd(text, at + level, end);
  let closing = last;
  while (closing > at + level && text.charCodeAt(closing - 1) === hash) closing -= 1;
  if (closing < last && isSpace(text.charCodeAt(closing - 1))) last = closing;
  return { text: text.slice(at + level, last).trim(), level };
}

/** Returns the length of the code fence that opens there (§4.5); 0 when none does. */
export function fenceLength(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at);
  if (code !== backtick && code !== tilde) return 0;
  const length = runOf(code, text, at, end);
  if (length < 3) return 0;
  const infoAt = code === backtick ? text.indexOf('`', at + length) : -1;
  return infoAt !== -1 && infoAt < end ? 0 : length;
}

/** Whether the line closes a fence of that character and length. */
export function closesFence(
  text: string,
  at: number,
  end: number,
  fence: Readonly<{ code: number; length: number }>,
): boolean {
  const length = runOf(fence.code, text, at, end);
  return length >= fence.length && trimmedEnd(text, at + length, end) === at + length;
}

/** Returns the level of the setext heading that the line underlines (§4.3); 0 when the line is no underline. */
export function underlineLevel(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at);
  if (code !== equals && code !== minus) return 0;
  const length = runOf(code, text, at, end);
  if (trimmedEnd(text, at + length, end) !== at + length) return 0;
  return code === equals ? 1 : 2;
}

/** Whether the line is a thematic break (§4.1): three or more of `*`, `-` or `_`, and white space. */
export function isRule(text: string, at: number, end: number): boolean {
  const code = text.charCodeAt(at);
  if (code !== star && code !== minus && code !== underscore) return false;
  let marks = 0;
  for (let index = at; index < end; index += 1) {
    const next = text.charCodeAt(index);
    if (next === code) marks += 1;
    else if (!isSpace(next)) return false;
  }
  return marks >= 3;
}

/**
 * Reads the marker of a list item (§5.2): its length, and a code that tells the list from one with other markers. An
 * empty item, or a number other than 1, cannot interrupt a paragraph.
 */
export function listMark(
  text: string,
  at: number,
  end: number,
  isInParagraph: boolean,
): { length: number; list: number } | null {
  const code = text.charCodeAt(at);
  const isBullet = code === star || code === minus || code === plus;
  let digits = 0;
  while (digits < 10 && isDigit(text.charCodeAt(at + digits))) digits += 1;
  const closing = text.charCodeAt(at + digits);
  const isNumber = digits > 0 && digits < 10 && (closing === dot || closing === parenthesis);
  if (!isBullet && !isNumber) return null;
  const length = isBullet ? 1 : digits + 1;
  const after = at + length;
  if (after < end && !isSpace(text.charCodeAt(after))) return null;
  if (after > end) return null;
  if (isInParagraph) {
    if (isOnlySpace(text, after, end)) return null;
    if (isNumber && Number(text.slice(at, at + digits)) !== 1) return null;
  }
  return { length, list: isBullet ? code : closing };
}

const definition = /^[ \t]*\[(?:[^[\]\\]|\\.)+\]:[ \t]*[^\s<]\S*(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t\r]*$/;

/** Returns the start of a paragraph's text after leading one-line link reference definitions (§4.7). */
export function textAfterDefinitions(text: string, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const newline = text.indexOf('\n', at);
    const lineEnd = newline === -1 || newline > end ? end : newline;
    if (text.charCodeAt(at) !== 91 && !isSpace(text.charCodeAt(at))) return at;
    if (!definition.test(text.slice(at, lineEnd))) return at;
    at = lineEnd + 1;
  }
  return end;
}

function runOf(code: number, text: string, at: number, end: number): number {
  let index = at;
  while (index < end && text.charCodeAt(index) === code) index += 1;
  return index - at;
}

function trimmedEnd(text: string, from: number, end: number): number {
  let last = end;
  while (last > from && isSpace(text.charCodeAt(last - 1))) last -= 1;
  return last;
}

function isOnlySpace(text: string, from: number, end: number): boolean {
  let at = from;
  while (at < end && isSpace(text.charCodeAt(at))) at += 1;
  return at === end;
}

const isSpace = (code: number): boolean => code === 32 || code === 9;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
