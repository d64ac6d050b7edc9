import { createHash } from 'node:crypto';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { FileFigures } from '#adapters/vault-folder/index/file-figures.ts';
import { TimeSlices } from '#infrastructure/concurrency/time-slices.ts';
import { isTemporaryName, temporaryNameOf, writerOf } from '#infrastructure/files/atomic-file.ts';
import { isFileAbsent } from '#infrastructure/files/error-code.ts';

/** What is saved of a note: its file's stat fields, its links, and its tokens, a list for each of the index's keys. */
export type SavedNote = Readonly<{
  figures: FileFigures;
  links: readonly string[];
  tokens: readonly (readonly string[])[];
}>;

/** A saved index: the indexed frontmatter keys, and each note by its path. */
export type SavedIndex = Readonly<{ keys: readonly string[]; notes: ReadonlyMap<string, SavedNote> }>;

/** The notes to save, as an iterable, since all of them at once would take much memory. */
export type NotesToSave = Readonly<{ keys: readonly string[]; notes: Iterable<readonly [string, SavedNote]> }>;

/**
 * The format version. Raised with each change of the format, or of how links and tokens are read from a note; an index
 * of another version is discarded.
 */
const version = 2;

/** The maximum size of the file, in bytes: some 500,000 notes. */
export const maxIndexBytes = 256 * 1024 * 1024;

/** The size of one write, in characters. */
const chunkLength = 256 * 1024;

/**
 * How long a file must have been unchanged to be saved, in ms. A later change within the same tick of the file system's
 * clock would leave the stat fields as they are.
 */
const settledMs = 2_000;

const headSchema = z.object({
  portolanVaultIndex: z.literal(version),
  root: z.string(),
  keys: z.array(z.string()).max(16),
});
const endSchema = z.object({ sha256: z.string() });
const texts = z.array(z.string());
const noteSchema = z.tuple([z.string(), z.array(z.number()).length(5), texts, z.array(texts)]);

/**
 * Saves the index of the folder `root` atomically, in a folder that exists, as lines of JSON: a head, a line for each note, and their SHA-256.
 * Returns false, leaving the old file in place, when it would be too large.
 */
export async function saveIndex(
  file: string,
  root: string,
  { keys, notes }: NotesToSave,
  { now = Date.now(), maxBytes = maxIndexBytes }: Readonly<{ now?: number; maxBytes?: number }> = {},
): Promise<boolean> {
  const temporary = join(dirname(file), temporaryNameOf());
  const handle = await open(temporary, 'wx', 0o600);
  try {
    const isWhole = await writeLines(handle, linesOf(root, keys, notes, now), maxBytes);
    await handle.close();
    if (isWhole) await rename(temporary, file);
    else await rm(temporary, { force: true });
    return isWhole;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

function* linesOf(root: string, keys: readonly string[], notes: NotesToSave['notes'], now: number): Iterable<string> {
  yield JSON.stringify({ portolanVaultIndex: version, root, keys });
  for (const [path, { figures, links, tokens }] of notes) {
    const { ino, mtimeMs, ctimeMs, birthtimeMs, size } = figures;
    if (Math.max(mtimeMs, ctimeMs) > now - settledMs) continue;
    yield JSON.stringify([path, [ino, mtimeMs, ctimeMs, birthtimeMs, size], links, tokens]);
  }
}

async function writeLines(handle: FileHandle, lines: Iterable<string>, maxBytes: number): Promise<boolean> {
  const [hash, slices] = [createHash('sha256'), new TimeSlices()];
  let chunk = '';
  let written = 0;
  const write = async () => {
    hash.update(chunk);
    written += (await handle.write(chunk)).bytesWritten;
    chunk = '';
  };
  for (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length >= chunkLength) await write();
    if (written > maxBytes) return false;
    if (slices.isUsedUp) await slices.next();
  }
  await write();
  await handle.write(`${JSON.stringify({ sha256: hash.digest('hex') })}\n`);
  return written <= maxBytes;
}

/** Why a saved index cannot be used. */
export type UnusableIndex = 'damaged' | 'too_large' | 'of_another_folder_or_version';

/**
 * Reads the saved index of the folder `root`: null when there is no file, or the reason why it cannot be used. Removes
 * temporary files left by processes that have ended.
 */
export async function readSavedIndex(file: string, root: string): Promise<SavedIndex | UnusableIndex | null> {
  await removeUnfinished(dirname(file));
  try {
    if ((await stat(file)).size > maxIndexBytes) return 'too_large';
    const handle = await open(file);
    try {
      return await readLines(handle.readLines(), root);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isFileAbsent(error)) return null;
    return 'damaged';
  }
}

/** Parses and verifies the lines. Throws on a line that is malformed. */
async function readLines(lines: AsyncIterable<string>, root: string): Promise<SavedIndex | UnusableIndex> {
  const hash = createHash('sha256');
  const notes = new Map<string, SavedNote>();
  let keys: readonly string[] | null = null;
  for await (const line of lines) {
    const value: unknown = JSON.parse(line);
    if (keys === null) {
      const head = headSchema.safeParse(value);
      if (!head.success || head.data.root !== root) return 'of_another_folder_or_version';
      keys = head.data.keys;
    } else if (!Array.isArray(value)) {
      return endSchema.parse(value).sha256 === hash.digest('hex') ? { keys, notes } : 'damaged';
    } else {
      const [path, [ino = 0, mtimeMs = 0, ctimeMs = 0, birthtimeMs = 0, size = 0], links, tokens] =
        noteSchema.parse(value);
      notes.set(path, { figures: { ino, mtimeMs, ctimeMs, birthtimeMs, size }, links, tokens });
    }
    hash.update(`${line}\n`);
  }
  return 'damaged';
}

async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  const left = names.filter((name) => isTemporaryName(name) && writerOf(name) === 'ended');
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true }).catch(() => undefined)));
}
