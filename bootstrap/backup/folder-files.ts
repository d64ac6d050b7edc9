import { constants } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { isTemporaryName } from '#infrastructure/files/atomic-file.ts';
import { isFileAbsent } from '#infrastructure/files/error-code.ts';

/** A file of a folder: its path below it, with slashes. */
export type FolderFile = Readonly<{ path: string; open(): Promise<FileHandle | null> }>;

/** Every file below a folder, those that are half written and symbolic links left out; none where there is no folder. */
export async function* filesBelow(folder: string, below = ''): AsyncIterable<FolderFile> {
  const found = await readdir(join(folder, below), { withFileTypes: true }).catch((error: unknown) => {
    // A folder may be removed meanwhile.
    if (isFileAbsent(error)) return [];
    throw error;
  });
  for (const entry of found) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(folder, path);
    else if (entry.isFile() && !isTemporaryName(entry.name)) yield { path, open: () => opened(join(folder, path)) };
  }
}

/** Opens it; null when it is gone meanwhile, or a link by now. */
async function opened(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    const isGone = isFileAbsent(error) || (error instanceof Error && 'code' in error && error.code === 'ELOOP');
    if (isGone) return null;
    throw error;
  }
}

/** What the file holds, as it is read; the server writes notes beside and moves them into place, so that this one stays as it was opened. */
export const contentOf = (file: FileHandle): Readable => file.createReadStream({ autoClose: true });

/** Lines of a stream of UTF-8, without the last line's end. */
export async function* linesOf(stream: AsyncIterable<Buffer>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** Items as lines of JSON. */
export async function* jsonLines(pages: AsyncIterable<readonly unknown[]>): AsyncIterable<Buffer> {
  for await (const page of pages) yield Buffer.from(page.map((item) => `${JSON.stringify(item)}\n`).join(''));
}
