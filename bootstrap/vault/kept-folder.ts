import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StorageTrouble } from '#bootstrap/stores/storage.ts';
import { idIn, markerPath } from '#bootstrap/vault/vault-folder.ts';
import { errorCode, isFileAbsent } from '#infrastructure/files/error-code.ts';
import { placeAt } from '#infrastructure/files/file-place.ts';

/** What was found where the folder was, when it is not the folder. */
type Found = 'nothing' | 'link' | 'file' | 'unmarked' | 'other' | 'unreadable';

const texts: Readonly<Record<Found, string>> = {
  nothing:
    'The notes folder no longer exists: it was deleted or moved, or its disk is not mounted. The server continues automatically when it is back.',
  link: 'The notes folder has become a link. The server continues automatically when the folder is back; after a restart, it follows the link.',
  file: 'The notes folder was replaced by a file. The server continues automatically when the folder is back.',
  unmarked: `The notes folder has no ${markerPath}: its disk is not mounted, another folder is in its place, or the file was deleted. The server continues automatically when it is back.`,
  other:
    'The notes folder was replaced by another folder. The server continues automatically when the original is back; after a restart, it uses the new folder if that belongs to the same database.',
  unreadable: 'The notes folder cannot be read. The server continues automatically when it can.',
};

/**
 * Tells whether a folder of notes is the one that the server opened: a folder, and no link, with the marker of that id.
 * It is looked at before each use, so that nothing is written into a folder that took its place.
 */
export class KeptFolder {
  readonly #path: string;
  readonly #marker: string;
  readonly #id: string;
  /** The folder and its marker as they were when its id was last read. */
  #known: readonly number[] = [];

  /** `path` is a real path, and `id` the one in its marker. */
  constructor(path: string, id: string) {
    this.#path = path;
    this.#marker = join(path, markerPath);
    this.#id = id;
  }

  /** Returns why the folder cannot be used; null when it is the one that was opened. */
  look(): StorageTrouble | null {
    try {
      const found = this.#found();
      return found === null ? null : { text: texts[found], detail: this.#path };
    } catch (error) {
      return { text: texts.unreadable, detail: `${this.#path} (${errorCode(error) ?? String(error)})` };
    }
  }

  #found(): Found | null {
    const folder = placeAt(this.#path, 'link');
    if (folder === null) return 'nothing';
    if (folder.isSymbolicLink()) return 'link';
    if (!folder.isDirectory()) return 'file';
    const marker = placeAt(this.#marker, 'link');
    if (marker === null) return 'unmarked';
    // The number of a deleted folder may be given to the next one, so the marker has to be the same as well.
    const now = [folder.dev, folder.ino, marker.dev, marker.ino, marker.mtimeMs, marker.ctimeMs];
    if (now.every((figure, place) => figure === this.#known[place])) return null;
    const id = this.#readId();
    if (id !== this.#id) return id === null ? 'unmarked' : 'other';
    this.#known = now;
    return null;
  }

  #readId(): string | null {
    try {
      return idIn(readFileSync(this.#marker, 'utf8'));
    } catch (error) {
      if (isFileAbsent(error)) return null;
      throw error;
    }
  }
}
