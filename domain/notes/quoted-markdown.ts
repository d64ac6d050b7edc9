import { codeBlockAt } from '#domain/notes/code-block.ts';
import { cleanText, inertAddress } from '#domain/notes/markdown-text.ts';

/**
 * Turns untrusted Markdown into an inert block quotation. Lists, emphasis, nested quotations and code keep their
 * formatting; whatever would execute, embed, link, or create a heading, task, field, tag, block id or comment is shown
 * literally, as is inline code, which notes apps execute depending on its first characters. Empty for blank text.
 */
export function quotedMarkdown(text: string): string {
  const lines = cleanText(text).trim().split('\n');
  if (lines.length === 1 && lines[0] === '') return '';
  return inertLines(lines)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

const listItem = /^[ \t>]*(?:[-+*]|\d{1,9}[.)])[ \t]/;

function inertLines(lines: readonly string[]): readonly string[] {
  const inert: string[] = [];
  let isInList = false;
  for (let at = 0; at < lines.length; ) {
    const code = codeBlockAt(lines, at, { isInList });
    if (code !== null) {
      const named = code.unknownLanguage === '' ? [] : [inertLine(code.unknownLanguage)];
      inert.push(...named, ...code.lines);
      at = code.next;
      continue;
    }
    const line = lines[at] ?? '';
    const isLoose = /^\S/.test(line) && (at === 0 || lines[at - 1]?.trim() === '');
    isInList = listItem.test(line) || (isInList && !isLoose);
    // Outside a list, indentation is either insignificant or makes code, in which an escaping backslash would show.
    inert.push(inertLine(isInList ? line : line.trimStart()));
    at += 1;
  }
  return inert;
}

/**
 * Matches a URL, bare or in angle brackets, up to white space. It is percent-encoded, since an escaping backslash would
 * become part of it.
 */
const address = /<(https?:\/\/[^\s<>]+)>(?=\s|$)|(https?:\/\/\S+)/;

/** Matches an escaped pair, which is kept, or a character that is special by itself or next to its neighbour. */
const live =
  /(\\[!-/:-@[-`{-~])|[\\<`[$^]|~(?=~~)|(?<=~~)~|(?<=~)~(?=~)|&(?=#?\w+;)|(?<![\w/])#|(?<=[<%])%|%(?=[%>])|(?<=:):|:(?=:|\/\/)|(?<=\{)\{|\{(?=\{)|(?<=www)\./;

const addressOrLive = new RegExp(`${address.source}|${live.source}`, 'gi');

/** Matches a line of `=` or `-`, which would underline a heading or delimit frontmatter. */
const rule = /^([ \t>]*)([-=])(?=[-= \t]*$)/;

function inertLine(line: string): string {
  return line
    .replace(addressOrLive, (found, angled?: string, bare?: string, escaped?: string) => {
      const web = angled ?? bare;
      return web === undefined ? (escaped ?? `\\${found}`) : inertAddress(web);
    })
    .replace(rule, '$1\\$2');
}
