import assert from 'node:assert/strict';
import type { Leases } from '#application/ports/leases.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';

/** Contract suite of lease stores: one owner at a time, until it releases the lease or the lease expires. */
export function leasesContract<Handle extends Opened<Leases>>(runner: Runner, subject: Subject<Leases, Handle>): void {
  contract<Leases, Handle>(runner, subject, {
    port: 'leases',
    define: (clause) => {
      clause('LEASES-001 is one owner’s at a time', async ({ port }) => {
        assert.equal(await port.acquire('job', 'a', 60_000), 1);
        assert.equal(await port.acquire('job', 'b', 60_000), null);
        assert.equal(await port.acquire('job', 'A', 60_000), null);
      });

      clause('LEASES-002 is one owner’s when many want it at the same time', async ({ port }) => {
        const owners = ['a', 'b', 'c', 'd', 'e'];
        const numbers = await Promise.all(owners.map((owner) => port.acquire('job', owner, 60_000)));
        assert.deepEqual(
          numbers.filter((number) => number !== null),
          [1],
        );
      });

      clause(
        'LEASES-003 is renewed by its owner with the same fencing number',
        async ({ port, clock }) => {
          await port.acquire('job', 'a', 1000);
          clock.advance(900);
          assert.equal(await port.acquire('job', 'a', 1000), 1);
          clock.advance(999);
          assert.equal(await port.acquire('job', 'b', 1000), null);
          clock.advance(1);
          assert.equal(await port.acquire('job', 'b', 1000), 2);
        },
        'clock',
      );

      clause(
        'LEASES-004 goes to another at the very moment its time has run out, with a greater fencing number',
        async ({ port, clock }) => {
          await port.acquire('job', 'a', 1000);
          clock.advance(999);
          assert.equal(await port.acquire('job', 'b', 1000), null);
          clock.advance(1);
          assert.equal(await port.acquire('job', 'b', 1000), 2);
          assert.equal(await port.acquire('job', 'a', 1000), null);
          clock.advance(1000);
          assert.equal(await port.acquire('job', 'a', 1000), 3);
        },
        'clock',
      );

      clause('LEASES-005 is given back by its owner only, once', async ({ port }) => {
        await port.acquire('job', 'a', 60_000);
        assert.equal(await port.release('job', 'b'), false);
        assert.equal(await port.acquire('job', 'b', 60_000), null);
        assert.equal(await port.release('job', 'a'), true);
        assert.equal(await port.release('job', 'a'), false);
        assert.equal(await port.release('never acquired', 'a'), false);
      });

      clause('LEASES-006 is free once it is given back, and its fencing number goes on growing', async ({ port }) => {
        const numbers: (number | null)[] = [];
        for (const owner of ['a', 'b', 'a', 'c']) {
          numbers.push(await port.acquire('job', owner, 60_000));
          await port.release('job', owner);
        }
        assert.deepEqual(numbers, [1, 2, 3, 4]);
      });

      clause('LEASES-007 has nothing to do with leases of other names', async ({ port }) => {
        const names = ['job', 'Job', 'job ', 'job 2', '__proto__'];
        for (const [index, name] of names.entries())
          assert.equal(await port.acquire(name, `owner ${index}`, 60_000), 1);
        assert.equal(await port.release('job', 'owner 0'), true);
        for (const name of names.slice(1)) assert.equal(await port.acquire(name, 'other', 60_000), null);
        assert.equal(await port.acquire('job', 'other', 60_000), 2);
      });

      clause(
        'LEASES-008 lasts as long as its owner said last, and shorter if that is shorter',
        async ({ port, clock }) => {
          await port.acquire('job', 'a', 60_000);
          await port.acquire('job', 'a', 100);
          clock.advance(99);
          assert.equal(await port.acquire('job', 'b', 60_000), null);
          clock.advance(1);
          assert.equal(await port.acquire('job', 'b', 60_000), 2);
        },
        'clock',
      );

      clause(
        'LEASES-009 is its owner’s again after its time, with the same number, when nobody else took it',
        async ({ port, clock }) => {
          await port.acquire('job', 'a', 1000);
          clock.advance(5000);
          assert.equal(await port.acquire('job', 'a', 1000), 1);
          assert.equal(await port.acquire('job', 'b', 1000), null);
        },
        'clock',
      );

      clause(
        'LEASES-010 is not given back by an owner who has lost it',
        async ({ port, clock }) => {
          await port.acquire('job', 'a', 1000);
          clock.advance(1000);
          await port.acquire('job', 'b', 60_000);
          assert.equal(await port.release('job', 'a'), false);
          assert.equal(await port.acquire('job', 'c', 1000), null);
        },
        'clock',
      );

      clause(
        'LEASES-011 is not prolonged by those who ask for it in vain',
        async ({ port, clock }) => {
          await port.acquire('job', 'a', 1000);
          clock.advance(500);
          assert.equal(await port.acquire('job', 'b', 60_000), null);
          clock.advance(500);
          assert.equal(await port.acquire('job', 'c', 1000), 2);
        },
        'clock',
      );

      clause(
        'LEASES-012 of two owners that want what has run out at the same time one gets it',
        async ({ port, clock }) => {
          await port.acquire('job', 'a', 1000);
          clock.advance(1000);
          const numbers = await Promise.all(['b', 'c', 'd'].map((owner) => port.acquire('job', owner, 1000)));
          assert.deepEqual(
            numbers.filter((number) => number !== null),
            [2],
          );
        },
        'clock',
      );

      clause(
        'LEASES-013 is one process’s when two want it at the same time',
        async ({ port, beside }) => {
          const other = await beside();
          for (const name of ['one', 'two', 'three', 'four']) {
            const asked = [port.acquire(name, 'here', 60_000), other.acquire(name, 'there', 60_000)];
            assert.deepEqual(
              (await Promise.all(asked)).filter((number) => number !== null),
              [1],
            );
          }
        },
        'processes',
      );

      clause(
        'LEASES-014 runs out by the store’s own time, where it is said not to go by the given clock',
        async ({ port, clock }) => {
          await port.acquire('job', 'a', 3_600_000);
          clock.advance(7_200_000);
          assert.equal(await port.acquire('job', 'b', 1000), null);
        },
        'not clock',
      );

      clause('LEASES-015 is given back once when many give it back at the same time', async ({ port }) => {
        await port.acquire('job', 'a', 60_000);
        const returned = await Promise.all([1, 2, 3, 4, 5].map(() => port.release('job', 'a')));
        assert.equal(returned.filter(Boolean).length, 1);
        assert.equal(await port.acquire('job', 'b', 60_000), 2);
      });

      clause(
        'LEASES-901 is still its owner’s when the store is opened again, with its fencing number',
        async ({ port, reopen }) => {
          await port.acquire('held', 'a', 60_000);
          await port.acquire('given back', 'a', 60_000);
          await port.release('given back', 'a');
          const anew = await reopen();
          assert.equal(await anew.acquire('held', 'b', 60_000), null);
          assert.equal(await anew.acquire('held', 'a', 60_000), 1);
          assert.equal(await anew.acquire('given back', 'b', 60_000), 2);
        },
        'durable',
      );

      clause(
        'LEASES-902 is nobody’s when the store is opened again, where it is said not to be durable',
        async ({ port, reopen }) => {
          await port.acquire('job', 'a', 60_000);
          assert.equal(await (await reopen()).acquire('job', 'b', 60_000), 1);
        },
        'not durable',
      );

      clause(
        'LEASES-903 is seen by a second process at once',
        async ({ port, beside }) => {
          const other = await beside();
          await port.acquire('job', 'a', 60_000);
          assert.equal(await other.acquire('job', 'b', 60_000), null);
          assert.equal(await other.release('job', 'a'), true);
          assert.equal(await port.acquire('job', 'b', 60_000), 2);
        },
        'processes',
      );

      clause(
        'LEASES-904 is not seen by a second process, where the store is said to serve one',
        async ({ port, beside }) => {
          await port.acquire('job', 'a', 60_000);
          assert.equal(await (await beside()).acquire('job', 'b', 60_000), 1);
        },
        'not processes',
      );
    },
  });
}
