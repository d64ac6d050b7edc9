import { setTimeout as delay } from 'node:timers/promises';
import { json, type Reply } from '#test/emulators/signing/exchange.ts';

/** What the next requests are answered with instead of their own answers. `times` is 1 when not given. */
export type Fault = Readonly<{
  status: number;
  times?: number;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
}>;

/** Faults on demand, and the limits of requests by minute and endpoint. */
export class Faults {
  readonly #waiting: Fault[] = [];
  readonly #seen = new Map<string, number[]>();
  #delayMs = 0;
  /** Requests a minute that each endpoint allows; null: any number. */
  perMinute: number | null = null;

  /** The next requests are answered so. */
  failNext(fault: Fault): void {
    for (let left = fault.times ?? 1; left > 0; left -= 1) this.#waiting.push(fault);
  }

  /** The next request is answered that much later. */
  delayNext(ms: number): void {
    this.#delayMs = ms;
  }

  /** The answer that a request gets instead of its own; null when it gets its own. */
  async insteadOf(endpoint: string): Promise<Reply | null> {
    if (this.#delayMs > 0) {
      const ms = this.#delayMs;
      this.#delayMs = 0;
      await delay(ms);
    }
    const fault = this.#waiting.shift();
    if (fault !== undefined) {
      const { status, headers = {}, body } = fault;
      return body === undefined ? { status, headers } : { status, headers, json: body };
    }
    return this.#overLimit(endpoint);
  }

  #overLimit(endpoint: string): Reply | null {
    if (this.perMinute === null) return null;
    const now = Date.now();
    const recent = (this.#seen.get(endpoint) ?? []).filter((at) => now - at < 60_000);
    const oldest = recent[0] ?? now;
    if (recent.length >= this.perMinute) {
      const seconds = Math.max(1, Math.ceil((oldest + 60_000 - now) / 1000));
      const refusal = json(429, {
        type: 'throttled',
        detail: `Request was throttled. Expected available in ${seconds} seconds.`,
      });
      return { ...refusal, headers: { 'retry-after': String(seconds) } };
    }
    this.#seen.set(endpoint, [...recent, now]);
    return null;
  }
}
