/**
 * Replaces each U+0000 in a statement by U+FFFD. The ORM writes values into the text of statements, where neither database
 * accepts U+0000: SQLite ends the statement there and PostgreSQL rejects it. Lone surrogates become U+FFFD by themselves
 * when the text is encoded as UTF-8, so that both databases find what was stored with them.
 */
export function withoutNul(sql: string): string {
  return sql.includes('\0') ? sql.replaceAll('\0', '\uFFFD') : sql;
}
