import type { ProgramBounds } from '#adapters/programs/program-messages.ts';
import { ProgramThread, stoppedBy } from '#adapters/programs/program-thread.ts';
import type { Program, ProgramEnd, ProgramFailure, ProgramSandbox } from '#application/ports/program-sandbox.ts';

/** How many programs run and wait, and what each may use. Times are ms. */
type ProgramThreadsOptions = Readonly<{
  maxThreads: number;
  /** The maximum number of programs of one user that wait, and of all. */
  maxWaitingOfUser?: number;
  maxWaiting?: number;
  /** How long a program may take, its calls included; its wait for a thread does not count. */
  maxMs?: number;
  bounds?: Partial<ProgramBounds>;
}>;

const defaultBounds: ProgramBounds = {
  cpuMs: 30_000,
  memoryBytes: 64 * 1024 * 1024,
  logLength: 1024 * 1024,
  resultLength: 4 * 1024 * 1024,
};

/** How long a thread without a program is kept, in ms. */
const idleMs = 60_000;

/** Begins a program that waited; null when the server stops. */
type Turn = (thread: ProgramThread | null) => void;

/**
 * Runs programs in QuickJS, in threads of their own. Nothing is loaded before the first program. Users take turns, so
 * that many programs of one delay another by one program at most.
 */
export class ProgramThreads implements ProgramSandbox {
  readonly #options: Required<ProgramThreadsOptions>;
  readonly #bounds: ProgramBounds;
  readonly #threads = new Set<ProgramThread>();
  readonly #idle = new Map<ProgramThread, NodeJS.Timeout>();
  /** Those that wait, by user, in the order in which the users take turns. */
  readonly #waiting = new Map<number, Set<Turn>>();
  #isClosed = false;

  constructor(options: ProgramThreadsOptions) {
    this.#options = { maxWaitingOfUser: 50, maxWaiting: 500, maxMs: 5 * 60_000, bounds: {}, ...options };
    this.#bounds = { ...defaultBounds, ...options.bounds };
  }

  async run(program: Program): Promise<ProgramEnd> {
    const thread = await this.#turnOf(program);
    if (!(thread instanceof ProgramThread)) return { ok: false, log: [], failure: thread };
    const { maxMs } = this.#options;
    const end = await thread.run(program, { maxMs, bounds: this.#bounds });
    this.#passOn(thread);
    return end;
  }

  /** Ends all threads. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (let turn = this.#nextTurn(); turn !== null; turn = this.#nextTurn()) turn(null);
    for (const timer of this.#idle.values()) clearTimeout(timer);
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  /** Resolves with a thread when it is the program's turn. */
  async #turnOf({ userId, signal }: Program): Promise<ProgramThread | ProgramFailure> {
    if (this.#isClosed) return closing;
    if (signal.aborted) return stoppedBy(signal);
    const free = this.#freeThread();
    if (free !== null) return free;
    const own = this.#waiting.get(userId) ?? new Set();
    const all = [...this.#waiting.values()].reduce((sum, turns) => sum + turns.size, 0);
    if (own.size >= this.#options.maxWaitingOfUser || all >= this.#options.maxWaiting) return busy;
    const { promise, resolve } = Promise.withResolvers<ProgramThread | ProgramFailure>();
    const turn: Turn = (thread) => resolve(thread ?? closing);
    const giveUp = (): void => {
      own.delete(turn);
      if (own.size === 0) this.#waiting.delete(userId);
      resolve(stoppedBy(signal));
    };
    signal.addEventListener('abort', giveUp, { once: true });
    this.#waiting.set(userId, own.add(turn));
    return promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  #freeThread(): ProgramThread | null {
    const [idle] = this.#idle;
    if (idle !== undefined) {
      const [thread, timer] = idle;
      clearTimeout(timer);
      this.#idle.delete(thread);
      return thread.isSound ? thread : this.#replaced(thread);
    }
    return this.#threads.size < this.#options.maxThreads ? this.#started() : null;
  }

  /** Gives a thread whose program ended to the next one, or keeps it for a while. */
  #passOn(thread: ProgramThread): void {
    if (this.#isClosed) return;
    const next = this.#nextTurn();
    if (next !== null) {
      next(thread.isSound ? thread : this.#replaced(thread));
      return;
    }
    if (!thread.isSound) {
      this.#threads.delete(thread);
      return;
    }
    const end = (): void => {
      this.#idle.delete(thread);
      this.#threads.delete(thread);
      void thread.terminate();
    };
    this.#idle.set(thread, setTimeout(end, idleMs).unref());
  }

  /** Takes the first program of the user whose turn it is; their others wait behind those of all other users. */
  #nextTurn(): Turn | null {
    const [first] = this.#waiting;
    if (first === undefined) return null;
    const [userId, turns] = first;
    const [turn = null] = turns;
    this.#waiting.delete(userId);
    if (turn !== null) turns.delete(turn);
    if (turns.size > 0) this.#waiting.set(userId, turns);
    return turn;
  }

  #replaced(thread: ProgramThread): ProgramThread {
    this.#threads.delete(thread);
    return this.#started();
  }

  #started(): ProgramThread {
    const thread = new ProgramThread();
    this.#threads.add(thread);
    return thread;
  }
}

const closing: ProgramFailure = { kind: 'stopped', message: 'The server is stopping.', line: null };
const busy: ProgramFailure = { kind: 'busy', message: 'Too many programs wait already: try again later.', line: null };
