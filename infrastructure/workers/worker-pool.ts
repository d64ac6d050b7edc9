import { Piscina } from 'piscina';

/** How a pool of threads is made. */
export type WorkerPoolOptions = Readonly<{
  /** URL of the module whose default export does a job; it is loaded in each thread. */
  module: string;
  /** The most threads. None is started before there is work, and idle ones end. */
  maxThreads: number;
  /** How long a job may take, its wait for a thread included. */
  maxJobMs: number;
  /** How many jobs may wait. */
  maxWaiting: number;
  /** How much memory a thread may have, in MiB. */
  maxMemoryMb: number;
}>;

/** Thrown for a job that took too long, needed too much memory, or found too many before it; its thread is ended. */
export class JobEnded extends Error {}

const idleMs = 30_000;

/** Threads for work that would hold up the event loop, with a deadline for each job. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  #piscina: Piscina | null = null;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /** What the module's default export gives for the job; the caller knows its type. Throws `JobEnded`, or what the job throws. */
  async run<Output>(job: unknown, maxMs: number = this.#options.maxJobMs): Promise<Output> {
    this.#piscina ??= start(this.#options);
    try {
      return await this.#piscina.run(job, { signal: AbortSignal.timeout(Math.max(1, Math.round(maxMs))) });
    } catch (error) {
      if (isEnded(error))
        throw new JobEnded(`It took more than ${Math.round(maxMs)} ms or too much memory.`, { cause: error });
      throw error;
    }
  }

  /** Ends all threads. */
  async close(): Promise<void> {
    await this.#piscina?.destroy();
    this.#piscina = null;
  }
}

function start({ module, maxThreads, maxWaiting, maxMemoryMb }: WorkerPoolOptions): Piscina {
  return new Piscina({
    filename: module,
    minThreads: 0,
    maxThreads,
    maxQueue: maxWaiting,
    idleTimeout: idleMs,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
  });
}

const endings: readonly string[] = ['AbortError', 'TimeoutError'];
const limits = /Task queue is at limit|Worker terminated|ERR_WORKER_OUT_OF_MEMORY/;

function isEnded(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return endings.includes(error.name) || limits.test(error.message) || limits.test(code);
}
