import { AsyncLocalStorage } from 'node:async_hooks';
import { type OperationCaller, UnsentError, type UserCall } from '#application/ports/operation-caller.ts';
import type { Departure } from '#application/ports/service-gateway.ts';
import type { WorkHold, WorkScope } from '#application/ports/work-scope.ts';
import { type Failure, failed, type Outcome, type Sent } from '#domain/operations/outcome.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { startDeadline } from '#infrastructure/time/deadline.ts';

/** The time limit of a call for a delivery, in ms, so that a hanging service does not occupy a slot for longer. */
export const deliveryCallMs = 20_000;

/**
 * Calls operations on behalf of deliveries. A request is sent once, since the inbox does the retries. A call ends at its
 * deadline, whatever it is waiting for. Work whose lease was lost sends nothing more (INBOX-019): its calls that wait
 * are cancelled, and those that were sent are completed.
 */
export class DeliveryCalls implements OperationCaller, WorkScope {
  readonly #caller: OperationCaller;
  readonly #names: ServiceNames;
  readonly #deadlineMs: number;
  readonly #holds = new AsyncLocalStorage<WorkHold>();

  constructor(caller: OperationCaller, names: ServiceNames, deadlineMs = deliveryCallMs) {
    this.#caller = caller;
    this.#names = names;
    this.#deadlineMs = deadlineMs;
  }

  run<Value>(hold: WorkHold, work: () => Promise<Value>): Promise<Value> {
    return this.#holds.run(hold, work);
  }

  async call(call: UserCall): Promise<Outcome> {
    const hold = this.#holds.getStore();
    if (hold?.isHeld() === false) return cancelled;
    const trip = new Trip(call, hold);
    const stopTimer = startDeadline(this.#deadlineMs, () => trip.late());
    try {
      const { signal, departure } = trip;
      const outcome = await Promise.race([this.#caller.call({ ...call, signal, departure, maxTries: 1 }), trip.ended]);
      if (outcome !== null && (outcome.ok || outcome.sent === 'yes' || !trip.isCut)) return outcome;
      const sent = outcome?.sent ?? trip.sent;
      return { ...(trip.isLate ? this.#late(call) : cancelled), sent };
    } catch (error) {
      throw trip.sent === 'no' ? new UnsentError(error) : error;
    } finally {
      stopTimer();
      trip.close();
    }
  }

  #late({ service }: UserCall): Failure {
    return failed(
      'unavailable',
      `The ${this.#names.of(service)} did not answer within ${Math.ceil(this.#deadlineMs / 1000)} s.`,
    );
  }
}

const cancelled = failed('unavailable', 'The call was cancelled.');

/** One call: when it has to end, and whether any of its requests has left. */
class Trip {
  readonly #hold: WorkHold | undefined;
  readonly #cuts: readonly AbortSignal[];
  readonly #waiting = new AbortController();
  readonly #cut = new AbortController();
  readonly #over = Promise.withResolvers<null>();
  #hasLeft = false;
  isLate = false;

  constructor({ signal }: UserCall, hold: WorkHold | undefined) {
    this.#hold = hold;
    // AbortSignal.any costs more than the rest of a call.
    this.#cuts = [signal, hold?.cut].filter((one) => one !== undefined);
    hold?.signal.addEventListener('abort', this.#cancel, { once: true });
    for (const one of this.#cuts) one.addEventListener('abort', this.#end, { once: true });
    if (this.#cuts.some(({ aborted }) => aborted)) this.#end();
  }

  /** Cancels what waits to be sent. */
  get signal(): AbortSignal {
    return this.#waiting.signal;
  }

  get departure(): Departure {
    return { begin: () => this.#begin(), cut: this.#cut.signal };
  }

  /** Fulfilled with null once the call is over although its caller has not ended it. */
  get ended(): Promise<null> {
    return this.#over.promise;
  }

  /** Whether it has ended also for what was sent: at its deadline, or because its caller or a stop ended it. */
  get isCut(): boolean {
    return this.#cut.signal.aborted;
  }

  get sent(): Sent {
    return this.#hasLeft ? 'unknown' : 'no';
  }

  /** Ends the call at its deadline. */
  late(): void {
    this.isLate = !this.isCut;
    this.#end();
  }

  close(): void {
    this.#hold?.signal.removeEventListener('abort', this.#cancel);
    for (const one of this.#cuts) one.removeEventListener('abort', this.#end);
  }

  #begin(): boolean {
    if (this.signal.aborted || this.#hold?.isHeld() === false) return false;
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
    setImmediate(() => this.#over.resolve(null));
  };
}
