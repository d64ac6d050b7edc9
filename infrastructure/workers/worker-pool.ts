import type { Piscina } from 'piscina';

/** The options of a thread pool. */
export type WorkerPoolOptions = Readonly<{
  /**
   * The URL of the module whose default export runs a job; loaded in each thread. The job null does nothing: it only
   * starts a thread.
   */
  module: string;
  /** The maximum number of threads. Threads start on demand, and idle ones end. */
  maxThreads: number;
  /** The timeout of a job in ms, including its wait for a thread. */
  maxJobMs: number;
  /** The maximum number of queued jobs. */
  maxWaiting: number;
  /** The memory limit of a thread, in MiB. */
  maxMemoryMb: number;
}>;

/** Thrown for a job that timed out, exceeded its memory or found the queue full; its thread is terminated. */
export class JobEnded extends Error {}

const idleMs = 30_000;

/** The timeout for starting a thread on a busy machine, in ms. */
const maxStartMs = 60_000;

/** A pool of threads for work that would block the event loop, with a timeout for each job. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  #piscina: Promise<Piscina> | null = null;
  /** The threads that have loaded the module. */
  readonly #ready = new Set<unknown>();
  #starting: Promise<unknown> | null = null;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /**
   * Runs the job and returns the result of the module's default export, whose type the caller asserts. Throws
   * `JobEnded`, or what the job throws.
   */
  async run<Output>(job: unknown, maxMs: number = this.#options.maxJobMs): Promise<Output> {
    this.#piscina ??= start(this.#options, this.#ready);
    try {
      const piscina = await this.#piscina;
      return await piscina.run(job, { signal: AbortSignal.timeout(Math.max(1, Math.round(maxMs))) });
    } catch (error) {
      if (isEnded(error))
        throw new JobEnded(`It took more than ${Math.round(maxMs)} ms or too much memory.`, { cause: error });
      throw error;
    }
  }

  /**
   * Resolves when a thread has loaded the module, which on a busy machine can take longer than a job may. Throws
   * `JobEnded` when none starts.
   */
  async ready(): Promise<void> {
    if (this.#ready.size > 0) return;
    this.#starting ??= this.run(null, maxStartMs).finally(() => {
      this.#starting = null;
    });
    await this.#starting;
  }

  /** Terminates all threads. */
  async close(): Promise<void> {
    await (await this.#piscina)?.destroy();
    this.#piscina = null;
    this.#ready.clear();
  }
}

async function start(
  { module, maxThreads, maxWaiting, maxMemoryMb }: WorkerPoolOptions,
  ready: Set<unknown>,
): Promise<Piscina> {
  // Loaded on demand, since most processes have no work for it.
  const { Piscina } = await import('piscina');
  const piscina = new Piscina({
    filename: module,
    minThreads: 0,
    maxThreads,
    maxQueue: maxWaiting,
    idleTimeout: idleMs,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
  });
  // It tells of a thread when that has loaded the module.
  piscina.on('workerCreate', (thread: unknown) => ready.add(thread));
  piscina.on('workerDestroy', (thread: unknown) => ready.delete(thread));
  return piscina;
}

const endings: readonly string[] = ['AbortError', 'TimeoutError'];
const limits = /Task queue is at limit|Worker terminated|ERR_WORKER_OUT_OF_MEMORY/;

function isEnded(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return endings.includes(error.name) || limits.test(error.message) || limits.test(code);
}
