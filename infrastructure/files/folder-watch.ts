import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { isFileAbsent } from '#infrastructure/files/error-code.ts';

/** Called with a changed entry's path relative to the root, with forward slashes; '' is the root itself. */
type FolderChange = (path: string) => void;

/**
 * Watches a folder and its subfolders. On Linux, `add` registers one inotify watch per folder, since Node's recursive
 * watch takes one per file. On other platforms one recursive watch covers all, and `add` is a no-op.
 */
export class FolderWatch {
  readonly #root: string;
  readonly #onChange: FolderChange;
  readonly #onLost: (error: unknown) => void;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #isRecursive = process.platform !== 'linux';
  readonly #onDisk: (folder: string) => string;

  /**
   * `onLost` receives the error of a folder that cannot be watched (for example, no watches left); its changes are
   * missed. `onDisk` returns how the disk spells a folder that is to be watched.
   */
  constructor(
    root: string,
    onChange: FolderChange,
    onLost: (error: unknown) => void,
    onDisk: (folder: string) => string = (folder) => folder,
  ) {
    this.#onDisk = onDisk;
    this.#root = root;
    this.#onChange = onChange;
    this.#onLost = onLost;
  }

  /** Watches the folder; idempotent. */
  add(folder: string): void {
    const key = this.#isRecursive ? '' : folder;
    if (this.#watchers.has(key)) return;
    try {
      const watcher = watch(join(this.#root, this.#onDisk(key)), { recursive: this.#isRecursive, persistent: false });
      this.#watchers.set(key, watcher);
      watcher.on('change', (_, name) => this.#onChange(entryPath(key, name)));
      watcher.on('error', () => this.#forget(key, watcher));
    } catch (error) {
      // A folder that was removed in the meantime needs no watch.
      if (!isFileAbsent(error)) this.#onLost(error);
    }
  }

  /** Stops watching a removed folder and its subfolders. */
  drop(folder: string): void {
    if (this.#isRecursive) return;
    for (const [key, watcher] of this.#watchers) {
      if (key === folder || key.startsWith(`${folder}/`)) this.#forget(key, watcher);
    }
  }

  /** Stops watching. */
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
