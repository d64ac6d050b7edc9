import { visibleText } from '#domain/shared/visible-text.ts';

/** A stored row that does not fit its table: its key as text, whose it is (null when unknown), and what does not fit. */
export type UnreadableRow = Readonly<{ table: string; key: string; userId: number | null; problem: string }>;

/** The stored rows that the latest reads had to leave out, since they do not fit. */
export interface UnreadableRows {
  all(): readonly UnreadableRow[];
}

/** Describes such a row in one line, for people. */
export function unreadableText({ table, key, problem }: UnreadableRow): string {
  return visibleText(`${table} ${key} (${problem})`);
}
