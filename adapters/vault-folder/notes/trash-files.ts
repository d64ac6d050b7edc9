import { hash } from 'node:crypto';
import { type Dirent, lstatSync, mkdirSync, renameSync, type Stats } from 'node:fs';
import { copyFile, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { TrashedFile, VaultTrash } from '#application/ports/vault-folder.ts';
import { timeOfTrashId } from '#domain/notes/trash-id.ts';
import type { FileFailure } from '#domain/notes/vault-failure.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import {
  type FileIdentity,
  identityOf,
  isSameFile,
  removeFile,
  temporaryNameOf,
  type Within,
} from '#infrastructure/files/atomic-file.ts';
import { diskGone, errorCode, isFileAbsent } from '#infrastructure/files/error-code.ts';
import { syncFolder } from '#infrastructure/files/folder-sync.ts';
import { OpenedFile } from '#infrastructure/files/opened-file.ts';

/** The folder of the trash in the vault; `.trash` is where notes apps put what they delete, which stays as it is. */
const trashFolder = ['.trash', 'portolan'] as const;

/** The maximum length of a name, and of the folders above it, in bytes, that are kept as they are in the trash. */
const maxStem = 180;
const maxFolders = 1_000;

/** Where the deleted files of one path are: their folder, and what their names begin and end with. */
type Place = Readonly<{ folders: readonly string[]; begin: string; end: string }>;

/**
 * Deleted files, each moved into a dot-folder of the vault, which its interfaces do not serve: in the folders of its
 * path, as `Acme (deleted 20261128T103000123Z-1a2b3c4d).md`. No link in the trash is followed.
 */
export class TrashFiles implements VaultTrash {
  readonly #within: Within;

  constructor(within: Within) {
    this.#within = within;
  }

