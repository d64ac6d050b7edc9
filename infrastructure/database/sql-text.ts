/**
 * Replaces each U+0000 in a statement by U+FFFD. The ORM interpolates values into the SQL text, where neither database
 * accepts U+0000: SQLite ends the statement there, and PostgreSQL rejects it. Lone surrogates become U+FFFD when the
 * text is encoded as UTF-8, both when stored and when queried.
 */
export function withoutNul(sql: string): string {
  return sql.includes('\0') ? sql.replaceAll('\0', '\uFFFD') : sql;
}
