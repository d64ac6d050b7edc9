import type { Reply } from '#test/emulators/suite-crm/reply.ts';

/** A fault to come: how often, for which paths, and what is answered instead. */
export type Fault = Readonly<{
  status: number;
  times?: number;
  path?: RegExp;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
}>;

/** Faults on demand, in the order that they were asked for. */
export class Faults {
  readonly #waiting: { fault: Fault; left: number }[] = [];
  #delaysMs: number[] = [];

  fail(fault: Fault): void {
    this.#waiting.push({ fault, left: fault.times ?? 1 });
  }

  delay(ms: number, times: number): void {
    this.#delaysMs = [...this.#delaysMs, ...Array.from({ length: times }, () => ms)];
  }

  /** How long this request waits. */
  takeDelayMs(): number {
    return this.#delaysMs.shift() ?? 0;
  }

  /** The answer in place of the true one; null for none. */
  take(path: string): Reply | null {
    const at = this.#waiting.findIndex(({ fault }) => fault.path === undefined || fault.path.test(path));
    const found = this.#waiting[at];
    if (found === undefined) return null;
    found.left -= 1;
    if (found.left <= 0) this.#waiting.splice(at, 1);
    const { status, body, headers = {} } = found.fault;
    return { status, headers, ...(body === undefined ? {} : { json: body }) };
  }
}
