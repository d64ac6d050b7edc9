import { constants } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { isTemporaryName } from '#infrastructure/files/atomic-file.ts';
import { isFileAbsent } from '#infrastructure/files/error-code.ts';

/**
 * A file in a folder; `path` is relative to the folder, with slashes. `open` returns null when the file no longer
 * exists.
 */
type FolderFile = Readonly<{ path: string; open(): Promise<FileHandle | null> }>;

/** Lists all files below a folder, without temporary files and symbolic links; empty when the folder does not exist. */
export async function* filesBelow(folder: string, below = ''): AsyncIterable<FolderFile> {
  const found = await readdir(join(folder, below), { withFileTypes: true }).catch((error: unknown) => {
    // The folder may have been removed in the meantime.
    if (isFileAbsent(error)) return [];
    throw error;
  });
  for (const entry of found) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(folder, path);
    else if (entry.isFile() && !isTemporaryName(entry.name)) yield { path, open: () => opened(join(folder, path)) };
  }
}

/** Opens a file; null when it was removed or replaced by a link in the meantime. */
async function opened(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    const isGone = isFileAbsent(error) || (error instanceof Error && 'code' in error && error.code === 'ELOOP');
    if (isGone) return null;
    throw error;
  }
}

/** Streams the file's content. The server replaces notes by renaming, so that an opened file does not change. */
export const contentOf = (file: FileHandle): Readable => file.createReadStream({ autoClose: true });

/** Splits a stream of UTF-8 into lines; null is one of more than `maxLength` characters, after which nothing follows. */
export async function* linesOf(stream: AsyncIterable<Buffer>, maxLength: number): AsyncIterable<string | null> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length <= maxLength) continue;
    yield null;
    return;
  }
  if (rest !== '') yield rest;
}

/** Serializes items as newline-delimited JSON. */
export async function* jsonLines(pages: AsyncIterable<readonly unknown[]>): AsyncIterable<Buffer> {
  for await (const page of pages) yield Buffer.from(page.map((item) => `${JSON.stringify(item)}\n`).join(''));
}
