import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { type FilePlace, placeAt } from '#infrastructure/files/file-place.ts';

/** How long the thread waits for the next one, in ms. */
const idleMs = 30_000;

/**
 * The program of the thread. In JavaScript, since a thread that loads TypeScript takes twice as much memory. The connection is
 * closed each time, so that a file that was replaced is not held.
 */
const program = `
  const { statSync } = require('node:fs');
  const { parentPort, workerData } = require('node:worker_threads');
  const Sqlite = require(workerData.driver);
  const end = () => parentPort.close();
  let idle = setTimeout(end, workerData.idleMs);
  parentPort.on('message', ({ path, dev, ino }) => {
    clearTimeout(idle);
    try {
      const found = statSync(path);
      if (found.dev !== dev || found.ino !== ino) throw new Error('The file was replaced while the thread started');
      const file = new Sqlite(path, { fileMustExist: true, timeout: 0 });
      try {
        file.pragma('wal_checkpoint(passive)');
      } finally {
        file.close();
      }
    } catch {
      // The rows stay in the log, for a later checkpoint.
    }
    parentPort.postMessage(null);
    idle = setTimeout(end, workerData.idleMs);
  });
`;

/**
 * Writes the log of a SQLite file into it in a thread, while others write: a checkpoint waits for the disk twice, and would block the
 * process. One that fails is made up for by the next, or by a write once the log is long.
 */
export class LogCheckpoints {
  readonly #path: string;
  readonly #check: () => void;
  #worker: Worker | null = null;
  #running: PromiseWithResolvers<void> | null = null;

  /** `check` throws when the file is not the one that was opened. */
  constructor(path: string, check: () => void) {
    this.#path = path;
    this.#check = check;
  }

  /** Asks for a checkpoint; while one runs, nothing is done. */
  ask(): void {
    if (this.#running !== null) return;
    const file = this.#checked();
    if (file === null) return;
    this.#running = Promise.withResolvers();
    this.#worker ??= this.#start();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage({ path: this.#path, dev: file.dev, ino: file.ino });
  }

  /** Identifies the file, which the thread may find replaced when it has started; null when it already is. */
  #checked(): FilePlace | null {
    try {
      const found = placeAt(this.#path);
      this.#check();
      return found;
    } catch {
      return null;
    }
  }

  /** Resolves when no checkpoint runs any more, and the thread has ended. */
  async close(): Promise<void> {
    await this.#running?.promise;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const driver = createRequire(import.meta.url).resolve('better-sqlite3');
    const worker = new Worker(program, { eval: true, execArgv: [], workerData: { driver, idleMs } });
    const done = () => {
      this.#running?.resolve();
      this.#running = null;
    };
    worker.on('message', done);
    // It cannot do anything else than end.
    worker.on('error', done);
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = null;
      done();
    });
    return worker;
  }
}
