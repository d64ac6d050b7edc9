import { type BigIntStats, close, closeSync, constants, fstatSync, openSync, read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { errorCode } from '#infrastructure/files/error-code.ts';

/** Windows knows no opening without waiting, and has no pipes among its files. */
const readOnly = constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NONBLOCK);

/**
 * The most that is read within the event loop, in bytes: a file of this size comes out of the system's memory in less time than
 * it takes to hand the work to a thread. Larger ones are read in a thread.
 */
const maxWithinLoop = 128 * 1024;

const readInThread = promisify(read);

/** A file opened once, so that its figures are those of the very bytes; what is no file, such as a pipe, is not waited for. */
export class OpenedFile {
  readonly #descriptor: number;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** Opens the file for reading. Throws the file system's error. */
  static open(path: string): OpenedFile {
    return new OpenedFile(openSync(path, readOnly));
  }

  /** Opens the file for reading; null when there is none. */
  static openOrNull(path: string): OpenedFile | null {
    try {
      return OpenedFile.open(path);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
  }

  /** The figures of the file as it is now, in whole nanoseconds. */
  figures(): BigIntStats {
    return fstatSync(this.#descriptor, { bigint: true });
  }

  /** The first `size` bytes, fewer when the file has become shorter; at once where that is quick. */
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
   * Closes it; nothing may be asked of it afterwards. A file whose name another has taken (`isReplaced`) is closed in a thread: its space is
   * freed then, for which the last who has it open waits.
   */
  close(isReplaced = false): void {
    if (isReplaced) close(this.#descriptor, () => {});
    else closeSync(this.#descriptor);
  }
}
