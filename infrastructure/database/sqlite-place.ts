import { realpathSync } from 'node:fs';
import { DatabaseUnavailable } from '#infrastructure/database/database-unavailable.ts';
import { type FilePlace, isSamePlace, placeAt } from '#infrastructure/files/file-place.ts';

/** The files beside the database: its write-ahead log, and the log's index. */
const besides = ['-wal', '-shm'];

/**
 * Compares the files at a SQLite database's path with those that were opened first. SQLite itself goes on writing into
 * a file that was deleted or moved, where nobody finds the rows again.
 */
export class SqlitePlace {
  readonly #path: string;
  /** The path without links: SQLite's files are beside it. */
  #real: string;
  #opened: FilePlace | null = null;
  readonly #besides = new Map<string, FilePlace>();

  constructor(path: string) {
    this.#path = path;
    this.#real = path;
  }

  /**
   * Throws `DatabaseUnavailable` when the path does not name the file that was opened first: nothing is there, or
   * another file, or a link.
   */
  check(): void {
    const trouble = this.trouble();
    if (trouble !== null) throw trouble;
  }

  /** Returns what `check` throws; null when the file is the one that was opened, or none was opened yet. */
  readonly trouble = (): DatabaseUnavailable | null => {
    if (this.#opened === null) return null;
    const found = placeAt(this.#real, 'link');
    if (found === null) return new DatabaseUnavailable('gone', new Error(`${this.#path} is not there`));
    const isSame = isSamePlace(this.#opened, found) && this.#isLinked();
    return isSame ? null : new DatabaseUnavailable('replaced', new Error(`${this.#path} is another file`));
  };

  /** Remembers the files that have just been opened; throws when they are not those that were opened first. */
  opened(): void {
    if (this.#opened === null) {
      this.#real = realpathSync(this.#path);
      this.#opened = placeAt(this.#real);
    }
    this.check();
    this.#besides.clear();
    this.isWhole();
  }

  /**
   * Whether the files beside the database are those in use. Where one was deleted, other processes would not see the
   * rows in it, and a crash would lose them.
   */
  isWhole(): boolean {
    let isWhole = true;
    for (const ending of besides) {
      const found = placeAt(this.#real + ending, 'link');
      const known = this.#besides.get(ending);
      // SQLite makes them with the first statement.
      if (known === undefined && found !== null) this.#besides.set(ending, found);
      else if (known !== undefined && !isSamePlace(known, found)) isWhole = false;
    }
    return isWhole;
  }

  /** Whether the path, where it was given with links, still leads to the file. */
  #isLinked(): boolean {
    return this.#path === this.#real || isSamePlace(this.#opened, placeAt(this.#path));
  }
}
