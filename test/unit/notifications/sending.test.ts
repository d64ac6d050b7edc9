import { expect, it } from 'vitest';
import { Notify } from '#application/notifications/notify.ts';
import { SendNotifications } from '#application/notifications/send-notifications.ts';
import type { SendingResult } from '#application/ports/notification-senders.ts';
import { hourMs, notificationDelayMs } from '#domain/notifications/notification.ts';
import type { User } from '#domain/users/user.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import { MemoryNotifications } from '#test/doubles/memory-notifications.ts';
import { neutralNames } from '#test/support/services/five-services.ts';
import { rememberingLogger, startAt } from '#test/support/webhooks/webhook-harness.ts';

const user = (id: number, more: Partial<User> = {}): User => ({
  id,
  email: `user-${id}@example.com`,
  permissions: [],
  isAdmin: false,
  signedOutBefore: null,
  ...more,
});

/** Senders over one store, whose receivers answer as a test says. */
function setUp(users: readonly User[] = [user(1, { isAdmin: true }), user(2)]) {
  // The beginning of an hour.
  const clock = new SettableClock(Math.floor(startAt / hourMs) * hourMs);
  const notifications = new MemoryNotifications();
  const answer: { webhook: SendingResult; mail: SendingResult } = { webhook: { kind: 'sent' }, mail: { kind: 'sent' } };
  const messages: { id: string; body: unknown }[] = [];
  const mails: { id: string; to: string; subject: string; text: string }[] = [];
  const counted: string[] = [];
  const { lines, logger } = rememberingLogger();
  const sender = () =>
    new SendNotifications({
      notifications,
      metrics: { notified: (kind, channel, result) => void counted.push(`${kind} ${channel} ${result}`) },
      webhook: {
        send: async ({ id, body }) => {
          messages.push({ id, body: JSON.parse(body) });
          return answer.webhook;
        },
      },
      mail: {
        send: async (mail) => {
          mails.push(mail);
          return answer.mail;
        },
      },
      users: {
        find: async (id) => users.find((one) => one.id === id) ?? null,
        page: async () => users.filter(({ isAdmin }) => isAdmin),
      },
      texts: { names: neutralNames, baseUrl: 'https://portolan.example' },
      clock,
      chance: () => 0,
      logger,
    });
  const notify = new Notify({ notifications, now: () => clock.now(), isHeard: { byWebhook: true, byMail: true } });
  const pass = (one = sender()) => one.run(new AbortController().signal);
  return { clock, notifications, answer, messages, mails, counted, lines, sender, notify, pass };
}

const broken = { kind: 'connection.broken', occasion: 'o', userId: 2, subject: { service: 'tracker' } } as const;
const failedReaction = (delivery: number) =>
  ({
    kind: 'reaction.failed',
    occasion: `${delivery}`,
    userId: null,
    subject: { reaction: 'Reactions/won.md', delivery },
  }) as const;

it('carries ids, kinds, names of services and links to pages only (NOTIFY-002)', async () => {
  const { notify, messages, pass } = setUp();
  await notify.run(broken);
  await notify.run(failedReaction(7));
  await notify.run({
    kind: 'approval.waiting',
    occasion: 'a',
    userId: 2,
    subject: { approval: 'A1', service: 'vault' },
  });
  await notify.run({ kind: 'user.invited', occasion: 'u', userId: null, subject: { user: 9 } });
  await pass();
  const bodies = messages.map(({ body }) => body);
  expect(bodies).toHaveLength(4);
  const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const base = 'https://portolan.example';
  expect(bodies).toContainEqual({
    type: 'connection.broken',
    timestamp,
    data: { user_id: 2, service: 'tracker', service_name: 'Tracker', url: `${base}/page#tracker` },
  });
  expect(bodies).toContainEqual({
    type: 'reaction.failed',
    timestamp,
    data: { reaction: 'Reactions/won.md', delivery: 7, url: `${base}/deliveries/7` },
  });
  expect(bodies).toContainEqual({
    type: 'approval.waiting',
    timestamp,
    data: { user_id: 2, approval: 'A1', service: 'vault', service_name: 'Vault', url: `${base}/approvals/A1` },
  });
  expect(bodies).toContainEqual({
    type: 'user.invited',
    timestamp,
    data: { invited_user_id: 9, url: `${base}/users` },
  });
});

