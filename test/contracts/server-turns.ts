import assert from 'node:assert/strict';
import type { ServerTurns } from '#adapters/contracts/server-turns.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';

/** After so long, in ms, work of another name counts as waiting. */
const longEnoughMs = 10_000;

/** Contract suite of locks between servers: work under one name runs on one server at a time. */
export function serverTurnsContract<Handle extends Opened<ServerTurns>>(
  runner: Runner,
  subject: Subject<ServerTurns, Handle>,
): void {
  contract<ServerTurns, Handle>(runner, subject, {
    port: 'server turns',
    define: (clause) => {
      clause('TURNS-001 runs the work once and returns its value', async ({ port }) => {
        for (const value of ['done', '', 0, null, undefined, false]) {
          let runs = 0;
          const work = async () => {
            runs += 1;
            return value;
          };
          assert.equal(await port.run('note', work), value);
          assert.equal(runs, 1);
        }
      });

      clause('TURNS-002 rethrows the error of the work, and lets the next caller run', async ({ port }) => {
        const fault = new Error('of the work');
        await assert.rejects(
          port.run('note', () => Promise.reject(fault)),
          (error) => error === fault,
        );
        assert.equal(await port.run('note', async () => 'next'), 'next');
      });

      clause(
        'TURNS-003 starts no work under a name before that of another server has ended',
        async ({ port, beside }) => {
          const other = await beside();
          const events: string[] = [];
          const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
          const first = port.run('note', async () => {
            begun.resolve();
            await over.promise;
            events.push('first');
          });
          await begun.promise;
          const second = other.run('note', async () => void events.push('second'));
          // Turns of another name come and go meanwhile: there was time for a second one of this.
          for (let times = 0; times < 5; times += 1) await other.run('another', pause);
          events.push('meanwhile');
          over.resolve();
          await Promise.all([first, second]);
          assert.deepEqual(events, ['meanwhile', 'first', 'second']);
        },
        'processes',
      );

      clause(
        'TURNS-004 lets the next caller run after work of another server that failed',
        async ({ port, beside }) => {
          const other = await beside();
          await assert.rejects(port.run('note', () => Promise.reject(new Error('of the work'))));
          assert.equal(await other.run('note', async () => 'next'), 'next');
        },
        'processes',
      );

      clause(
        'TURNS-005 distinguishes names, however similar',
        async ({ port, beside }) => {
          const [other, waiting] = [await beside(), await beside()];
          for (const name of ['Note', 'note ', ' note', 'not', 'notes', 'nöte', '']) {
            const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
            const first = port.run('note', () => {
              begun.resolve();
              return over.promise;
            });
            await begun.promise;
            let isTaken = false;
            let next: Promise<void> | null = null;
            try {
              assert.equal(await other.run(name, async () => 'meanwhile'), 'meanwhile', name);
              next = waiting.run('note', async () => {
                isTaken = true;
              });
              // A turn that was ended for the other name's sake would be free now.
              for (let times = 0; times < 5; times += 1) await waiting.run('another', pause);
              assert.equal(isTaken, false, name);
            } finally {
              over.resolve();
              await Promise.allSettled([first, next]);
            }
          }
        },
        'processes',
      );

      clause(
        'TURNS-006 lets every caller run eventually, one at a time',
        async ({ port, beside }) => {
          const servers = [port, await beside(), await beside()];
          let [atWork, most] = [0, 0];
          const work = async () => {
            atWork += 1;
            most = Math.max(most, atWork);
            await pause();
            atWork -= 1;
            return 'done';
          };
          const turns = servers.flatMap((server) => Array.from({ length: 5 }, () => server.run('note', work)));
          assert.deepEqual(await Promise.all(turns), Array(15).fill('done'));
          assert.equal(most, 1);
        },
        'processes',
      );

      clause(
        'TURNS-007 runs brief works of several names, each once, and returns the value of each',
        async ({ port }) => {
          const ran: string[] = [];
          const names = ['', 'a', 'A', 'b', 'b ', 'nöte'];
          const values = await Promise.all(
            names.map((name) =>
              port.brief(name, async () => {
                ran.push(name);
                return { name };
              }),
            ),
          );
          assert.deepEqual(
            values,
            names.map((name) => ({ name })),
          );
          assert.deepEqual(ran.toSorted(), names.toSorted());
        },
      );

      clause('TURNS-008 rethrows the error of brief work, and no other fails with it', async ({ port }) => {
        const fault = new Error('of the work');
        const works = [port.brief('a', async () => 'done'), port.brief('b', () => Promise.reject(fault))];
        const [first, second] = await Promise.allSettled(works);
        assert.deepEqual(first, { status: 'fulfilled', value: 'done' });
        assert.deepEqual(second, { status: 'rejected', reason: fault });
        assert.equal(await port.brief('b', async () => 'next'), 'next');
      });

      clause(
        'TURNS-009 runs works of one name one at a time, brief or not, while those of other names go on',
        async ({ port, beside }) => {
          const other = await beside();
          const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
          const first = port.run('note', () => {
            begun.resolve();
            return over.promise;
          });
          await begun.promise;
          let [atWork, most] = [0, 0];
          const work = async () => {
            atWork += 1;
            most = Math.max(most, atWork);
            await pause();
            atWork -= 1;
            return 'done';
          };
          const waiting = [other, port, other].flatMap((server) => [
            server.brief('note', work),
            server.run('note', work),
          ]);
          const meanwhile = other.brief('another', async () => 'meanwhile');
          const late = new Promise((resolve) => {
            setTimeout(resolve, longEnoughMs, 'waits for another name').unref();
          });
          const which = await Promise.race([meanwhile, late]);
          const before = most;
          over.resolve();
          assert.equal(which, 'meanwhile');
          assert.equal(before, 0);
          await first;
          assert.deepEqual(await Promise.all(waiting), Array(6).fill('done'));
          assert.equal(most, 1);
        },
        'processes',
      );

      clause(
        'TURNS-901 runs work at once, if declared to serve one server',
        async ({ port, beside }) => {
          const other = await beside();
          assert.equal(await port.run('note', () => other.run('note', async () => 'both')), 'both');
        },
        'not processes',
      );
    },
  });
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 10);
  });
}
