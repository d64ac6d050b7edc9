import assert from 'node:assert/strict';
import type { NewOutgoing, Notifications, OutgoingNotification } from '#application/ports/notifications.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import { lifeCycle } from '#test/contracts/kit/life-cycle.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';
import { oddText } from '#test/contracts/kit/texts.ts';

const at = 1_769_172_711_789;
const subject = { service: 'tracker', event: 'issue.create', delivery: 7, reaction: oddText, approval: 'a', user: 3 };
const one = (id: string, more: Partial<NewOutgoing> = {}): NewOutgoing => ({
  id,
  channel: 'webhook',
  kind: 'delivery.failed',
  occasion: `of ${id}`,
  userId: null,
  at,
  subject,
  ...more,
});
const outgoing = (id: string, more: Partial<OutgoingNotification> = {}): OutgoingNotification => ({
  ...one(id),
  attempts: 0,
  dueAt: at,
  isDigest: false,
  ...more,
});
const all = { channels: ['webhook', 'mail', 'administrators'], now: at + 1_000, limit: 100 } as const;
const idsOf = (list: readonly OutgoingNotification[]) => list.map(({ id }) => id);

async function onlyDue(port: Notifications, now = at): Promise<OutgoingNotification> {
  const [first] = await port.due({ ...all, now });
  assert.ok(first !== undefined, 'Nothing is due');
  return first;
}

