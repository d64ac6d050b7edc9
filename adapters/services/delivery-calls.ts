import { AsyncLocalStorage } from 'node:async_hooks';
import type { OperationCaller, UserCall } from '#application/ports/operation-caller.ts';
import type { WorkHold, WorkScope } from '#application/ports/work-scope.ts';
import { failed, type Outcome } from '#domain/operations/outcome.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';

/** How long one call for a delivery may take, in ms: a slot is not held longer by a service that hangs. */
export const deliveryCallMs = 20_000;

/**
 * Calls operations as deliveries need it: a request is sent once, since repeating is the inbox's; a call ends at its deadline, or
 * when the signal of the work that makes it aborts, whatever it is waiting for. Work that is another process's by now calls
 * nothing any more.
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
    // The call may wait for something that does not hear the signal.
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
    // Signals that are joined (AbortSignal.any) cost more than the rest of this.
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
