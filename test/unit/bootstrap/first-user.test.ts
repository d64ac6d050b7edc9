import { beforeEach, describe, expect, it } from 'vitest';
import { readSettings } from '#bootstrap/config/settings.ts';
import { addFirstUser } from '#bootstrap/start/first-user.ts';
import { ok } from '#domain/shared/result.ts';
import { MemoryUsers } from '#test/doubles/memory-users.ts';

const passwords = { hash: async (text: string) => `hash of ${text}`, verify: async () => ok(true) };
const given = readSettings({ ADMIN_EMAIL: 'grace@example.com', ADMIN_PASSWORD: 'compilers and ships' });
let users: MemoryUsers;

beforeEach(() => {
  users = new MemoryUsers();
});

describe('the first user', () => {
  it('is created from the settings when there is none: an administrator with every permission (SET-008)', async () => {
    expect(await addFirstUser(given, users, passwords)).toEqual({ madePassword: null });
    expect(await users.list()).toMatchObject([
      {
        id: 1,
        email: 'grace@example.com',
        permissions: ['sales_crm', 'signing', 'suite_crm', 'tracker', 'vault'],
        isAdmin: true,
      },
    ]);
    expect(await users.findByEmail('grace@example.com')).toMatchObject({ passwordHash: 'hash of compilers and ships' });
  });

  it('is not created when there is a user, whoever it is', async () => {
    await users.add({ email: 'ann@example.com', passwordHash: '', permissions: [], isAdmin: false });
    expect(await addFirstUser(given, users, passwords)).toEqual({ madePassword: null });
    expect(await users.list()).toMatchObject([{ id: 1, email: 'ann@example.com' }]);
  });

  it('gets a generated password, which is shown, when none is configured (SET-020)', async () => {
    const { madePassword } = await addFirstUser(readSettings({}), users, passwords);
    expect(madePassword).toMatch(/^[A-Za-z0-9_-]{16}$/);
    expect(await users.findByEmail('admin@localhost')).toMatchObject({ passwordHash: `hash of ${madePassword}` });
  });
});
