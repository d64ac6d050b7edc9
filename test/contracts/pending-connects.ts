import assert from 'node:assert/strict';
import type { PendingConnect, PendingConnects } from '#application/ports/pending-connects.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';
import { oddText, oddTexts } from '#test/contracts/kit/texts.ts';

const full = (): PendingConnect => ({
  userId: 7,
  service: 'suite_crm',
  browser: 'b-1',
  codeVerifier: 'the verifier',
  extra: { data_center: 'EU', text: oddText, list: [1, null, { deep: true }], none: null },
  startedAt: 1_769_172_711_789,
});
const bare = (): PendingConnect => ({
  userId: 8,
  service: 'signing',
  browser: 'b-2',
  codeVerifier: null,
  extra: {},
  startedAt: 1_769_172_711_790,
});

/** Contract suite of stores of pending connects. Bounded stores are opened with a capacity of four. */
export function pendingConnectsContract<Handle extends Opened<PendingConnects>>(
  runner: Runner,
  subject: Subject<PendingConnects, Handle>,
): void {
  contract<PendingConnects, Handle>(runner, subject, {
    port: 'pending connects',
    max: 4,
    define: (clause) => {
      clause('PENDING-001 returns every field as it was stored', async ({ port }) => {
        await port.keep('state-1', full());
        await port.keep('state-2', bare());
        assert.deepEqual(await port.take('state-1'), full());
        assert.deepEqual(await port.take('state-2'), bare());
      });

      clause('PENDING-002 returns a connect once', async ({ port }) => {
        await port.keep('state-1', full());
        assert.notEqual(await port.take('state-1'), null);
        assert.equal(await port.take('state-1'), null);
      });

      clause('PENDING-003 returns a connect to exactly one of many concurrent callers', async ({ port }) => {
        await port.keep('state-1', full());
        const taken = await Promise.all(Array.from({ length: 20 }, () => port.take('state-1')));
        assert.deepEqual(
          taken.filter((connect) => connect !== null),
          [full()],
        );
      });

      clause('PENDING-004 returns null for a state that was not stored, however similar', async ({ port }) => {
        await port.keep('State-1', full());
        for (const state of ['state-1', 'State-1 ', ' State-1', 'State', 'State-11', '%', ...oddTexts]) {
          assert.equal(await port.take(state), null, state);
        }
        assert.deepEqual(await port.take('State-1'), full());
      });

      clause('PENDING-005 leaves the connects of other states, even of the same user and browser', async ({ port }) => {
        await port.keep('state-1', full());
        await port.keep('state-2', full());
        await port.take('state-1');
        assert.deepEqual(await port.take('state-2'), full());
      });

      clause('PENDING-006 drops the oldest connect when it is full', async ({ port }) => {
        for (const state of ['1', '2', '3', '4', '5']) await port.keep(state, { ...full(), browser: state });
        assert.equal(await port.take('1'), null);
        for (const state of ['2', '3', '4', '5'])
          assert.deepEqual(await port.take(state), { ...full(), browser: state });
      });

      clause('PENDING-007 frees the place of each connect that is taken', async ({ port }) => {
        for (const state of ['1', '2', '3', '4']) await port.keep(state, full());
        await port.take('3');
        await port.keep('5', full());
        for (const state of ['1', '2', '4', '5']) assert.deepEqual(await port.take(state), full());
      });

      clause('PENDING-008 replaces the connect with the same state', async ({ port }) => {
        await port.keep('state-1', full());
        await port.keep('state-1', bare());
        assert.deepEqual(await port.take('state-1'), bare());
        assert.equal(await port.take('state-1'), null);
      });

      clause('PENDING-009 keeps no reference: a value that was given may be changed afterwards', async ({ port }) => {
        const given = full();
        await port.keep('state-1', given);
        tamper(given);
        assert.deepEqual(await port.take('state-1'), full());
      });

      clause('PENDING-010 has all connects that are stored concurrently', async ({ port }) => {
        const states = ['1', '2', '3', '4'];
        await Promise.all(states.map((state) => port.keep(state, { ...full(), browser: state })));
        for (const state of states) assert.deepEqual(await port.take(state), { ...full(), browser: state });
      });

      clause(
        'PENDING-011 returns a connect to exactly one of two processes',
        async ({ port, beside }) => {
          const other = await beside();
          for (const state of ['1', '2', '3', '4']) {
            await port.keep(state, full());
            const taken = await Promise.all([port, other, port, other].map((one) => one.take(state)));
            assert.deepEqual(
              taken.filter((connect) => connect !== null),
              [full()],
            );
          }
        },
        'processes',
      );

      clause(
        'PENDING-901 has everything when it is reopened',
        async ({ port, reopen }) => {
          for (const state of ['1', '2', 'taken']) await port.keep(state, { ...full(), browser: state });
          await port.take('taken');
          const reopened = await reopen();
          assert.equal(await reopened.take('taken'), null);
          for (const state of ['1', '2']) assert.deepEqual(await reopened.take(state), { ...full(), browser: state });
        },
        'durable',
      );

      clause(
        'PENDING-902 has nothing when it is reopened, if declared not durable',
        async ({ port, reopen }) => {
          await port.keep('state-1', full());
          assert.equal(await (await reopen()).take('state-1'), null);
        },
        'not durable',
      );

      clause(
        'PENDING-903 shows a second process at once what the first stored',
        async ({ port, beside }) => {
          const other = await beside();
          await port.keep('state-1', full());
          assert.deepEqual(await other.take('state-1'), full());
          assert.equal(await port.take('state-1'), null);
        },
        'processes',
      );

      clause(
        'PENDING-904 shows a second process nothing, if declared to serve one',
        async ({ port, beside }) => {
          await port.keep('state-1', full());
          assert.equal(await (await beside()).take('state-1'), null);
        },
        'not processes',
      );
    },
  });
}
