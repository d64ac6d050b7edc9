import { beforeEach, describe, expect, it, vi } from 'vitest';
import { noTurns, type ServerTurns } from '#adapters/contracts/server-turns.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { addFirstUser } from '#bootstrap/start/first-user.ts';
import { ok } from '#domain/shared/result.ts';
import { MemoryUsers } from '#test/doubles/memory-users.ts';

const passwords = { hash: async (text: string) => `hash of ${text}`, verify: async () => ok(true) };
const given = readSettings({ ADMIN_EMAIL: 'grace@example.com', ADMIN_PASSWORD: 'compilers and ships' });
let users: MemoryUsers;
const parts = (turns: Pick<ServerTurns, 'run'> = noTurns) => ({ users, passwords, turns });

beforeEach(() => {
  users = new MemoryUsers();
});

describe('the first user', () => {
  it('is created from the settings when there is none: an administrator with every permission (SET-008)', async () => {
    expect(await addFirstUser(given, parts())).toEqual({ madePassword: null });
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
    expect(await addFirstUser(given, parts())).toEqual({ madePassword: null });
    expect(await users.list()).toMatchObject([{ id: 1, email: 'ann@example.com' }]);
  });

  it('is added by one of the servers that start at the same time: no other tries to, and takes its id (SET-008, REACT-009)', async () => {
    const adding = vi.spyOn(users, 'add');
    let last: Promise<unknown> = Promise.resolve();
    const turns: Pick<ServerTurns, 'run'> = {
      run: async (_, work) => {
        const before = last;
        const own = before.then(work);
        last = own;
        return own;
      },
    };
    await Promise.all([addFirstUser(given, parts(turns)), addFirstUser(given, parts(turns))]);
    expect(adding).toHaveBeenCalledTimes(1);
    expect(await users.list()).toMatchObject([{ id: 1 }]);
  });

  it('gets a generated password, which is shown, when none is configured (SET-020)', async () => {
    const { madePassword } = await addFirstUser(readSettings({}), parts());
    expect(madePassword).toMatch(/^[A-Za-z0-9_-]{16}$/);
    expect(await users.findByEmail('admin@localhost')).toMatchObject({ passwordHash: `hash of ${madePassword}` });
  });
});
