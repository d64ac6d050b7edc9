import type { Clock } from '#application/ports/clock.ts';

/** A clock that stands still until it is set. */
export class SettableClock implements Clock {
  #now: number;

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}
