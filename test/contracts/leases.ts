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
      clause('LEASES-001 has one owner at a time', async ({ port }) => {
        assert.equal(await port.acquire('job', 'a', 60_000), 1);
        assert.equal(await port.acquire('job', 'b', 60_000), null);
        assert.equal(await port.acquire('job', 'A', 60_000), null);
      });

      clause('LEASES-002 has one owner when many request it concurrently', async ({ port }) => {
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
        'LEASES-004 goes to another owner at exactly the time it expires, with a greater fencing number',
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

      clause('LEASES-005 is released by its owner only, once', async ({ port }) => {
        await port.acquire('job', 'a', 60_000);
        assert.equal(await port.release('job', 'b'), false);
        assert.equal(await port.acquire('job', 'b', 60_000), null);
        assert.equal(await port.release('job', 'a'), true);
        assert.equal(await port.release('job', 'a'), false);
        assert.equal(await port.release('never acquired', 'a'), false);
      });

      clause('LEASES-006 is free once it is released, and its fencing number keeps growing', async ({ port }) => {
        const numbers: (number | null)[] = [];
        for (const owner of ['a', 'b', 'a', 'c']) {
          numbers.push(await port.acquire('job', owner, 60_000));
          await port.release('job', owner);
        }
        assert.deepEqual(numbers, [1, 2, 3, 4]);
      });

      clause('LEASES-007 is independent of leases with other names', async ({ port }) => {
        const names = ['job', 'Job', 'job ', 'job 2', '__proto__'];
        for (const [index, name] of names.entries())
          assert.equal(await port.acquire(name, `owner ${index}`, 60_000), 1);
        assert.equal(await port.release('job', 'owner 0'), true);
        for (const name of names.slice(1)) assert.equal(await port.acquire(name, 'other', 60_000), null);
        assert.equal(await port.acquire('job', 'other', 60_000), 2);
      });

      clause(
        'LEASES-008 lasts as long as its owner last requested, even if that is shorter',
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
        'LEASES-009 belongs to its owner again after it expired, with the same number, if nobody else took it',
        async ({ port, clock }) => {
          await port.acquire('job', 'a', 1000);
          clock.advance(5000);
          assert.equal(await port.acquire('job', 'a', 1000), 1);
          assert.equal(await port.acquire('job', 'b', 1000), null);
        },
        'clock',
      );

      clause(
        'LEASES-010 cannot be released by an owner who has lost it',
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
        'LEASES-011 is not prolonged by requests that fail',
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
        'LEASES-012 goes to exactly one of two owners that request it concurrently after it expired',
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
        'LEASES-013 goes to exactly one of two processes that request it concurrently',
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
        'LEASES-014 expires by the store’s own clock, if declared not to use the given one',
        async ({ port, clock }) => {
          await port.acquire('job', 'a', 3_600_000);
          clock.advance(7_200_000);
          assert.equal(await port.acquire('job', 'b', 1000), null);
        },
        'not clock',
      );

      clause('LEASES-015 is released once when many callers release it concurrently', async ({ port }) => {
        await port.acquire('job', 'a', 60_000);
        const returned = await Promise.all([1, 2, 3, 4, 5].map(() => port.release('job', 'a')));
        assert.equal(returned.filter(Boolean).length, 1);
        assert.equal(await port.acquire('job', 'b', 60_000), 2);
      });

      clause(
        'LEASES-901 still belongs to its owner when the store is reopened, with its fencing number',
        async ({ port, reopen }) => {
          await port.acquire('held', 'a', 60_000);
          await port.acquire('given back', 'a', 60_000);
          await port.release('given back', 'a');
          const reopened = await reopen();
          assert.equal(await reopened.acquire('held', 'b', 60_000), null);
          assert.equal(await reopened.acquire('held', 'a', 60_000), 1);
          assert.equal(await reopened.acquire('given back', 'b', 60_000), 2);
        },
        'durable',
      );

      clause(
        'LEASES-902 belongs to nobody when the store is reopened, if declared not durable',
        async ({ port, reopen }) => {
          await port.acquire('job', 'a', 60_000);
          assert.equal(await (await reopen()).acquire('job', 'b', 60_000), 1);
        },
        'not durable',
      );

      clause(
        'LEASES-903 is visible to a second process at once',
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
        'LEASES-904 is not visible to a second process, if the store is declared to serve one',
        async ({ port, beside }) => {
          await port.acquire('job', 'a', 60_000);
          assert.equal(await (await beside()).acquire('job', 'b', 60_000), 1);
        },
        'not processes',
      );
    },
  });
}
