/**
 * The statement with U+FFFD for each U+0000 in it. The ORM writes values into the text of statements, where neither database
 * takes U+0000: SQLite ends the statement there and PostgreSQL refuses it. Half surrogates become U+FFFD by themselves when the
 * text is written as UTF-8, so that both find what was stored with them.
 */
export function withoutNul(sql: string): string {
  return sql.includes('\0') ? sql.replaceAll('\0', '\uFFFD') : sql;
}
