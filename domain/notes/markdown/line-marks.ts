const [hash, backtick, tilde, underscore, star, minus, plus, equals] = [35, 96, 126, 95, 42, 45, 43, 61];
const [dot, parenthesis] = [46, 41];

/** Reads the text and level of `# Heading ##` (CommonMark §4.2); null when the line is no such heading. */
export function atxHeading(text: string, at: number, end: number): { text: string; level: number } | null {
  const level = runOf(hash, text, at, end);
  if (level > 6 || !(at + level === end || isSpace(text.charCodeAt(at + level)))) return null;
  let last = trimmedEnd(text, at + level, end);
  let closing = last;
  while (closing > at + level && text.charCodeAt(closing - 1) === hash) closing -= 1;
  if (closing < last && isSpace(text.charCodeAt(closing - 1))) last = closing;
  return { text: text.slice(at + level, last).trim(), level };
}

/** Counts the marks that open a fence there (§4.5); 0 when none does. */
export function fenceLength(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at);
  if (code !== backtick && code !== tilde) return 0;
  const length = runOf(code, text, at, end);
  if (length < 3) return 0;
  const infoAt = code === backtick ? text.indexOf('`', at + length) : -1;
  return infoAt !== -1 && infoAt < end ? 0 : length;
}

/** Whether the line closes a fence of that mark and length. */
export function closesFence(
  text: string,
  at: number,
  end: number,
  fence: Readonly<{ code: number; length: number }>,
): boolean {
  const length = runOf(fence.code, text, at, end);
  return length >= fence.length && trimmedEnd(text, at + length, end) === at + length;
}

/** Returns the level of the heading that an underline makes (§4.3); 0 when the line is no underline. */
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
 * Reads the mark of a list item (§5.2): its length, and the code that distinguishes its list from others. An empty
 * item, or a number other than 1, cannot interrupt a paragraph.
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
  const behind = at + length;
  if (behind < end && !isSpace(text.charCodeAt(behind))) return null;
  if (behind > end) return null;
  if (isInParagraph) {
    if (isOnlySpace(text, behind, end)) return null;
    if (isNumber && Number(text.slice(at, at + digits)) !== 1) return null;
  }
  return { length, list: isBullet ? code : closing };
}

const definition = /^[ \t]*\[(?:[^[\]\\]|\\.)+\]:[ \t]*[^\s<]\S*(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t\r]*$/;

/** Returns where the text of a paragraph starts after leading link definitions of one line each (§4.7). */
export function textBehindDefinitions(text: string, start: number, end: number): number {
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
