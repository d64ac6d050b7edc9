import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '#test/emulators/sales-crm/answers.ts';

/** A failure on demand: `times` requests get `status` in place of their answer. `on` says which kind; all but tokens when not given. */
export type Fault = Readonly<{
  status: number;
  times?: number;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  on?: 'api' | 'token';
}>;

type Pending<What> = { what: What; left: number };

/** What goes wrong next, first come first served. */
export class Faults {
  readonly #failures: Pending<Fault>[] = [];
  readonly #delays: Pending<number | Promise<unknown>>[] = [];
  readonly #drops: Pending<null>[] = [];

  failNext(fault: Fault): void {
    this.#failures.push({ what: fault, left: fault.times ?? 1 });
  }

  /** Nothing goes wrong any more. */
  heal(): void {
    for (const list of [this.#failures, this.#delays, this.#drops]) list.length = 0;
  }

  /** The next requests are answered after so many milliseconds, or when that has come about. */
  delayNext(until: number | Promise<unknown>, times = 1): void {
    this.#delays.push({ what: until, left: times });
  }

  /** The next requests are cut off without an answer. */
  dropNext(times = 1): void {
    this.#drops.push({ what: null, left: times });
  }

  /** Waits if it was asked to; true when the connection is to be cut. */
  async before(signal: AbortSignal): Promise<boolean> {
    const until = take(this.#delays);
    if (typeof until === 'number') await delay(until, undefined, { signal, ref: false }).catch(() => undefined);
    else await until;
    return take(this.#drops) !== undefined;
  }

  /** The failure that a request gets in place of its answer. */
  of(place: 'api' | 'token'): Answer | null {
    const index = this.#failures.findIndex(({ what }) => (what.on ?? 'api') === place);
    const fault = index < 0 ? undefined : take(this.#failures, index);
    if (fault === undefined) return null;
    const body = fault.body ?? { success: false, error: 'An emulated failure', data: null, additional_data: null };
    return { status: fault.status, body, ...(fault.headers === undefined ? {} : { headers: fault.headers }) };
  }
}

function take<What>(pending: Pending<What>[], index = 0): What | undefined {
  const first = pending[index];
  if (first === undefined) return undefined;
  first.left -= 1;
  if (first.left <= 0) pending.splice(index, 1);
  return first.what;
}
