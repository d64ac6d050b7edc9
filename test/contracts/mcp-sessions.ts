import assert from 'node:assert/strict';
import type { McpSessions } from '#adapters/contracts/mcp-sessions.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { oddText, oddTexts } from '#test/contracts/kit/texts.ts';

const ann = { userId: 1, state: '{"of":"ann"}' };
const bob = { userId: 2, state: '' };

/** The idle timeout of sessions in these stores, in ms. */
export const idleMs = 1_000;

/**
 * Contract suite of MCP session stores, opened with a capacity of three sessions per user and five in total, and an idle timeout of a
 * second.
 */
export function mcpSessionsContract<Handle extends Opened<McpSessions>>(
  runner: Runner,
  subject: Subject<McpSessions, Handle>,
): void {
  contract<McpSessions, Handle>(runner, subject, {
    port: 'mcp sessions',
    max: 5,
    define: (clause) => {
      clause('SESSIONS-001 returns a session as it was opened, any number of times', async ({ port }) => {
        const odd = { userId: 9_007_199_254_740, state: oddText };
        assert.deepEqual(await port.open('a', odd), []);
        assert.deepEqual(await port.open('b', bob), []);
        for (let times = 0; times < 2; times++) {
          assert.deepEqual(await port.find('a'), odd);
          assert.deepEqual(await port.find('b'), bob);
        }
      });

      clause('SESSIONS-002 returns null for an id that was not opened, however similar', async ({ port }) => {
        await port.open('Id', ann);
        for (const id of ['id', 'Id ', ' Id', 'I', 'Idd', '%', ...oddTexts])
          assert.equal(await port.find(id), null, id);
        assert.deepEqual(await port.find('Id'), ann);
      });

      clause('SESSIONS-003 ends a session of its user, once, and no other', async ({ port }) => {
        await port.open('a', ann);
        await port.open('b', ann);
        assert.equal(await port.end('a', 2), false);
        assert.deepEqual(await port.find('a'), ann);
        assert.equal(await port.end('a', 1), true);
        assert.equal(await port.end('a', 1), false);
        assert.equal(await port.end('never', 1), false);
        assert.equal(await port.find('a'), null);
        assert.deepEqual(await port.find('b'), ann);
      });

      clause('SESSIONS-004 changes a state only if it is unchanged since it was read', async ({ port }) => {
        await port.open('a', ann);
        await port.open('b', ann);
        assert.equal(await port.change('a', ann.state, oddText), true);
        assert.deepEqual(await port.find('a'), { ...ann, state: oddText });
        assert.equal(await port.change('a', ann.state, 'lost'), false);
        assert.equal(await port.change('never', ann.state, 'lost'), false);
        assert.deepEqual(await port.find('a'), { ...ann, state: oddText });
        assert.deepEqual(await port.find('b'), ann);
      });

      clause('SESSIONS-005 lets exactly one of many changes of the same state succeed', async ({ port }) => {
        await port.open('a', ann);
        const states = ['1', '2', '3', '4', '5'];
        const done = await Promise.all(states.map((state) => port.change('a', ann.state, state)));
        assert.equal(done.filter(Boolean).length, 1);
        assert.equal((await port.find('a'))?.state, states[done.indexOf(true)]);
      });

      clause(
        'SESSIONS-006 expires at exactly the end of the idle timeout',
        async ({ port, clock }) => {
          await port.open('a', ann);
          clock.advance(idleMs - 1);
          assert.deepEqual(await port.find('a'), ann);
          clock.advance(1);
          assert.equal(await port.find('a'), null);
          assert.equal(await port.change('a', ann.state, 'late'), false);
          assert.equal(await port.end('a', 1), false);
        },
        'clock',
      );

      clause(
        'SESSIONS-007 extends the sessions that are used, and no others',
        async ({ port, clock }) => {
          for (const id of ['a', 'b', 'c']) await port.open(id, ann);
          clock.advance(idleMs - 1);
          await port.use(['a', 'c', 'never']);
          await port.use([]);
          clock.advance(idleMs - 1);
          assert.deepEqual(await port.find('a'), ann);
          assert.equal(await port.find('b'), null);
          assert.deepEqual(await port.find('c'), ann);
        },
        'clock',
      );

      clause(
        'SESSIONS-008 does not restore an expired session',
        async ({ port, clock }) => {
          await port.open('a', ann);
          clock.advance(idleMs);
          await port.use(['a']);
          assert.equal(await port.find('a'), null);
        },
        'clock',
      );

      clause(
        'SESSIONS-009 ends a user’s least recently used session when the user has too many, and returns its id',
        async ({ port, clock }) => {
          for (const id of ['a', 'b', 'c']) {
            await port.open(id, ann);
            clock.advance(10);
          }
          await port.open('of bob', bob);
          await port.use(['a']);
          clock.advance(10);
          assert.deepEqual(await port.open('d', ann), ['b']);
          assert.equal(await port.find('b'), null);
          for (const id of ['a', 'c', 'd']) assert.deepEqual(await port.find(id), ann);
          assert.deepEqual(await port.find('of bob'), bob);
        },
        'clock',
      );

      clause(
        'SESSIONS-010 ends the least recently used session when there are too many in total',
        async ({ port, clock }) => {
          for (const userId of [1, 2, 3, 4, 5]) {
            await port.open(`of ${userId}`, { userId, state: '' });
            clock.advance(10);
          }
          assert.deepEqual(await port.open('of 6', { userId: 6, state: '' }), ['of 1']);
          for (const userId of [2, 3, 4, 5, 6]) assert.equal((await port.find(`of ${userId}`))?.userId, userId);
          assert.equal(await port.find('of 1'), null);
        },
        'clock',
      );

      clause(
        'SESSIONS-011 keeps the session that was just opened, even among others of the same moment',
        async ({ port }) => {
          for (const id of ['a', 'w', 'x', 'y', 'z']) {
            await port.open(id, ann);
            assert.deepEqual(await port.find(id), ann, id);
          }
        },
      );

      clause(
        'SESSIONS-012 frees the place of each session that has ended or expired',
        async ({ port, clock }) => {
          for (const id of ['a', 'b', 'c']) await port.open(id, ann);
          await port.end('b', 1);
          assert.deepEqual(await port.open('d', ann), []);
          clock.advance(idleMs);
          for (const id of ['e', 'f', 'g']) assert.deepEqual(await port.open(id, ann), []);
          for (const id of ['e', 'f', 'g']) assert.deepEqual(await port.find(id), ann);
        },
        'clock',
      );

      clause(
        'SESSIONS-013 does not count a change of the state as a use',
        async ({ port, clock }) => {
          await port.open('a', ann);
          clock.advance(idleMs - 1);
          await port.change('a', ann.state, 'other');
          clock.advance(1);
          assert.equal(await port.find('a'), null);
        },
        'clock',
      );

      clause(
        'SESSIONS-901 has everything when it is reopened',
        async ({ port, reopen }) => {
          await port.open('a', ann);
          await port.open('ended', ann);
          await port.change('a', ann.state, 'changed');
          await port.end('ended', 1);
          const reopened = await reopen();
          assert.deepEqual(await reopened.find('a'), { ...ann, state: 'changed' });
          assert.equal(await reopened.find('ended'), null);
        },
        'durable',
      );

      clause(
        'SESSIONS-903 shows a second process at once what the first stored',
        async ({ port, beside }) => {
          const other = await beside();
          await port.open('a', ann);
          assert.deepEqual(await other.find('a'), ann);
          assert.equal(await other.change('a', ann.state, 'changed'), true);
          assert.equal(await port.change('a', ann.state, 'lost'), false);
          assert.equal(await other.end('a', 1), true);
          assert.equal(await port.find('a'), null);
        },
        'processes',
      );
    },
  });
}
