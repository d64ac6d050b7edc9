import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RouteContext } from '#adapters/http/route.ts';
import { csvOf } from '#domain/text/csv.ts';

type Row = readonly (string | number | null)[];

/** How many entries of a list are read at once for a file. */
export const perChunk = 200;

/** One part of a list: its entries as rows, and where the next part begins, undefined after the last. */
type Part = Readonly<{ rows: readonly Row[]; before: number | undefined }>;

/**
 * Answers with a CSV file that is read and sent in parts: it may be long, and whoever else asks something waits for one part
 * at most. `read` returns the part before an id, the first one for undefined.
 */
export function sendCsv(
  ctx: RouteContext,
  { name, head, read }: Readonly<{ name: string; head: Row; read: (before: number | undefined) => Promise<Part> }>,
): void {
  ctx.type = 'text/csv; charset=utf-8';
  ctx.set('Content-Disposition', `attachment; filename="${name}.csv"`);
  ctx.set('Cache-Control', 'no-store');
  ctx.body = Readable.from(csvParts(head, read));
}

/** The text of such a file, in parts. */
export async function* csvParts(
  head: Row,
  read: (before: number | undefined) => Promise<Part>,
): AsyncGenerator<string> {
  yield csvOf([head]);
  for (let next: number | null | undefined; next !== null; ) {
    const { rows, before }: Part = await read(next);
    yield csvOf(rows);
    next = before ?? null;
    // SQLite answers without a turn of the event loop, in which other requests are answered.
    await nextTurn();
  }
}

/** Where the part after these entries begins; undefined when they are the last. */
export function nextBefore(entries: readonly Readonly<{ id: number }>[]): number | undefined {
  return entries.length < perChunk ? undefined : entries.at(-1)?.id;
}
