import { Worker } from 'node:worker_threads';
import type {
  AnswerMessage,
  ProgramBounds,
  StartMessage,
  StopMessage,
  ThreadMessage,
} from '#adapters/programs/program-messages.ts';
import type { Program, ProgramEnd, ProgramFailure } from '#application/ports/program-sandbox.ts';
import { programModule } from '#infrastructure/program/program-files.ts';

/** The bounds of one program; `maxMs` is how long it may take, its calls included. */
export type RunBounds = Readonly<{ maxMs: number; bounds: ProgramBounds }>;

/** How often the processor time of a thread is looked at, and what a program may use beyond its limit, in ms. */
const measuringMs = 500;
const graceMs = 2_000;

/** How long a thread may take to start on a busy machine, in ms. */
const maxStartMs = 60_000;

/** A thread that runs programs one after the other. */
export class ProgramThread {
  readonly #worker: Worker;
  #isReady = false;
  #isBroken = false;
  #current: RunInThread | null = null;

  constructor() {
    this.#worker = new Worker(new URL(programModule('adapters/programs/program-jobs')), {
      env: {},
      argv: [],
      execArgv: [],
      // Stacks beyond the programs' own, so that a deep value ends a program and not its thread.
      resourceLimits: { maxOldGenerationSizeMb: 128, stackSizeMb: 8 },
    });
    this.#worker.on('message', (message: ThreadMessage) => this.#receive(message));
    const onBroken = (): void => {
      this.#isBroken = true;
      this.#current?.fail(broken);
    };
    this.#worker.on('error', onBroken).on('exit', onBroken);
  }

  /** Whether it can run another program: not when the last one had to be ended with it. */
  get isSound(): boolean {
    return !this.#isBroken;
  }

  /** Runs a program to its end. */
  async run(program: Program, within: RunBounds): Promise<ProgramEnd> {
    if (this.#isBroken) return { ok: false, log: [], failure: broken };
    const current = new RunInThread(this.#worker, program, within);
    this.#current = current;
    this.#worker.ref();
    if (this.#isReady) current.begin();
    const end = await current.end;
    this.#current = null;
    this.#worker.unref();
    if (!current.hasEndedItself) await this.terminate();
    return end;
  }

  /** Ends the thread, and its program. */
  async terminate(): Promise<void> {
    this.#isBroken = true;
    await this.#worker.terminate();
  }

  #receive(message: ThreadMessage): void {
    if (message.say === 'ready') {
      this.#isReady = true;
      this.#current?.begin();
    } else this.#current?.receive(message);
  }
}

/** One program in its thread. */
class RunInThread {
  readonly #worker: Worker;
  readonly #program: Program;
  readonly #within: RunBounds;
  readonly #log: string[] = [];
  readonly #stop = new Int32Array(new SharedArrayBuffer(4));
  readonly #ended = Promise.withResolvers<ProgramEnd>();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #onAbort = (): void => this.#askToStop(stoppedBy(this.#program.signal));
  #whyStopped: ProgramFailure | null = null;
  #hasBegun = false;
  /** Whether the thread said that it ended, and can have another one. */
  hasEndedItself = false;

  constructor(worker: Worker, program: Program, within: RunBounds) {
    [this.#worker, this.#program, this.#within] = [worker, program, within];
    this.#timers.push(setTimeout(() => (this.#hasBegun ? undefined : this.fail(broken)), maxStartMs));
    program.signal.addEventListener('abort', this.#onAbort, { once: true });
    if (program.signal.aborted) this.#onAbort();
  }

  get end(): Promise<ProgramEnd> {
    return this.#ended.promise;
  }

  begin(): void {
    this.#hasBegun = true;
    const { code, input, at, operations } = this.#program;
    const { maxMs, bounds } = this.#within;
    this.#timers.push(setTimeout(() => this.#askToStop(tookTooLong(maxMs)), maxMs));
    this.#measure();
    const text = JSON.stringify(input ?? null);
    this.#post({ do: 'run', code, input: text, at, operations, stop: this.#stop, bounds });
  }

  receive(message: Exclude<ThreadMessage, { say: 'ready' }>): void {
    switch (message.say) {
      case 'log':
        this.#log.push(message.line);
        return;
      case 'call':
        void this.#answer(message.call, message.path, message.inputs);
        return;
      case 'end':
        this.hasEndedItself = true;
        if (message.ok) this.#finish({ ok: true, log: this.#log, value: message.value });
        else this.fail(message.failure.kind === 'asked' ? (this.#whyStopped ?? broken) : message.failure);
    }
  }

  fail(failure: ProgramFailure): void {
    this.#finish({ ok: false, log: this.#log, failure });
  }

  async #answer(call: number, path: string, inputs: string): Promise<void> {
    const answer = await this.#program.call(path, JSON.parse(inputs));
    this.#post({ do: 'answer', call, answer });
  }

  /** Has the program stop; one that does not let itself be stopped is ended with its thread. */
  #askToStop(failure: ProgramFailure): void {
    if (this.#whyStopped !== null) return;
    this.#whyStopped = failure;
    Atomics.store(this.#stop, 0, 1);
    this.#post({ do: 'stop' });
    this.#timers.push(setTimeout(() => this.fail(failure), graceMs));
  }

  /** Ends the thread of a program that uses too much processor time and does not end by itself. */
  #measure(): void {
    const { cpuMs: most } = this.#within.bounds;
    let begun: number | null = null;
    const measure = (used: NodeJS.CpuUsage): void => {
      const now = (used.user + used.system) / 1_000;
      begun ??= now;
      if (now - begun > most + graceMs) this.fail(tookTooMuch(most));
    };
    const look = (): void => {
      this.#worker.cpuUsage().then(measure, () => undefined);
    };
    look();
    this.#timers.push(setInterval(look, measuringMs));
  }

  #finish(end: ProgramEnd): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#program.signal.removeEventListener('abort', this.#onAbort);
    this.#ended.resolve(end);
  }

  #post(message: StartMessage | AnswerMessage | StopMessage): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(message);
  }
}

/** The failure of a program whose caller stopped it. */
export function stoppedBy({ reason }: AbortSignal): ProgramFailure {
  const message = reason instanceof Error ? reason.message : 'It was stopped.';
  return { kind: 'stopped', message, line: null };
}

function tookTooLong(maxMs: number): ProgramFailure {
  return { kind: 'limit', message: `It took more than ${maxMs / 60_000} minutes, its calls included.`, line: null };
}

function tookTooMuch(cpuMs: number): ProgramFailure {
  return { kind: 'limit', message: `It took more than ${cpuMs / 1_000} s of processor time.`, line: null };
}

const broken: ProgramFailure = {
  kind: 'limit',
  message: 'It used more memory than a program may, or broke its sandbox.',
  line: null,
};