/** Contract suite of what keeps notifications until they are sent. */
export function notificationsContract<Handle extends Opened<Notifications>>(
  runner: Runner,
  given: Subject<Notifications, Handle>,
): void {
  contract<Notifications, Handle>(runner, given, {
    port: 'notifications',
    define: (clause) => {
      clause('NOTIFICATIONS-001 lists what was added as it was, due at once', async ({ port }) => {
        assert.deepEqual(await port.due(all), []);
        assert.equal(await port.add(one('a')), true);
        assert.equal(await port.add(one('b', { channel: 'mail', userId: 7, subject: {} })), true);
        assert.deepEqual(await port.due({ ...all, now: at }), [
          outgoing('a'),
          outgoing('b', { channel: 'mail', userId: 7, subject: {} }),
        ]);
        assert.deepEqual(await port.due({ ...all, now: at - 1 }), []);
      });

      clause('NOTIFICATIONS-002 adds an id once, also after it has ended', async ({ port }) => {
        await port.add(one('a'));
        assert.equal(await port.add(one('a', { kind: 'reaction.failed', at: at + 1 })), false);
        assert.deepEqual(await port.due(all), [outgoing('a')]);
        await port.end(['a'], at + 1, 'sent');
        assert.equal(await port.add(one('a')), false);
        assert.deepEqual(await port.due(all), []);
      });

      clause('NOTIFICATIONS-003 lists those due longest first, of the channels, up to a number', async ({ port }) => {
        await port.add(one('c', { at: at + 2 }));
        await port.add(one('b', { channel: 'mail' }));
        await port.add(one('a', { channel: 'administrators' }));
        assert.deepEqual(idsOf(await port.due(all)), ['a', 'b', 'c']);
        assert.deepEqual(idsOf(await port.due({ ...all, limit: 2 })), ['a', 'b']);
        assert.deepEqual(idsOf(await port.due({ ...all, channels: ['webhook', 'administrators'] })), ['a', 'c']);
      });

      clause('NOTIFICATIONS-004 lets exactly one of many claim it, until a time', async ({ port }) => {
        await port.add(one('a'));
        const due = await onlyDue(port);
        const claimed = await Promise.all([1, 2, 3, 4].map(() => port.claim(due, at + 30)));
        assert.equal(claimed.filter(Boolean).length, 1);
        assert.deepEqual(await port.due({ ...all, now: at + 29 }), []);
        const again = await onlyDue(port, at + 30);
        assert.deepEqual(again, outgoing('a', { attempts: 1, dueAt: at + 30 }));
        assert.equal(await port.claim(due, at + 90), false);
        assert.equal(await port.claim(again, at + 60), true);
      });

      clause('NOTIFICATIONS-005 defers it, also as part of a digest, unless it has ended', async ({ port }) => {
        for (const id of ['a', 'b', 'c']) await port.add(one(id));
        await port.defer('a', at + 5);
        await port.defer('b', at + 6, { isDigest: true });
        await port.end(['c'], at, 'sent');
        await port.defer('c', at + 1);
        assert.deepEqual(await port.due(all), [
          outgoing('a', { dueAt: at + 5 }),
          outgoing('b', { dueAt: at + 6, isDigest: true }),
        ]);
      });

      clause('NOTIFICATIONS-006 ends several at once, and claims none of them', async ({ port }) => {
        for (const id of ['a', 'b', 'c']) await port.add(one(id));
        const due = await port.due(all);
        await port.end(['a', 'c', 'none'], at + 1, 'dropped');
        await port.end([], at + 1, 'sent');
        assert.deepEqual(idsOf(await port.due(all)), ['b']);
        const claims = [];
        for (const each of due) claims.push(await port.claim(each, at + 9));
        assert.deepEqual(claims, [false, true, false]);
      });

      clause(
        'NOTIFICATIONS-007 counts the e-mails of a kind that were sent since a time, besides digests',
        async ({ port }) => {
          const mail = { channel: 'mail', userId: 7 } as const;
          for (const id of ['a', 'b', 'c', 'd', 'e']) await port.add(one(id, mail));
          await port.add(one('other kind', { ...mail, kind: 'reaction.failed' }));
          await port.add(one('no mail'));
          await port.defer('e', at, { isDigest: true });
          await port.end(['a'], at + 9, 'sent');
          await port.end(['b', 'other kind', 'no mail', 'e'], at + 10, 'sent');
          await port.end(['c'], at + 11, 'dropped');
          assert.equal(await port.mailsSince('delivery.failed', at + 10), 1);
          assert.equal(await port.mailsSince('delivery.failed', at + 9), 2);
          assert.equal(await port.mailsSince('approval.waiting', at), 0);
          // What has ended does not end again.
          await port.end(['c'], at + 12, 'sent');
          assert.equal(await port.mailsSince('delivery.failed', at + 10), 1);
        },
      );

      clause('NOTIFICATIONS-008 removes those that ended before a time, and no others', async ({ port }) => {
        for (const id of ['a', 'b', 'c']) await port.add(one(id));
        await port.end(['a'], at + 1, 'sent');
        await port.end(['b'], at + 2, 'dropped');
        assert.equal(await port.prune(at + 2), 1);
        assert.equal(await port.add(one('a')), true);
        assert.equal(await port.add(one('b')), false);
        assert.deepEqual(idsOf(await port.due(all)), ['a', 'c']);
      });

      clause('NOTIFICATIONS-012 counts by channel those that have not ended', async ({ port }) => {
        assert.deepEqual(await port.waiting(), { webhook: 0, mail: 0, administrators: 0 });
        for (const id of ['a', 'b', 'c']) await port.add(one(id));
        await port.add(one('d', { channel: 'mail', userId: 7 }));
        await port.add(one('e', { channel: 'administrators', at: at + 9 }));
        await port.end(['a'], at, 'sent');
        await port.defer('b', at + 1_000_000);
        assert.deepEqual(await port.waiting(), { webhook: 2, mail: 1, administrators: 1 });
      });

      clause('NOTIFICATIONS-009 replaces the e-mails that a user does not want', async ({ port }) => {
        assert.deepEqual(await port.switchedOff(7), []);
        await port.switchOff(7, ['failures', 'approvals']);
        await port.switchOff(8, ['connections']);
        assert.deepEqual(await port.switchedOff(7), ['approvals', 'failures']);
        await port.switchOff(7, []);
        assert.deepEqual(await port.switchedOff(7), []);
        assert.deepEqual(await port.switchedOff(8), ['connections']);
      });

      clause(
        'NOTIFICATIONS-010 keeps no reference: values that were given or returned may be changed afterwards',
        async ({ port }) => {
          const values = { notification: one('a', { subject: { ...subject } }), off: ['connections'] };
          await port.add(values.notification);
          await port.switchOff(7, values.off);
          const read = async () => [await port.due(all), await port.switchedOff(7)];
          const before = JSON.stringify(await read());
          for (const value of [values, ...(await read())]) tamper(value);
          assert.equal(JSON.stringify(await read()), before);
        },
      );

      clause(
        'NOTIFICATIONS-011 lets exactly one of two processes claim it',
        async ({ port, beside }) => {
          const other = await beside();
          await port.add(one('a'));
          const due = await onlyDue(other);
          const claimed = await Promise.all([port, other, port, other].map((each) => each.claim(due, at + 30)));
          assert.equal(claimed.filter(Boolean).length, 1);
        },
        'processes',
      );

      lifeCycle(clause, {
        prefix: 'NOTIFICATIONS',
        fill: async (port) => {
          await port.add(one('a'));
          await port.add(one('b', { channel: 'mail', userId: 7 }));
          await port.end(['b'], at, 'sent');
          await port.switchOff(7, ['connections']);
        },
        read: async (port) => [
          await port.due(all),
          await port.mailsSince('delivery.failed', at),
          await port.switchedOff(7),
        ],
      });
    },
  });
}
