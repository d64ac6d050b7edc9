import type { NoteIndex } from '#adapters/vault-folder/index/note-index.ts';
import { maxNote } from '#domain/notes/sizes.ts';
import { TimeSlices } from '#infrastructure/concurrency/time-slices.ts';

/** The maximum number of notes that are read together, and their maximum total size in bytes. */
const maxAtOnce = 64;
const maxBytesAtOnce = maxNote;

/** Calls `visit` with every note, sorted by path, yielding to the event loop at intervals. */
export async function forEachNote(
  index: NoteIndex,
  visit: (path: string, text: string) => void | Promise<void>,
): Promise<void> {
  const slices = new TimeSlices();
  const paths = index.notePaths();
  for (let next = 0; next < paths.length; ) {
    const batch = batchFrom(index, paths, next);
    next += batch.length;
    const texts = batch.map((path) => index.textOf(path));
    // The first read to fail is thrown; this keeps the others from being unhandled rejections.
    for (const text of texts) if (text instanceof Promise) text.catch(() => undefined);
    for (const [at, path] of batch.entries()) {
      const found = texts[at];
      const text = found instanceof Promise ? await found : found;
      if (typeof text === 'string') await visit(path, text);
      if (slices.isUsedUp) await slices.next();
    }
  }
}

/** The next batch of notes to read together, at least one. */
function batchFrom(index: NoteIndex, paths: readonly string[], from: number): readonly string[] {
  const batch: string[] = [];
  let bytes = 0;
  for (const path of paths.slice(from, from + maxAtOnce)) {
    bytes += index.statOf(path)?.size ?? 0;
    if (batch.length > 0 && bytes > maxBytesAtOnce) break;
    batch.push(path);
  }
  return batch;
}
