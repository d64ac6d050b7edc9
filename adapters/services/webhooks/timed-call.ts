import type { RunOperationFor } from '#application/operations/run-operation.ts';
import type { UserCall } from '#application/ports/operation-caller.ts';
import type { Departure, OperationCall } from '#application/ports/service-gateway.ts';
import type { WorkHold } from '#application/ports/work-scope.ts';
import { isObject } from '#domain/json/json-data.ts';
import { isFileContent } from '#domain/operations/file-content.ts';
import { type Failure, failed, type Outcome, type Sent } from '#domain/operations/outcome.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { startDeadline } from '#infrastructure/time/deadline.ts';

/** What a call takes with it: it cancels what waits and what has left, and says when the caller stops waiting. */
type Timed = Required<Pick<OperationCall, 'signal' | 'departure' | 'endsAt'>>;

const cancelled = failed('unavailable', 'The call was cancelled.');

/** How long a call that was ended at its deadline has to say what it knows, in ms. */
const lastWordMs = 100;

/**
 * One call with a deadline: when it has to end, and whether any of its requests has left. Its caller's signal ends it
 * at once; a hold that is lost cancels what has not been sent.
 */
export class TimedCall {
  readonly #deadlineMs: number;
  readonly #hold: WorkHold | undefined;
  readonly #cuts: readonly AbortSignal[];
  readonly #waiting = new AbortController();
  readonly #cut = new AbortController();
  readonly #over = Promise.withResolvers<null>();
  #hasLeft = false;
  #isLate = false;
  #isOver = false;
  #stopTimer: () => void = () => undefined;
  #endsAt = 0;

  constructor({ signal }: Pick<UserCall, 'signal'>, deadlineMs: number, hold?: WorkHold) {
    this.#deadlineMs = deadlineMs;
    this.#hold = hold;
    // AbortSignal.any costs more than the rest of a call.
    this.#cuts = [signal, hold?.cut].filter((one) => one !== undefined);
    hold?.signal.addEventListener('abort', this.#cancel, { once: true });
    for (const one of this.#cuts) one.addEventListener('abort', this.#end, { once: true });
    if (this.#cuts.some(({ aborted }) => aborted)) this.#end();
  }

  /** Whether any of its requests may have been sent. */
  get sent(): Sent {
    return this.#hasLeft ? 'unknown' : 'no';
  }

  /**
   * Runs the work until it ends or its time is over, whatever it is waiting for; `nameOf` returns the name of the
   * service. Rejects as the work does.
   */
  async run(nameOf: () => string, work: (timed: Timed) => Promise<Outcome>): Promise<Outcome> {
    this.#start(this.#deadlineMs);
    const departure: Departure = { begin: () => this.#begin(), cut: this.#cut.signal };
    try {
      const outcome = await Promise.race([
        work({ signal: this.#waiting.signal, departure, endsAt: this.#endsAt }),
        this.#over.promise,
      ]);
      if (outcome !== null && (outcome.ok || outcome.sent === 'yes' || !this.#isCut)) return outcome;
      return { ...(this.#isLate ? this.#lateFailure(nameOf()) : cancelled), sent: outcome?.sent ?? this.sent };
    } finally {
      this.#stopTimer();
      this.#close();
    }
  }

  /** Waits for something that is no part of the call, such as the answer of its user: its time goes on after it. */
  async apart<Value>(wait: () => Promise<Value>): Promise<Value> {
    const leftMs = this.#endsAt - performance.now();
    this.#stopTimer();
    try {
      return await wait();
    } finally {
      if (!this.#isOver) this.#start(Math.max(leftMs, lastWordMs));
    }
  }

  #start(ms: number): void {
    this.#endsAt = performance.now() + ms;
    this.#stopTimer = startDeadline(ms, () => this.#late());
  }

  #lateFailure(name: string): Failure {
    return failed('unavailable', `The ${name} did not answer within ${Math.ceil(this.#deadlineMs / 1000)} s.`);
  }

  /** Whether it has ended also for what was sent: at its deadline, or because its caller or a stop ended it. */
  get #isCut(): boolean {
    return this.#cut.signal.aborted;
  }

  #late(): void {
    this.#isLate = !this.#isCut;
    this.#end();
  }

  #close(): void {
    this.#isOver = true;
    this.#hold?.signal.removeEventListener('abort', this.#cancel);
    for (const one of this.#cuts) one.removeEventListener('abort', this.#end);
  }

  #begin(): boolean {
    if (this.#waiting.signal.aborted || this.#hold?.isHeld() === false) return false;
    this.#hasLeft = true;
    return true;
  }

  /** Cancels what waits; what has left goes on. */
  readonly #cancel = (): void => {
    this.#waiting.abort();
    // The call may be waiting for something that ignores the signal.
    if (!this.#hasLeft) setImmediate(() => this.#over.resolve(null));
  };

  readonly #end = (): void => {
    this.#waiting.abort();
    this.#cut.abort();
    setTimeout(() => this.#over.resolve(null), lastWordMs).unref();
  };
}

/**
 * Runs operations for callers who wait for the answer: each ends at the deadline, over all its requests, retries and
 * waits (OP-019). An upload that streams is not limited, since it lasts as long as its caller sends.
 */
export function awaitedCalls(run: RunOperationFor, names: ServiceNames, deadlineMs: number): RunOperationFor {
  return async (user, call) => {
    if (isObject(call.input) && Object.values(call.input).some(isFileContent)) return run(user, call);
    const timed = new TimedCall(call, deadlineMs);
    const { onQuestion: ask } = call;
    const onQuestion: typeof ask = ask === undefined ? ask : (question) => timed.apart(() => ask(question));
    const asking = onQuestion === undefined ? {} : { onQuestion };
    return timed.run(
      () => names.of(call.service),
      (within) => run(user, { ...call, ...within, ...asking }),
    );
  };
}
