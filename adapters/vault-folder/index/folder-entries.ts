import { Multimap } from '#adapters/vault-folder/index/multimap.ts';

/** The files by folder, the root as '', so that listing one folder reads no other. A folder is there while files are below it. */
export class FolderEntries {
  readonly #files = new Multimap();
  readonly #folders = new Multimap();

  /** Adds a file; one that is there already changes nothing. */
  add(path: string): void {
    this.#files.add(folderOf(path), path);
    for (let at = folderOf(path); at !== ''; at = folderOf(at)) this.#folders.add(folderOf(at), at);
  }

  /** Removes a file, and the folders in which there is nothing then. */
  remove(path: string): void {
    this.#files.remove(folderOf(path), path);
    for (let at = folderOf(path); at !== '' && !this.has(at); at = folderOf(at)) this.#folders.remove(folderOf(at), at);
  }

  /** Whether files are in a folder or below it. */
  has(folder: string): boolean {
    return this.#files.count(folder) > 0 || this.#folders.count(folder) > 0;
  }

  /** The names in a folder, unordered; those of folders end with a slash. */
  *namesIn(folder: string): Iterable<string> {
    for (const path of this.#files.get(folder)) yield nameOf(path);
    for (const path of this.#folders.get(folder)) yield `${nameOf(path)}/`;
  }

  /** The paths of the files in a folder and below it. */
  *filesBelow(folder: string): Iterable<string> {
    yield* this.#files.get(folder);
    for (const inner of this.#folders.get(folder)) yield* this.filesBelow(inner);
  }
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
