import type { PatchOperation } from '#domain/notes/patch/note-patch.ts';

const delimiterCell = /^:?-+:?$/;

/**
 * Appends, prepends or replaces the rows of a Markdown table. `content` is a list of rows, or one row. Null when it is
 * neither, when a row has a different number of cells than the header, or when the text is not a table.
 */
export function tableWithRows(
  table: string,
  operation: PatchOperation,
  content: unknown,
  lineEnd: string,
): string | null {
  const [head = '', delimiters = '', ...own] = table.split(/\r?\n/);
  const columns = cellsOf(head).length;
  const marks = cellsOf(delimiters);
  const isTable =
    head.includes('|') && marks.length === columns && marks.every((mark) => delimiterCell.test(mark.trim()));
  const rows = rowsOf(content);
  if (!isTable || rows === null || rows.some((row) => row.length !== columns)) return null;
  const given = rows.map((row) => `| ${row.join(' | ')} |`);
  const kept = operation === 'replace' ? [] : own;
  const lines = operation === 'prepend' ? [...given, ...kept] : [...kept, ...given];
  return [head, delimiters, ...lines].join(lineEnd);
}

/** Splits a row into cells, with or without bars at its ends; an escaped bar is text. */
function cellsOf(line: string): readonly string[] {
  const cells = line.trim().split(/(?<!\\)\|/);
  if (cells.at(0) === '') cells.shift();
  if (cells.length > 1 && cells.at(-1)?.trim() === '') cells.pop();
  return cells;
}

function rowsOf(content: unknown): readonly (readonly string[])[] | null {
  if (!Array.isArray(content)) return null;
  if (content.length > 0 && isRow(content)) return [content];
  return content.every(isRow) ? content : null;
}

const isRow = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((cell) => typeof cell === 'string');
