import type { BigIntStats } from 'node:fs';
import { notAFile } from '#adapters/vault-folder/notes/file-failure.ts';
import type { FileStat, VaultFile } from '#application/ports/vault-folder.ts';
import { type Awaitable, andThen } from '#domain/shared/result.ts';
import { type FileIdentity, toIdentity } from '#infrastructure/files/atomic-file.ts';
import { OpenedFile } from '#infrastructure/files/opened-file.ts';

/** A file as it was read, and which one it was. */
export type ReadFile = VaultFile & Readonly<{ identity: FileIdentity }>;

/** Opens a file, and closes it once it has been read. Throws file system errors. */
export function readOpened<Read>(place: string, readIt: (file: OpenedFile) => Awaitable<Read>): Awaitable<Read> {
  const file = OpenedFile.open(place);
  let isRead = true;
  try {
    const read = readIt(file);
    if (!(read instanceof Promise)) return read;
    isRead = false;
    return read.finally(() => file.close());
  } finally {
    if (isRead) file.close();
  }
}

/** The content of an opened file. */
export function contentOf(file: OpenedFile, figures: BigIntStats): Awaitable<VaultFile> {
  if (!figures.isFile()) throw notAFile();
  const size = Number(figures.size);
  const stat = toFileStat({ birthtimeMs: Number(figures.birthtimeMs), mtimeMs: Number(figures.mtimeMs), size });
  return andThen(file.read(size), (bytes) => ({ bytes, stat }));
}

/** The content of an opened file, and which one it is. */
export function readFrom(file: OpenedFile): Awaitable<ReadFile> {
  const figures = file.figures();
  return andThen(contentOf(file, figures), (read) => ({ ...read, identity: toIdentity(figures) }));
}

/** The content written into a file after it was read and before it was replaced; null when there was none. */
export async function writtenMeanwhile(file: OpenedFile, { identity }: ReadFile): Promise<Buffer | null> {
  const { mtimeNs, size } = file.figures();
  if (mtimeNs === identity.mtimeNs && size === identity.size) return null;
  return (await readFrom(file)).bytes;
}

/** Converts file stats to those that the interface reports. */
export function toFileStat(stats: Readonly<{ birthtimeMs: number; mtimeMs: number; size: number }>): FileStat {
  return { ctime: Math.floor(stats.birthtimeMs), mtime: Math.floor(stats.mtimeMs), size: stats.size };
}
