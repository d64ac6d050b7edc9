import { plainLanguageOf } from '#domain/notes/plain-languages.ts';

/** A block of code as it is rendered, fences included. */
export type CodeBlock = Readonly<{
  lines: readonly string[];
  /** The block's language, where it is not known to be merely highlighted; '' for none. Untrusted. */
  unknownLanguage: string;
  /** The index of the first line below the block. */
  next: number;
}>;

/**
 * Reads the block of code that begins on that line of untrusted Markdown; null when none does. It is fenced anew, by a
 * fence that nothing in it closes and without a language that a notes app runs. Inside a list, indentation makes no
 * code.
 */
export function codeBlockAt(
  lines: readonly string[],
  at: number,
  { isInList }: Readonly<{ isInList: boolean }>,
): CodeBlock | null {
  return fencedBlockAt(lines, at) ?? (isInList ? null : indentedBlockAt(lines, at));
}

const opening = /^((?:[ \t]|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))*)(`{3,}|~{3,})(.*)$/;

function fencedBlockAt(lines: readonly string[], at: number): CodeBlock | null {
  const [, margin = '', fence = '', information = ''] = opening.exec(lines[at] ?? '') ?? [];
  if (fence === '' || (fence.startsWith('`') && information.includes('`'))) return null;
  let end = at + 1;
  while (end < lines.length && !closes(lines[end] ?? '', fence)) end += 1;
  const content = lines.slice(at + 1, end).map((line) => withoutMargin(line, margin.length));
  const language = plainLanguageOf(information);
  return {
    lines: fenced(content, language ?? ''),
    unknownLanguage: language === null ? information.trim() : '',
    next: end + 1,
  };
}

/** Whether a line is a closing fence: the fence's character alone, at least as often. */
function closes(line: string, fence: string): boolean {
  const bare = line.trim();
  return bare.length >= fence.length && bare === fence.charAt(0).repeat(bare.length);
}

const isBlank = (line: string | undefined) => line === undefined || line.trim() === '';
const isIndented = (line: string | undefined) =>
  line !== undefined && /^(?: {4}| {0,3}\t)/.test(line) && !isBlank(line);

function indentedBlockAt(lines: readonly string[], at: number): CodeBlock | null {
  if (!isIndented(lines[at]) || !isBlank(lines[at - 1])) return null;
  let next = at + 1;
  for (let ahead = next; ahead < lines.length && (isIndented(lines[ahead]) || isBlank(lines[ahead])); ahead += 1) {
    if (isIndented(lines[ahead])) next = ahead + 1;
  }
  const content = lines.slice(at, next).map((line) => line.replace(/^(?: {4}| {0,3}\t)/, ''));
  return { lines: fenced(content, ''), unknownLanguage: '', next };
}

function fenced(content: readonly string[], language: string): readonly string[] {
  const runs = content.flatMap((line) => (line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(runs.reduce((longest, length) => Math.max(longest, length + 1), 3));
  // Template commands run in code as well, and a backslash does not escape there.
  return [`${fence}${language}`, ...content.map((line) => line.replace(/<(?=%)/g, '< ')), fence];
}

function withoutMargin(line: string, width: number): string {
  const blanks = line.length - line.trimStart().length;
  return line.slice(Math.min(blanks, width));
}
