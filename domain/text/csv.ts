/** Characters with which a spreadsheet takes a cell for a formula, also after blanks. */
const formula = /^\s*[=+\-@|%]|^[\t\r]/u;

/**
 * Formats rows as CSV (RFC 4180), each cell quoted. A text that a spreadsheet would run as a formula gets an apostrophe before
 * it; numbers stay as they are.
 */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  return `"${(formula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
