import { AsyncLocalStorage } from 'node:async_hooks';
import type { OperationCaller, UserCall } from '#application/ports/operation-caller.ts';
import type { WorkHold, WorkScope } from '#application/ports/work-scope.ts';
import { failed, type Outcome } from '#domain/operations/outcome.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';

/** The time limit of a call for a delivery, in ms, so that a hanging service does not occupy a slot for longer. */
export const deliveryCallMs = 20_000;

/**
 * Calls operations on behalf of deliveries. A request is sent once, since the inbox does the retries; a call ends at
 * its deadline, or when the signal of its work aborts, whatever it is waiting for. Work whose lease was lost makes no
 * further calls.
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
    if (hold?.isHeld() === false) return failed('unavailable', 'The call was cancelled.');
    const ending = new AbortController();
    // The call may be waiting for something that ignores the signal.
    const aborted = Promise.withResolvers<null>();
    let isLate = false;
    const end = () => {
      ending.abort();
      aborted.resolve(null);
    };
    const timer = setTimeout(() => {
      isLate = !ending.signal.aborted;
      end();
    }, this.#deadlineMs);
    // AbortSignal.any costs more than the rest of this function.
    const outer = [call.signal, hold?.signal].filter((signal) => signal !== undefined);
    for (const signal of outer) signal.addEventListener('abort', end, { once: true });
    if (outer.some(({ aborted: isAborted }) => isAborted)) end();
    const { signal } = ending;
    try {
      const outcome = await Promise.race([this.#caller.call({ ...call, signal, maxTries: 1 }), aborted.promise]);
      return outcome === null || (!outcome.ok && signal.aborted) ? this.#cancelled(call, isLate) : outcome;
    } finally {
      clearTimeout(timer);
      for (const one of outer) one.removeEventListener('abort', end);
    }
  }

  #cancelled({ service }: UserCall, isLate: boolean): Outcome {
    if (!isLate) return failed('unavailable', 'The call was cancelled.');
    return failed(
      'unavailable',
      `The ${this.#names.of(service)} did not answer within ${Math.ceil(this.#deadlineMs / 1000)} s.`,
    );
  }
}
