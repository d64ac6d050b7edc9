import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { isFileAbsent } from '#infrastructure/files/error-code.ts';

/** Called with a changed entry's path below the root, with forward slashes; '' is the root itself. */
export type FolderChange = (path: string) => void;

/**
 * Watches a folder and those below it. On Linux each folder costs one inotify watch and is added by hand: Node's own
 * recursive watch takes one for each file. Elsewhere the platform watches recursively, and `add` does nothing.
 */
export class FolderWatch {
  readonly #root: string;
  readonly #onChange: FolderChange;
  readonly #onLost: (error: unknown) => void;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #isRecursive = process.platform !== 'linux';

  /** `onLost` gets the error of a folder that could not be watched (out of watches, say); changes in it are missed from then on. */
  constructor(root: string, onChange: FolderChange, onLost: (error: unknown) => void) {
    this.#root = root;
    this.#onChange = onChange;
    this.#onLost = onLost;
  }

  /** Watches the folder from now on; a repeat does nothing. */
  add(folder: string): void {
    const key = this.#isRecursive ? '' : folder;
    if (this.#watchers.has(key)) return;
    try {
      const watcher = watch(join(this.#root, key), { recursive: this.#isRecursive, persistent: false });
      this.#watchers.set(key, watcher);
      watcher.on('change', (_, name) => this.#onChange(entryPath(key, name)));
      watcher.on('error', () => this.#forget(key, watcher));
    } catch (error) {
      // A folder that is gone again needs no watch.
      if (!isFileAbsent(error)) this.#onLost(error);
    }
  }

  /** Stops watching a folder that is gone, and those below it. */
  drop(folder: string): void {
    if (this.#isRecursive) return;
    for (const [key, watcher] of this.#watchers) {
      if (key === folder || key.startsWith(`${folder}/`)) this.#forget(key, watcher);
    }
  }

  /** Ends all watching. */
  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #forget(key: string, watcher: FSWatcher): void {
    watcher.close();
    if (this.#watchers.get(key) === watcher) this.#watchers.delete(key);
  }
}

function entryPath(folder: string, name: string | Buffer | null): string {
  const entry = name === null ? '' : name.toString().replaceAll('\\', process.platform === 'win32' ? '/' : '\\');
  return folder === '' || entry === '' ? folder + entry : `${folder}/${entry}`;
}