  /**
   * Moves a file, durably, from its real path into the trash, in one step; false when it is not the known one any more.
   * Throws file system errors.
   */
  async take(
    source: string,
    { path, id }: Readonly<{ path: string; id: string }>,
    known: FileIdentity | null,
  ): Promise<Result<boolean, FileFailure>> {
    const { folders, begin, end } = placeOf(path);
    const expected = known ?? identityOf(source);
    const folder = await this.#made(folders);
    if (folder === null) return err({ reason: 'no_trash' });
    if (this.#within.isAway()) throw diskGone();
    if (expected === null || !isSameFile(identityOf(source), expected)) return ok(false);
    const target = folder + sep + begin + id + end;
    try {
      renameSync(source, target);
    } catch (error) {
      if (errorCode(error) !== 'EXDEV') throw error;
      // A part of the vault may be on another disk.
      await copyDurably(source, target);
      return ok(await removeFile(source, expected));
    }
    await syncFolder(folder);
    await syncFolder(dirname(source));
    return ok(true);
  }

  async list(path: string): Promise<readonly TrashedFile[]> {
    const { folders, begin, end } = placeOf(path);
    const found = (await this.#entriesOf(folders)).flatMap((entry): readonly TrashedFile[] => {
      const { name } = entry;
      if (!entry.isFile() || !name.startsWith(begin) || !name.endsWith(end)) return [];
      const id = name.slice(begin.length, name.length - end.length);
      const at = timeOfTrashId(id);
      return at === null ? [] : [{ id, at }];
    });
    return found.toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1));
  }

  async read(path: string, id: string): Promise<Buffer | null> {
    const { folders, begin, end } = placeOf(path);
    const folder = this.#found(folders);
    if (timeOfTrashId(id) === null || folder === null) return null;
    const place = folder + sep + begin + id + end;
    if (lookOrNull(place)?.isFile() !== true) return null;
    const file = OpenedFile.openOrNull(place);
    try {
      return file === null ? null : await file.read(Number(file.figures().size));
    } finally {
      file?.close();
    }
  }

  async empty(before: number): Promise<number> {
    return (await this.#emptied([], before)).removed;
  }

  /** Empties a folder of the trash, and says whether nothing is left in it. */
  async #emptied(folders: readonly string[], before: number): Promise<Readonly<{ removed: number; isEmpty: boolean }>> {
    let [removed, left] = [0, 0];
    for (const entry of await this.#entriesOf(folders)) {
      const place = join(this.#placeIn(folders), entry.name);
      if (this.#within.isAway()) throw diskGone();
      if (entry.isDirectory()) {
        const inner = await this.#emptied([...folders, entry.name], before);
        removed += inner.removed;
        // Another server may have put something into it meanwhile.
        const isGone = inner.isEmpty && (await rmdir(place).then(isTrue, isFalse));
        if (!isGone) left += 1;
      } else if (entry.isFile() && deletedAt(entry.name) < before) {
        await rm(place, { force: true });
        removed += 1;
      } else left += 1;
    }
    return { removed, isEmpty: left === 0 };
  }

  /** The entries of a folder of the trash; none where it is not there, or behind a link. */
  async #entriesOf(folders: readonly string[]): Promise<readonly Dirent[]> {
    const folder = this.#found(folders);
    if (folder === null) return [];
    return readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      if (isFileAbsent(error)) return [];
      throw error;
    });
  }

  #placeIn(folders: readonly string[]): string {
    return join(this.#within.root, ...trashFolder, ...folders);
  }

  /** A folder of the trash; null where one above it, or itself, is no folder, such as a link. */
  #found(folders: readonly string[]): string | null {
    let place = this.#within.root;
    for (const name of [...trashFolder, ...folders]) {
      place = place + sep + name;
      if (lookOrNull(place)?.isDirectory() !== true) return null;
    }
    return place;
  }

  /** Makes a folder of the trash, durably; null where something else is in its place. */
  async #made(folders: readonly string[]): Promise<string | null> {
    let place = this.#within.root;
    for (const name of [...trashFolder, ...folders]) {
      const above = place;
      place = place + sep + name;
      if (this.#within.isAway()) throw diskGone();
      if (lookOrNull(place) === null && isMade(place)) await syncFolder(above);
      if (lookOrNull(place)?.isDirectory() !== true) return null;
    }
    return place;
  }
}

const isTrue = (): boolean => true;
const isFalse = (): boolean => false;

/** Makes a folder; false when another process made it first. */
function isMade(place: string): boolean {
  try {
    mkdirSync(place);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** The place of the deleted files of a path. It is only computed from the path, so what is too long is a digest. */
function placeOf(path: string): Place {
  const names = path.split('/');
  const name = names.pop() ?? '';
  const end = /(?<=.)\.[\w-]{1,16}$/.exec(name)?.[0] ?? '';
  const stem = name.slice(0, name.length - end.length);
  const isLong = Buffer.byteLength(stem) > maxStem;
  const folders = Buffer.byteLength(names.join('/')) > maxFolders ? [digestOf(names.join('/'))] : names;
  return { folders, begin: `${isLong ? digestOf(stem) : stem} (deleted `, end: `)${end}` };
}

const digestOf = (text: string): string => `~${hash('sha256', text).slice(0, 32)}`;

/** When a file in the trash was deleted; never for one that this server did not put there. */
function deletedAt(name: string): number {
  const id = / \(deleted (\S+)\)(?:\.[\w-]{1,16})?$/.exec(name)?.[1] ?? '';
  return timeOfTrashId(id) ?? Number.POSITIVE_INFINITY;
}

function lookOrNull(place: string): Stats | null {
  try {
    return lstatSync(place, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (isFileAbsent(error)) return null;
    throw error;
  }
}

async function copyDurably(source: string, target: string): Promise<void> {
  const folder = dirname(target);
  const temporary = folder + sep + temporaryNameOf();
  try {
    await copyFile(source, temporary);
    const copied = await open(temporary, 'r');
    try {
      await copied.sync();
    } finally {
      await copied.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}
