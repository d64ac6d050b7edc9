import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '#application/ports/clock.ts';
import type { Leases } from '#application/ports/leases.ts';
import { SettableClock } from '#test/support/persistence/moving-clock.ts';

/** Leases to test, and how to throw them away. */
export type OpenLeases = (clock: Clock) => Promise<Readonly<{ leases: Leases; close(): Promise<void> }>>;

/** What all leases do: one owner at a time, until it gives the lease back or the lease has run out. */
export function leasesContract(name: string, open: OpenLeases): void {
  describe(`leases (${name})`, () => {
    const clock = new SettableClock(Date.UTC(2026, 0, 23));
    let leases: Leases;
    let close: () => Promise<void>;

    beforeEach(async () => {
      ({ leases, close } = await open(clock));
    });
    afterEach(() => close());

    it('LEASE-001 is one owner’s at a time', async () => {
      expect(await leases.acquire('job', 'a', 1000)).toBe(1);
      expect(await leases.acquire('job', 'b', 1000)).toBeNull();
      expect(await leases.acquire('another job', 'b', 1000)).toBe(1);
    });

    it('LEASE-002 is one owner’s when many want it at the same time', async () => {
      const numbers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((owner) => leases.acquire('job', owner, 1000)));
      expect(numbers.filter((number) => number !== null)).toHaveLength(1);
    });

    it('LEASE-003 is renewed by its owner with the same fencing number', async () => {
      await leases.acquire('job', 'a', 1000);
      clock.advance(900);
      expect(await leases.acquire('job', 'a', 1000)).toBe(1);
      clock.advance(900);
      expect(await leases.acquire('job', 'b', 1000)).toBeNull();
    });

    it('LEASE-004 goes to another when its time has run out, with a greater fencing number', async () => {
      await leases.acquire('job', 'a', 1000);
      clock.advance(1000);
      expect(await leases.acquire('job', 'b', 1000)).toBe(2);
      expect(await leases.acquire('job', 'a', 1000)).toBeNull();
    });

    it('LEASE-005 is given back by its owner only', async () => {
      await leases.acquire('job', 'a', 1000);
      expect(await leases.release('job', 'b')).toBe(false);
      expect(await leases.release('job', 'a')).toBe(true);
      expect(await leases.release('job', 'a')).toBe(false);
      expect(await leases.acquire('job', 'b', 1000)).toBeGreaterThan(1);
    });
  });
}
