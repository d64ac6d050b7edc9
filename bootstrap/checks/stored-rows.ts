import { z } from 'zod';
import type { ReadOnlyDatabase } from '#infrastructure/database/open-read-only.ts';

const factRow = z.object({ name: z.string(), value: z.string() });

/** Reads these columns of all rows of a table as they are stored. */
export function storedRows(
  database: ReadOnlyDatabase,
  table: 'outbound_tokens' | 'users' | 'server_facts',
  columns: readonly string[],
): Promise<readonly unknown[]> {
  return database.all(`select ${columns.join(', ')} from ${table}`);
}

/** Reads a fact of the server by its name; null when there is none. */
export async function storedFact(database: ReadOnlyDatabase, name: string): Promise<string | null> {
  const rows = await storedRows(database, 'server_facts', ['name', 'value']);
  return rows.map((row) => factRow.safeParse(row).data).find((fact) => fact?.name === name)?.value ?? null;
}
