import { plainLanguageOf } from '#domain/notes/plain-languages.ts';

/** A code block as it is rendered, fences included. */
export type CodeBlock = Readonly<{
  lines: readonly string[];
  /** The block's language tag when it is not a known highlight-only language; '' otherwise. Untrusted. */
  unknownLanguage: string;
  /** The index of the first line below the block. */
  next: number;
}>;

/**
 * Reads the code block that starts at line `at` of untrusted Markdown; null when none does. The block is re-fenced with
 * a fence longer than any in its content, and loses a language that a notes app might execute. Inside a list, indented
 * lines are not treated as code.
 */
export function codeBlockAt(
  lines: readonly string[],
  at: number,
  { isInList }: Readonly<{ isInList: boolean }>,
): CodeBlock | null {
  return fencedBlockAt(lines, at) ?? (isInList ? null : indentedBlockAt(lines, at));
}

const opening = /^((?:[ \t]|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))*)(`{3,}|~{3,})/;

function fencedBlockAt(lines: readonly string[], at: number): CodeBlock | null {
  const line = lines[at] ?? '';
  const [start = '', margin = '', fence = ''] = opening.exec(line) ?? [];
  const information = line.slice(start.length);
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

/** Whether a line is a closing fence: only the fence's character, at least as many times. */
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
  // Notes apps run template commands inside code too, and a backslash does not escape them there.
  return [`${fence}${language}`, ...content.map((line) => line.replace(/<(?=%)/g, '< ')), fence];
}

function withoutMargin(line: string, width: number): string {
  const blanks = line.length - line.trimStart().length;
  return line.slice(Math.min(blanks, width));
}
