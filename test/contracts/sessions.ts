import assert from 'node:assert/strict';
import type { Sessions } from '#application/ports/sessions.ts';
import type { PersonSession } from '#domain/sessions/person-session.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import { lifeCycle } from '#test/contracts/kit/life-cycle.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';
import { oddTexts } from '#test/contracts/kit/texts.ts';

const at = 1_769_172_711_789;
const dayMs = 86_400_000;
const session = (): PersonSession => ({
  id: 'Aa1-_',
  userId: 7,
  begunBy: 'login',
  begunAt: at,
  expiresAt: at + 30 * dayMs,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0)',
  lastSeenAt: null,
});
const welcomed = (): PersonSession => ({
  ...session(),
  id: 'welcomed',
  begunBy: 'welcome',
  begunAt: at + 1,
  userAgent: null,
});

/** Contract suite of stores of persons' sessions. */
export function sessionsContract<Handle extends Opened<Sessions>>(
  runner: Runner,
  subject: Subject<Sessions, Handle>,
): void {
  contract<Sessions, Handle>(runner, subject, {
    port: 'sessions',
    define: (clause) => {
      clause('SIGNINS-001 returns every field as it was stored', async ({ port }) => {
        await port.begin(session());
        await port.begin(welcomed());
        assert.deepEqual(await port.find('Aa1-_'), session());
        assert.deepEqual(await port.find('welcomed'), welcomed());
      });

      clause('SIGNINS-002 returns null for an id that no session has, however similar', async ({ port }) => {
        await port.begin(session());
        for (const id of ['aa1-_', 'AA1-_', 'Aa1-', 'Aa1-_ ', '%', ...oddTexts]) {
          assert.equal(await port.find(id), null, id);
        }
      });

      clause('SIGNINS-003 returns a session that has expired, until it is pruned', async ({ port }) => {
        const expired = { ...session(), begunAt: at - 60 * dayMs, expiresAt: at - 30 * dayMs };
        await port.begin(expired);
        assert.deepEqual(await port.find('Aa1-_'), expired);
        assert.deepEqual(await port.list(7), [expired]);
      });

      clause('SIGNINS-004 lists only the sessions of the user, latest first', async ({ port }) => {
        assert.deepEqual(await port.list(7), []);
        await port.begin(session());
        await port.begin(welcomed());
        await port.begin({ ...session(), id: 'other', userId: 8 });
        await port.begin({ ...session(), id: 'early', begunAt: at - 1, expiresAt: at + 60 * dayMs });
        assert.deepEqual(
          (await port.list(7)).map(({ id }) => id),
          ['welcomed', 'Aa1-_', 'early'],
        );
        assert.deepEqual((await port.list(7))[1], session());
        assert.deepEqual(await port.list(8), [{ ...session(), id: 'other', userId: 8 }]);
        assert.deepEqual(await port.list(9), []);
      });

      clause('SIGNINS-005 moves the end of one session, and never back', async ({ port }) => {
        await port.begin(session());
        await port.begin(welcomed());
        await port.extend('Aa1-_', at + 40 * dayMs);
        assert.deepEqual(await port.find('Aa1-_'), { ...session(), expiresAt: at + 40 * dayMs });
        await port.extend('Aa1-_', at + 39 * dayMs);
        assert.equal((await port.find('Aa1-_'))?.expiresAt, at + 40 * dayMs);
        assert.deepEqual(await port.find('welcomed'), welcomed());
      });

      clause('SIGNINS-006 does not restore a session that has ended by moving its end', async ({ port }) => {
        await port.extend('gone', at + 40 * dayMs);
        assert.equal(await port.find('gone'), null);
        await port.begin(session());
        await port.end(7, 'Aa1-_');
        await port.extend('Aa1-_', at + 40 * dayMs);
        assert.deepEqual(await port.list(7), []);
      });

      clause('SIGNINS-007 ends a session of the user once', async ({ port }) => {
        await port.begin(session());
        await port.begin(welcomed());
        assert.equal(await port.end(7, 'Aa1-_'), true);
        assert.equal(await port.find('Aa1-_'), null);
        assert.deepEqual(await port.list(7), [welcomed()]);
        assert.equal(await port.end(7, 'Aa1-_'), false);
      });

      clause('SIGNINS-008 ends no session of another user', async ({ port }) => {
        await port.begin(session());
        assert.equal(await port.end(8, 'Aa1-_'), false);
        assert.equal(await port.end(7, 'aa1-_'), false);
        for (const id of oddTexts) assert.equal(await port.end(7, id), false, id);
        assert.deepEqual(await port.find('Aa1-_'), session());
      });

      clause('SIGNINS-009 lets exactly one of many callers end a session', async ({ port }) => {
        await port.begin(session());
        const ended = await Promise.all([1, 2, 3, 4].map(() => port.end(7, 'Aa1-_')));
        assert.equal(ended.filter(Boolean).length, 1);
      });

      clause('SIGNINS-010 ends all sessions of a user and no others, and returns their number', async ({ port }) => {
        await port.begin(session());
        await port.begin(welcomed());
        await port.begin({ ...session(), id: 'other', userId: 8 });
        assert.equal(await port.endAll(7), 2);
        assert.deepEqual(await port.list(7), []);
        assert.equal(await port.find('welcomed'), null);
        assert.deepEqual(await port.list(8), [{ ...session(), id: 'other', userId: 8 }]);
        assert.equal(await port.endAll(7), 0);
      });

      clause(
        'SIGNINS-011 prunes sessions of all users that expired before a time, and returns their number',
        async ({ port }) => {
          const { expiresAt } = session();
          await port.begin(session());
          await port.begin({ ...session(), id: 'earlier', expiresAt: expiresAt - 1 });
          await port.begin({ ...session(), id: 'earliest', userId: 8, begunAt: at + dayMs, expiresAt: at + dayMs });
          assert.equal(await port.prune(expiresAt), 2);
          assert.deepEqual(await port.list(7), [session()]);
          assert.deepEqual(await port.list(8), []);
          assert.equal(await port.prune(expiresAt), 0);
        },
      );

      clause('SIGNINS-012 shows a change at once to callers that have read before', async ({ port }) => {
        assert.equal(await port.find('Aa1-_'), null);
        await port.list(7);
        await port.begin(session());
        assert.deepEqual(await port.find('Aa1-_'), session());
        assert.deepEqual(await port.list(7), [session()]);
        await port.end(7, 'Aa1-_');
        assert.equal(await port.find('Aa1-_'), null);
        assert.deepEqual(await port.list(7), []);
      });

      clause(
        'SIGNINS-013 keeps no reference: values that were given or returned may be changed afterwards',
        async ({ port }) => {
          const given = session();
          await port.begin(given);
          tamper(given);
          for (const look of [() => port.find('Aa1-_'), () => port.list(7)]) {
            tamper(await look());
            assert.deepEqual(await port.find('Aa1-_'), session());
            assert.deepEqual(await port.list(7), [session()]);
          }
        },
      );

      clause(
        'SIGNINS-014 records the use of one session, never replaces it by an earlier one, and restores none',
        async ({ port }) => {
          await port.begin(session());
          await port.begin(welcomed());
          await port.noteSeen('Aa1-_', at + 60_000);
          assert.deepEqual(await port.find('Aa1-_'), { ...session(), lastSeenAt: at + 60_000 });
          await port.noteSeen('Aa1-_', at + 1);
          assert.equal((await port.find('Aa1-_'))?.lastSeenAt, at + 60_000);
          await port.noteSeen('Aa1-_', at + 60_001);
          assert.equal((await port.find('Aa1-_'))?.lastSeenAt, at + 60_001);
          assert.deepEqual(await port.find('welcomed'), welcomed());
          await port.noteSeen('gone', at);
          assert.equal(await port.find('gone'), null);
        },
      );

      lifeCycle(clause, {
        prefix: 'SIGNINS',
        fill: async (port) => {
          await port.begin(session());
          await port.begin(welcomed());
          await port.begin({ ...session(), id: 'gone' });
          await port.extend('Aa1-_', at + 40 * dayMs);
          await port.end(7, 'gone');
        },
        read: async (port) => [await port.list(7), await port.find('welcomed'), await port.find('gone')],
      });
    },
  });
}
