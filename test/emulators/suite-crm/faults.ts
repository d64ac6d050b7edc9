import { setTimeout as delay } from 'node:timers/promises';
import type { Reply } from '#test/emulators/suite-crm/reply.ts';

/** A fault to come: how often, for which methods and paths, and what is answered instead. */
export type Fault = Readonly<{
  status: number;
  times?: number;
  method?: string;
  path?: RegExp;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
}>;

/** Requests that wait until they are let go. `arrived` resolves when as many as were asked for are waiting. */
export type Hold = Readonly<{ arrived: Promise<void>; release(): void }>;

/** Faults on demand, in the order that they were asked for. */
export class Faults {
  readonly #waiting: { fault: Fault; left: number }[] = [];
  #delaysMs: number[] = [];
  #gate: { came(): void; open: Promise<void> } | null = null;

  fail(fault: Fault): void {
    this.#waiting.push({ fault, left: fault.times ?? 1 });
  }

  /** Nothing goes wrong any more. */
  heal(): void {
    this.#waiting.length = 0;
    this.#delaysMs = [];
  }

  delay(ms: number, times: number): void {
    this.#delaysMs = [...this.#delaysMs, ...Array.from({ length: times }, () => ms)];
  }

  /** Holds every request from now on, until it is released. */
  hold(count: number): Hold {
    const all = Promise.withResolvers<void>();
    const open = Promise.withResolvers<void>();
    let waiting = 0;
    this.#gate = {
      came: () => {
        waiting += 1;
        if (waiting === count) all.resolve();
      },
      open: open.promise,
    };
    return {
      arrived: all.promise,
      release: () => {
        this.#gate = null;
        open.resolve();
      },
    };
  }

  /** Resolves when this request may go on. */
  async pass(): Promise<void> {
    this.#gate?.came();
    await this.#gate?.open;
    await delay(this.#delaysMs.shift() ?? 0);
  }

  /** The answer in place of the true one; null for none. */
  take({ method, path }: Readonly<{ method: string; path: string }>): Reply | null {
    const at = this.#waiting.findIndex(
      ({ fault }) => (fault.path?.test(path) ?? true) && (fault.method ?? method) === method,
    );
    const found = this.#waiting[at];
    if (found === undefined) return null;
    found.left -= 1;
    if (found.left <= 0) this.#waiting.splice(at, 1);
    const { status, body, headers = {} } = found.fault;
    return { status, headers, ...(body === undefined ? {} : { json: body }) };
  }
}
