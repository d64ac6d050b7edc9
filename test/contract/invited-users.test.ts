import { afterAll, describe, expect, it } from 'vitest';
import { MikroOrmUsers } from '#adapters/persistence/mikro-orm-users.ts';
import { SqlNotifications } from '#adapters/persistence/sql-notifications.ts';
import { notifyingUsers } from '#adapters/stores/notifying-stores.ts';
import { Notify } from '#application/notifications/notify.ts';
import { startPostgres } from '#test/support/persistence/postgres.ts';
import { openTestPostgres, openTestSqlite } from '#test/support/persistence/test-database.ts';

const postgres = await startPostgres();
afterAll(async () => {
  if (typeof postgres !== 'string') await postgres.stop();
});

const account = { passwordHash: 'h', permissions: [], isAdmin: false, invitedAt: 5 };
const due = { channels: ['webhook', 'administrators'], now: 10, limit: 100 } as const;

describe.each(['SQLite', 'PostgreSQL'])('an invited user in %s', (kind) => {
  it('is stored with the notification of it, or neither is (NOTIFY-011)', async (context) => {
    if (kind === 'PostgreSQL' && typeof postgres === 'string') return context.skip(postgres);
    const opened = await (kind === 'SQLite' || typeof postgres === 'string'
      ? openTestSqlite()
      : openTestPostgres(postgres.url));
    try {
      const notifications = new SqlNotifications(opened.database);
      const users = new MikroOrmUsers(opened.database);
      // A process that is killed once the user is stored adds nothing after that.
      const killed = { add: () => Promise.reject(new Error('killed')) };
      const notify = new Notify({ notifications: killed, now: () => 7, isHeard: { byWebhook: true, byMail: true } });
      const notifying = notifyingUsers(users, notify, notifications);
      await expect(notifying.add({ ...account, email: 'bea@example.com' })).rejects.toThrow('killed');
      const [bea] = await users.list();
      expect(bea?.email).toBe('bea@example.com');
      const posted = await notifications.due(due);
      expect(posted.map(({ kind: of, channel, subject }) => [of, channel, subject.user])).toEqual(
        expect.arrayContaining([
          ['user.invited', 'webhook', bea?.id],
          ['user.invited', 'administrators', bea?.id],
        ]),
      );
      // And one whose transaction fails leaves nothing.
      const broken = () => {
        throw new Error('no disk');
      };
      await expect(users.add({ ...account, email: 'cleo@example.com' }, broken)).rejects.toThrow('no disk');
      expect(await users.findByEmail('cleo@example.com')).toBeNull();
      expect(await users.add({ ...account, email: 'bea@example.com' }, broken)).toMatchObject({
        ok: false,
        failure: { reason: 'email_taken' },
      });
      expect(await notifications.waiting()).toEqual({ webhook: 1, mail: 0, administrators: 1 });
    } finally {
      await opened.close();
    }
  });
});
