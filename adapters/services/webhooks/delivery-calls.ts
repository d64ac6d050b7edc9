import { AsyncLocalStorage } from 'node:async_hooks';
import { TimedCall } from '#adapters/services/webhooks/timed-call.ts';
import { type OperationCaller, UnsentError, type UserCall } from '#application/ports/operation-caller.ts';
import type { WorkHold, WorkScope } from '#application/ports/work-scope.ts';
import { failed, type Outcome } from '#domain/operations/outcome.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';

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
    const timed = new TimedCall(call, this.#deadlineMs, hold);
    const nameOf = () => this.#names.of(call.service);
    try {
      return await timed.run(nameOf, (within) => this.#caller.call({ ...call, ...within, maxTries: 1 }));
    } catch (error) {
      throw timed.sent === 'no' ? new UnsentError(error) : error;
    }
  }
}

const cancelled = failed('unavailable', 'The call was cancelled.');