it('two servers send a notification once, under one id, whichever of them reports it (NOTIFY-003)', async () => {
  const { notify, messages, mails, sender, pass } = setUp();
  for (let reports = 0; reports < 3; reports += 1) await notify.run(broken);
  await Promise.all([pass(sender()), pass(sender()), pass(sender())]);
  expect(messages).toHaveLength(1);
  expect(messages[0]?.id).toMatch(/^msg_[\w-]{27}$/);
  expect(mails.map(({ to }) => to)).toEqual(['user-2@example.com']);
});

it('what a server that died was sending is sent by another under the same id (NOTIFY-004)', async () => {
  const { notify, notifications, messages, mails, clock, pass } = setUp();
  await notify.run(broken);
  const due = await notifications.due({ channels: ['webhook', 'mail'], now: clock.now(), limit: 9 });
  for (const one of due) expect(await notifications.claim(one, clock.now() + 30_000)).toBe(true);
  await pass();
  expect([messages, mails]).toEqual([[], []]);
  clock.advance(30_000);
  await pass();
  expect(messages.map(({ id }) => id)).toEqual(due.filter(({ channel }) => channel === 'webhook').map(({ id }) => id));
  expect(mails.map(({ id }) => id)).toEqual(due.filter(({ channel }) => channel === 'mail').map(({ id }) => id));
});

it('a receiver that fails is asked once in a pass, and again after growing delays (NOTIFY-004)', async () => {
  const { notify, messages, answer, clock, pass } = setUp();
  for (let delivery = 1; delivery <= 5; delivery += 1) await notify.run(failedReaction(delivery));
  answer.webhook = { kind: 'failed', error: 'HTTP 503' };
  await pass();
  expect(messages).toHaveLength(1);
  for (let passes = 0; passes < 4; passes += 1) await pass();
  expect(messages).toHaveLength(5);
  await pass();
  expect(messages).toHaveLength(5);
  answer.webhook = { kind: 'sent' };
  clock.advance(5_000);
  await pass();
  expect(messages).toHaveLength(10);
  expect(new Set(messages.map(({ id }) => id)).size).toBe(5);
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 50].map((attempts) => notificationDelayMs(attempts, 0) / 1000)).toEqual([
    5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800,
  ]);
});

it('a receiver may ask for more time, and one that never answers well is given up after three days (NOTIFY-004)', async () => {
  const { notify, messages, answer, clock, pass, lines } = setUp();
  await notify.run(broken);
  answer.webhook = { kind: 'failed', error: 'HTTP 429', retryAfterMs: 900_000 };
  await pass();
  clock.advance(899_000);
  await pass();
  expect(messages).toHaveLength(1);
  clock.advance(1_000);
  await pass();
  expect(messages).toHaveLength(2);
  clock.advance(73 * hourMs);
  await pass();
  clock.advance(500 * hourMs);
  await pass();
  expect(messages).toHaveLength(3);
  expect(JSON.stringify(lines)).toContain('Notification given up');
});

it('an e-mail goes to whom it concerns: to the user, or to each active administrator (NOTIFY-005)', async () => {
  const gone = { isAdmin: true, deactivatedAt: 1 } as const;
  const { notify, mails, pass } = setUp([
    user(1, { isAdmin: true }),
    user(2),
    user(3, { isAdmin: true }),
    user(4, gone),
  ]);
  await notify.run(broken);
  await notify.run({ ...broken, occasion: 'of nobody', userId: 99 });
  await notify.run({ ...broken, occasion: 'of one who left', userId: 4 });
  await notify.run(failedReaction(7));
  await pass();
  await pass();
  expect(mails.map(({ to, subject }) => `${to} ${subject}`).sort()).toEqual([
    'user-1@example.com A reaction failed: Reactions/won.md',
    'user-2@example.com Connect Tracker again',
    'user-3@example.com A reaction failed: Reactions/won.md',
  ]);
  expect(mails.find(({ to }) => to.startsWith('user-2'))?.text).toBe(
    [
      'Tracker no longer accepts your sign-in. Connect it again:',
      'https://portolan.example/page#tracker',
      '--\nPortolan, https://portolan.example\nChoose at https://portolan.example/account which e-mails you get.\n',
    ].join('\n\n'),
  );
});

