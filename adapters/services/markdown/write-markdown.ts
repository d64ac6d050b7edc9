import type { MarkdownBlock, MarkdownItem, MarkdownLine } from '#adapters/services/markdown/markdown-tree.ts';
import { writtenLine } from '#adapters/services/markdown/write-markdown-line.ts';

/** Writes blocks as Markdown that `readMarkdown` reads as the same blocks. */
export const writeMarkdown = (blocks: readonly MarkdownBlock[]): string => written(blocks, '\n\n');

/** Blocks one below the other. Of two lists of the same kind, the second gets other markers, or they would be one. */
function written(blocks: readonly MarkdownBlock[], glue: string): string {
  let isOther = false;
  let last = '';
  let whole = '';
  for (const block of blocks) {
    const kind = block.kind === 'list' && block.start !== null ? 'numbers' : block.kind;
    isOther = kind === last && !isOther;
    const text = blockText(block, isOther);
    if (text === '') continue;
    last = kind;
    const isTight = glue === '\n' && /^(?:[-*]|1[.)]) \S/.test(text);
    whole += whole === '' ? text : `${isTight ? '\n' : '\n\n'}${text}`;
  }
  return whole;
}

function blockText(block: MarkdownBlock, isOther: boolean): string {
  switch (block.kind) {
    case 'paragraph':
      return writtenLine(block.line, 'paragraph');
    case 'heading':
      return `${'#'.repeat(block.level)} ${writtenLine(block.line, 'heading')}`;
    case 'list': {
      const { start, items } = block;
      const marker = (index: number) =>
        start === null ? (isOther ? '* ' : '- ') : `${start + index}${isOther ? ')' : '.'} `;
      return items.map((item, index) => indented(itemText(item), marker(index))).join('\n');
    }
    case 'code':
      return codeText(block.code, block.language);
    case 'quote':
      return quoted(block.callout === null ? writeMarkdown(block.blocks) : calloutText(block.callout, block.blocks));
    case 'table':
      return tableText(block.rows);
    case 'rule':
      return '---';
  }
}

const calloutText = (word: string, blocks: readonly MarkdownBlock[]) => `[!${word}]\n\n${writeMarkdown(blocks)}`;

/** The text of an item. One that begins with a list gets a blank first line: three markers in a row are a rule. */
function itemText({ box, blocks }: MarkdownItem): string {
  const text = written(blocks, '\n');
  if (box !== null) return blocks[0]?.kind === 'paragraph' ? `[${box}] ${text}` : `[${box}]\n\n${text}`;
  return /^(?:[-*]|\d+[.)])(?: |$)/.test(text) ? `&#32;\n\n${text}` : text;
}

/** A block within another: its first line after the marker, the others below that. */
function indented(text: string, marker: string): string {
  const [first = '', ...rest] = text.split('\n');
  const pad = ' '.repeat(marker.length);
  return [`${marker}${first}`.trimEnd(), ...rest.map((line) => (line === '' ? '' : `${pad}${line}`))].join('\n');
}

const quoted = (text: string) =>
  text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');

function codeText(code: string, language: string | null): string {
  const text = code.replaceAll('\r\n', '\n');
  const fence = '`'.repeat(Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length)) + 1);
  const word = (language ?? '').replaceAll(/[\s`\\&]+/g, '-');
  return `${fence}${word}\n${text === '' ? '' : `${text}\n`}${fence}`;
}

/** Only the header has a cell for each column: others may be shorter, and a wide row does not widen them all. */
function tableText(rows: readonly (readonly MarkdownLine[])[]): string {
  const texts = rows.map((row) => row.map((cell) => writtenLine(cell, 'cell').replaceAll('|', '\\|')));
  const [first = [], ...others] = texts;
  const width = texts.reduce((most, { length }) => Math.max(most, length), 0);
  if (width === 0) return '';
  const header = [...first, ...Array.from({ length: width - first.length }, () => '')];
  return [
    rowText(header),
    `|${' --- |'.repeat(width)}`,
    ...others.map((row) => rowText(row.length === 0 ? [''] : row)),
  ].join('\n');
}

const rowText = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
