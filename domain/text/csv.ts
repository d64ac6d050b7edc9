/** Matches text that a spreadsheet would interpret as a formula. */
const formula = /^\s*[=+\-@|%]|^[\t\r]/u;

/**
 * Formats rows as CSV (RFC 4180) with every text quoted. Text that a spreadsheet would evaluate as a formula is
 * prefixed with an apostrophe; numbers are unchanged.
 */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  return `"${(formula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