it('a user gets no e-mails that they switched off, and the webhook is sent all the same (NOTIFY-007)', async () => {
  const { notify, notifications, mails, messages, pass } = setUp();
  await notifications.switchOff(2, ['connections']);
  await notifications.switchOff(1, ['approvals']);
  await notify.run(broken);
  await notify.run({ ...broken, kind: 'connection.healed' });
  await notify.run({ kind: 'approval.waiting', occasion: 'r', userId: null, subject: { reaction: 'R.md' } });
  await notify.run(failedReaction(1));
  await pass();
  expect(mails.map(({ to, subject }) => `${to} ${subject}`)).toEqual([
    'user-1@example.com A reaction failed: Reactions/won.md',
  ]);
  expect(messages).toHaveLength(4);
});

it('at most 60 e-mails of a kind are sent in an hour; the rest is one digest after it (NOTIFY-006)', async () => {
  const { notify, mails, messages, clock, pass } = setUp();
  for (let delivery = 1; delivery <= 130; delivery += 1) await notify.run(failedReaction(delivery));
  await notify.run(broken);
  for (let passes = 0; passes < 4; passes += 1) await pass();
  const ofReactions = () => mails.filter(({ subject }) => subject.startsWith('A reaction failed'));
  expect(ofReactions()).toHaveLength(60);
  expect(mails).toHaveLength(61);
  expect(messages).toHaveLength(131);
  clock.advance(hourMs - 1);
  await pass();
  expect(mails).toHaveLength(61);
  clock.advance(1);
  await pass();
  expect(mails).toHaveLength(62);
  expect(mails.at(-1)).toMatchObject({
    to: 'user-1@example.com',
    subject: 'Portolan: 70 more notifications',
    text: expect.stringContaining('70 × reactions failed\nhttps://portolan.example/deliveries?state=faulty'),
  });
  await notify.run(failedReaction(500));
  await pass();
  expect(ofReactions()).toHaveLength(61);
});

it('an e-mail that is refused for good is not sent again; one that fails for now is (NOTIFY-004)', async () => {
  const { notify, mails, answer, clock, pass } = setUp();
  await notify.run(broken);
  answer.mail = { kind: 'failed', error: 'ECONNREFUSED' };
  await pass();
  answer.mail = { kind: 'refused', error: 'EENVELOPE 550' };
  clock.advance(5_000);
  await pass();
  expect(mails).toHaveLength(2);
  clock.advance(hourMs);
  await pass();
  expect(mails).toHaveLength(2);
});

it('nothing is stored where nobody is notified (NOTIFY-001)', async () => {
  const { notifications, clock } = setUp();
  const notify = new Notify({ notifications, now: () => clock.now(), isHeard: { byWebhook: false, byMail: false } });
  await notify.run(broken);
  expect(notify.isOn).toBe(false);
  expect(
    await notifications.due({ channels: ['webhook', 'mail', 'administrators'], now: clock.now(), limit: 9 }),
  ).toEqual([]);
});

it('counts what is sent, fails and is given up (NOTIFY-012)', async () => {
  const { notify, answer, counted, clock, pass } = setUp();
  answer.webhook = { kind: 'failed', error: '500' };
  answer.mail = { kind: 'refused', error: 'no mailbox' };
  await notify.run(broken);
  await pass();
  expect(counted.splice(0).toSorted()).toEqual(['connection.broken mail dropped', 'connection.broken webhook failed']);
  answer.webhook = { kind: 'sent' };
  clock.advance(hourMs);
  await pass();
  expect(counted.splice(0)).toEqual(['connection.broken webhook sent']);
  answer.webhook = { kind: 'failed', error: '500' };
  await notify.run({ ...broken, occasion: 'later' });
  clock.advance(73 * hourMs);
  await pass();
  expect(counted).toContain('connection.broken webhook dropped');
});
