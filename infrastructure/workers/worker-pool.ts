import type { Worker } from 'node:worker_threads';
import type { Piscina } from 'piscina';

/** The options of a thread pool. */
type WorkerPoolOptions = Readonly<{
  /**
   * The URL of the module whose default export runs a job; loaded in each thread. The job null does nothing: it only
   * starts a thread.
   */
  module: string;
  /** The maximum number of threads. Threads start on demand, and idle ones end. */
  maxThreads: number;
  /** The timeout of a job in ms, including its wait for a thread. */
  maxJobMs: number;
  /** The maximum number of jobs that wait for a thread. */
  maxWaiting: number;
  /** The memory limit of a thread, in MiB. */
  maxMemoryMb: number;
}>;

/** Thrown for a job that exceeded its time or memory or found the queue full; its thread is terminated. */
export class JobEnded extends Error {}

const idleMs = 30_000;

/** The timeout for starting a thread on a busy machine, in ms. */
const maxStartMs = 60_000;

/** How often the processor time of a job is measured, in ms. */
const measuringPeriodMs = 50;

/**
 * A pool of threads for work that would block the event loop, with a timeout for each job. Jobs wait here and not in
 * Piscina, which neither limits the number of waiting jobs that can be ended, nor starts a thread for them when those
 * before them have ended with their threads.
 */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  #busyThreads = 0;
  /** The turns of the jobs that wait for a thread, in order. */
  readonly #waiting = new Set<PromiseWithResolvers<void>>();
  #piscina: Promise<Piscina> | null = null;
  /** The ids of the threads that have loaded the module, some of them ended. */
  readonly #ready = new Set<number>();
  #starting: Promise<unknown> | null = null;
  /** Settles when the last of the jobs that run one by one has ended. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /**
   * Runs the job and returns the result of the module's default export, whose type the caller asserts. Throws
   * `JobEnded`, or what the job throws.
   */
  run<Output>(job: unknown, maxMs: number = this.#options.maxJobMs): Promise<Output> {
    return this.#run(job, { maxMs, signal: AbortSignal.timeout(Math.max(1, Math.round(maxMs))) });
  }

  /**
   * The same with a limit of processor time instead of a timeout, so that a busy machine ends no job. For a pool of one
   * thread: such jobs run one by one, and neither their wait nor the thread's start counts.
   */
  runFor<Output>(job: unknown, maxCpuMs: number): Promise<Output> {
    const running = this.#turn.then(() => this.#runFor<Output>(job, maxCpuMs));
    this.#turn = running.catch(() => undefined);
    return running;
  }

  /**
   * Resolves when a thread has loaded the module, which on a busy machine can take longer than a job may. Throws
   * `JobEnded` when none starts.
   */
  async ready(): Promise<void> {
    if ((await this.#readyThread()) !== undefined) return;
    this.#starting ??= this.run(null, maxStartMs).finally(() => {
      this.#starting = null;
    });
    await this.#starting;
  }

  async #runFor<Output>(job: unknown, maxCpuMs: number): Promise<Output> {
    await this.ready();
    const thread = await this.#readyThread();
    if (thread === undefined) throw new JobEnded('There is no thread.');
    const begun = cpuMs(await thread.cpuUsage());
    const ended = new AbortController();
    const end = (used: NodeJS.CpuUsage) => {
      if (cpuMs(used) - begun > maxCpuMs) ended.abort();
    };
    const measuring = setInterval(() => {
      thread.cpuUsage().then(end, () => undefined);
    }, measuringPeriodMs);
    try {
      return await this.#run(job, { maxMs: maxCpuMs, signal: ended.signal });
    } finally {
      clearInterval(measuring);
    }
  }

  async #readyThread(): Promise<Worker | undefined> {
    return (await this.#piscina)?.threads.find(({ threadId }) => this.#ready.has(threadId));
  }

  async #run<Output>(
    job: unknown,
    { maxMs, signal }: Readonly<{ maxMs: number; signal: AbortSignal }>,
  ): Promise<Output> {
    await this.#turnOf(signal);
    this.#piscina ??= start(this.#options, this.#ready);
    try {
      const piscina = await this.#piscina;
      return await piscina.run(job, { signal });
    } catch (error) {
      if (isEnded(error))
        throw new JobEnded(`It took more than ${Math.round(maxMs)} ms or too much memory.`, { cause: error });
      throw error;
    } finally {
      this.#passTurn();
    }
  }

  /** Resolves when a thread is free for the job of this signal. */
  async #turnOf(signal: AbortSignal): Promise<void> {
    if (this.#busyThreads < this.#options.maxThreads) {
      this.#busyThreads += 1;
      return;
    }
    if (this.#waiting.size >= this.#options.maxWaiting) throw new JobEnded('Too many jobs wait for a thread.');
    const turn = Promise.withResolvers<void>();
    const giveUp = () => {
      this.#waiting.delete(turn);
      turn.reject(new JobEnded('No thread was free in time.'));
    };
    signal.addEventListener('abort', giveUp, { once: true });
    this.#waiting.add(turn);
    await turn.promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  #passTurn(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#busyThreads -= 1;
      return;
    }
    this.#waiting.delete(next);
    next.resolve();
  }

  /** Terminates all threads, and ends the jobs that wait for one. */
  async close(): Promise<void> {
    for (const turn of this.#waiting) turn.reject(new JobEnded('The pool was closed.'));
    this.#waiting.clear();
    await (await this.#piscina)?.destroy();
    this.#piscina = null;
    this.#ready.clear();
  }
}

async function start({ module, maxThreads, maxMemoryMb }: WorkerPoolOptions, ready: Set<number>): Promise<Piscina> {
  // Loaded on demand, since most processes have no work for it.
  const { Piscina } = await import('piscina');
  const piscina = new Piscina({
    filename: module,
    minThreads: 0,
    maxThreads,
    idleTimeout: idleMs,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
  });
  // The pool reports a thread when it has loaded the module.
  piscina.on('workerCreate', ({ id }: Readonly<{ id: number }>) => {
    for (const known of ready) if (!piscina.threads.some(({ threadId }) => threadId === known)) ready.delete(known);
    ready.add(id);
  });
  return piscina;
}

function cpuMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

const endings: readonly string[] = ['AbortError', 'TimeoutError'];
const limits = /Worker terminated|ERR_WORKER_OUT_OF_MEMORY/;

function isEnded(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return endings.includes(error.name) || limits.test(error.message) || limits.test(code);
}
