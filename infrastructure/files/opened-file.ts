import { type BigIntStats, close, closeSync, constants, fstatSync, openSync, read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { errorCode } from '#infrastructure/files/error-code.ts';

/** O_NONBLOCK keeps the opening of a pipe from blocking; Windows has neither. */
const readOnly = constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NONBLOCK);

/**
 * The maximum size, in bytes, that is read synchronously: cached files of this size are read faster than work is handed
 * to a thread. Larger files are read in a thread.
 */
const maxWithinLoop = 128 * 1024;

const readInThread = promisify(read);

/**
 * A file opened once, so that its status and its bytes are of the same file. Opening a pipe or other special file does
 * not block.
 */
export class OpenedFile {
  readonly #descriptor: number;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** Opens the file for reading. Throws file system errors. */
  static open(path: string): OpenedFile {
    return new OpenedFile(openSync(path, readOnly));
  }

  /** Opens the file for reading; null when it does not exist. */
  static openOrNull(path: string): OpenedFile | null {
    try {
      return OpenedFile.open(path);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
  }

  /** Returns the file's current status, with times in nanoseconds. */
  figures(): BigIntStats {
    return fstatSync(this.#descriptor, { bigint: true });
  }

  /** Reads the first `size` bytes, fewer when the file has become shorter; synchronously when that is quick. */
  read(size: number): Buffer | Promise<Buffer> {
    return size <= maxWithinLoop ? this.#readNow(size) : this.#readInThread(size);
  }

  #readNow(size: number): Buffer {
    const bytes = Buffer.allocUnsafe(size);
    let length = 0;
    for (let count = -1; length < size && count !== 0; length += count) {
      count = readSync(this.#descriptor, bytes, length, size - length, length);
    }
    return bytes.subarray(0, length);
  }

  async #readInThread(size: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(size);
    let length = 0;
    for (let count = -1; length < size && count !== 0; length += count) {
      ({ bytesRead: count } = await readInThread(this.#descriptor, bytes, length, size - length, length));
    }
    return bytes.subarray(0, length);
  }

  /**
   * Closes the file. Closing one that was replaced (`isReplaced`) frees its disk space, which blocks, so that is done
   * in a thread.
   */
  close(isReplaced = false): void {
    if (isReplaced) close(this.#descriptor, () => {});
    else closeSync(this.#descriptor);
  }
}
