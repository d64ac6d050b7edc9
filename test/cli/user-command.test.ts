import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { firstLine } from '#adapters/cli/system-terminal.ts';
import { runUserCommand } from '#adapters/cli/user-command.ts';
import type { AuditedAct } from '#application/audit/audit.ts';
import { SignOutEverywhere } from '#application/session/sign-out-everywhere.ts';
import { ManageUsers } from '#application/users/manage-users.ts';
import { ok } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import { MemoryGrants } from '#test/doubles/memory-grants.ts';
import { MemoryLeases } from '#test/doubles/memory-leases.ts';
import { MemorySessions } from '#test/doubles/memory-sessions.ts';
import { MemoryUsers } from '#test/doubles/memory-users.ts';
import { serviceKeys } from '#test/support/services/five-services.ts';

let users: MemoryUsers;
let sessions: MemorySessions;
let grants: MemoryGrants;
let said: string[];
let complained: string[];
/** What is typed at the prompt; null is Ctrl-C. */
let typed: string | null;
let asked: number;
let opened: number;
let noted: AuditedAct[];

const passwords = {
  hash: async (password: string) => `hash of ${password}`,
  verify: async (hash: string | null, password: string) => ok(hash === `hash of ${password}`),
};

beforeEach(async () => {
  [users, sessions, grants] = [new MemoryUsers(), new MemorySessions(), new MemoryGrants()];
  await users.add({ email: 'ada@example.com', passwordHash: 'hash of x', permissions: ['vault'], isAdmin: true });
  await users.add({ email: 'bob@example.com', passwordHash: 'hash of y', permissions: [], isAdmin: false });
  [said, complained, typed, asked, opened, noted] = [[], [], 'a good password', 0, 0, []];
});

const run = (...args: string[]) =>
  runUserCommand(args, {
    services: serviceKeys,
    open: async () => {
      opened += 1;
      const close = async () => {
        opened -= 1;
      };
      const clock = new SettableClock(5_000);
      const signOutEverywhere = new SignOutEverywhere({ users, sessions, grants, clock });
      const ports = {
        users,
        passwords,
        signOutEverywhere,
        clock,
        leases: new MemoryLeases(clock),
        random: systemRandom,
        note: async (act: AuditedAct) => void noted.push(act),
      };
      const manage = new ManageUsers({
        ...ports,
        sessions,
        grants,
        automationUserId: 1,
        services: serviceKeys,
        disconnectAll: async () => ({ connections: 2, revoked: 1 }),
        erase: async () => undefined,
      });
      const disconnect = async (_: number, service: string) => (service === 'vault' ? null : service === 'tracker');
      const managing = async () => ({ manage, disconnect, close: async () => undefined });
      const linkFor = async ({ email }: User) => `http://localhost:3000/welcome?link=of-${email}`;
      const services = [...serviceKeys, 'wiki'];
      return { ...ports, services, managing, automationUserId: 1, linkFor, close };
    },
    terminal: {
      say: (text) => void said.push(text),
      complain: (text) => void complained.push(text),
      newPassword: async () => {
        asked += 1;
        return typed;
      },
    },
  });

describe('link', () => {
  it('prints a link for the user, and none for one who is deactivated or unknown (CLI-008)', async () => {
    expect(await run('link', 'BOB@example.com')).toBe(0);
    expect(said).toEqual(['http://localhost:3000/welcome?link=of-bob@example.com']);
    await users.change(2, { deactivatedAt: 1 });
    expect(await run('link', 'bob@example.com')).toBe(1);
    expect(await run('link', 'eve@example.com')).toBe(1);
    expect(said).toHaveLength(1);
  });
});

describe('the command', () => {
  it('records each of its acts, and nothing that was refused (AUDIT-002)', async () => {
    await run('add', 'cy@example.com', 'vault');
    await run('permit', 'cy@example.com', 'tracker', '--admin');
    await run('password', 'cy@example.com');
    await run('sign-out', 'cy@example.com');
    await run('deactivate', 'cy@example.com');
    await run('activate', 'cy@example.com');
    await run('deactivate', 'ada@example.com');
    await run('permit', 'nobody@example.com', 'vault');
    expect(noted).toEqual([
      { action: 'user.invited', by: null, userId: 3, detail: 'vault' },
      { action: 'user.rights_changed', by: null, userId: 3, detail: 'tracker, vault; administrator' },
      { action: 'user.password_set', by: null, userId: 3 },
      { action: 'user.signed_out', by: null, userId: 3 },
      {
        action: 'user.deactivated',
        by: null,
        userId: 3,
        detail: '0 browsers and 0 apps signed out, 2 connections removed (1 revoked at the provider)',
      },
      { action: 'user.activated', by: null, userId: 3 },
    ]);
  });
});

describe('user add', () => {
  it('adds a user with permissions and the password that was typed (CLI-001)', async () => {
    expect(await run('add', 'Cy@example.com', 'tracker', 'vault')).toBe(0);
    expect(said).toEqual(['Added Cy@example.com as user 3: tracker, vault']);
    expect(await users.findByEmail('cy@example.com')).toMatchObject({
      user: { permissions: ['tracker', 'vault'], isAdmin: false },
      passwordHash: 'hash of a good password',
    });
  });

  it('makes the user an administrator with --admin, and always the very first user', async () => {
    await run('add', 'cy@example.com', '--admin', 'all');
    expect(said).toEqual([
      'Added cy@example.com as user 3: administrator; sales_crm, signing, suite_crm, tracker, vault, wiki',
    ]);
    users = new MemoryUsers();
    await run('add', 'first@example.com');
    expect(await users.find(1)).toMatchObject({ isAdmin: true });
  });

  it.each([
    ['an e-mail that is none', 'cy', 'cy is not an e-mail. One looks like ada@example.com.'],
    ['an e-mail with a space', 'c y@example.com', 'c y@example.com is not an e-mail. One looks like ada@example.com.'],
    [
      'an e-mail in use, in other letters',
      'ADA@example.com',
      'There is already a user with the e-mail ADA@example.com. E-mails that differ only in case are the same.',
    ],
  ])('refuses %s before it asks for a password', async (_, email, text) => {
    expect(await run('add', email)).toBe(1);
    expect(complained).toEqual([text]);
    expect(asked).toBe(0);
  });

  it.each([
    ['short', '1234567', 'The password is too short: at least 8 characters.'],
    ['short although it has 8 halves', '🔑🔑🔑🔑', 'The password is too short: at least 8 characters.'],
    ['long', 'x'.repeat(1_025), 'The password is too long: at most 1024 characters.'],
  ])('refuses a password that is too %s', async (_, password, text) => {
    typed = password;
    expect(await run('add', 'cy@example.com')).toBe(1);
    expect(complained).toEqual([text]);
    expect(await users.list()).toHaveLength(2);
  });

  it('adds nobody when the person cancels the prompt', async () => {
    typed = null;
    expect(await run('add', 'cy@example.com')).toBe(130);
    expect(await users.list()).toHaveLength(2);
  });

  it('rejects an unknown permission before it asks for anything (USER-002)', async () => {
    expect(await run('add', 'cy@example.com', 'vualt')).toBe(2);
    expect(complained[0]).toBe(
      'error: vualt is not a permission: sales_crm, signing, suite_crm, tracker, vault, wiki, or all. Did you mean vault?',
    );
    expect([asked, opened]).toEqual([0, 0]);
  });
});

describe('user list', () => {
  it('shows ids, e-mails and permissions (CLI-001)', async () => {
    expect(await run('list')).toBe(0);
    expect(said).toEqual([
      '1  ada@example.com  administrator; vault (automation user)\n2  bob@example.com  no permissions',
    ]);
  });

  it('shows JSON without password hashes', async () => {
    await run('list', '--json');
    const more = { name: null, state: 'active', is_active: true, is_automation_user: true };
    expect(JSON.parse(said[0] ?? '')).toEqual([
      { id: 1, email: 'ada@example.com', permissions: ['vault'], is_admin: true, ...more },
      { id: 2, email: 'bob@example.com', permissions: [], is_admin: false, ...more, is_automation_user: false },
    ]);
  });
});

describe('user permit and revoke', () => {
  it('grant and revoke what is named, and leave the rest (CLI-001)', async () => {
    await run('permit', 'bob@example.com', 'vault', 'signing');
    await run('permit', 'BOB@example.com', 'vault');
    expect(await users.find(2)).toMatchObject({ permissions: ['signing', 'vault'] });
    expect(await run('revoke', 'bob@example.com', 'signing', 'tracker')).toBe(0);
    expect(await users.find(2)).toMatchObject({ permissions: ['vault'], isAdmin: false });
    await run('revoke', 'bob@example.com', 'all');
    expect(said.at(-1)).toBe('bob@example.com: no permissions');
  });

  it('know the MCP servers that administrators added (REMOTE-063)', async () => {
    expect(await run('permit', 'bob@example.com', 'wiki', 'vault')).toBe(0);
    expect(said.at(-1)).toBe('bob@example.com: vault, wiki');
    await run('revoke', 'bob@example.com', 'wiki');
    expect(await users.find(2)).toMatchObject({ permissions: ['vault'] });
  });

  it('leave a permission for a service that is not here as it is (REMOTE-062)', async () => {
    await users.change(2, { permissions: ['gone', 'vault'] });
    await run('permit', 'bob@example.com', 'tracker');
    expect(await users.find(2)).toMatchObject({ permissions: ['tracker', 'vault', 'gone'] });
  });

  it('refuse to remove the last administrator', async () => {
    expect(await run('revoke', 'ada@example.com', '--admin')).toBe(1);
    expect(complained).toEqual([
      'ada@example.com is the last administrator. Make another user an administrator first: permit <e-mail> --admin.',
    ]);
    expect(await run('permit', 'bob@example.com', '--admin')).toBe(0);
    expect(await run('revoke', 'ada@example.com', '--admin')).toBe(0);
    expect(await users.find(1)).toMatchObject({ isAdmin: false, permissions: ['vault'] });
  });

  it('require something to grant or revoke', async () => {
    expect(await run('permit', 'bob@example.com')).toBe(2);
    expect(complained[0]).toContain('permit what?');
  });
});

describe('user password', () => {
  it('sets a new one and ends all sessions (CLI-001)', async () => {
    expect(await run('password', 'bob@example.com')).toBe(0);
    expect(await users.findByEmail('bob@example.com')).toMatchObject({
      passwordHash: 'hash of a good password',
      user: { signedOutBefore: 5_001 },
    });
  });

  it('is never taken as an argument, nor printed', async () => {
    expect(await run('password', 'bob@example.com', 'hunter2 hunter2')).toBe(2);
    expect(complained.join()).not.toContain('hunter2');
    expect(asked).toBe(0);
  });

  it('keeps the old one when the new one is invalid, or the person cancels', async () => {
    typed = 'short';
    expect(await run('password', 'bob@example.com')).toBe(1);
    typed = null;
    expect(await run('password', 'bob@example.com')).toBe(130);
    expect(await users.findByEmail('bob@example.com')).toMatchObject({ passwordHash: 'hash of y' });
  });
});

describe.each(['sign-out', 'password'])('user %s', (command) => {
  it('ends all sessions of the user, including stored ones and apps (CLI-001, SESS-018)', async () => {
    const session = { begunBy: 'login', begunAt: 1, expiresAt: 9_000, userAgent: null };
    const grant = {
      clientId: 'c',
      clientName: 'App',
      scope: '*',
      switchedOff: [],
      since: 1,
      ask: null,
      lastUsedAt: null,
    };
    for (const userId of [1, 2]) {
      await sessions.begin({ ...session, id: `s${userId}`, userId });
      await grants.keep({ ...grant, id: `g${userId}`, userId });
    }
    expect(await run(command, 'bob@example.com')).toBe(0);
    expect(await users.find(2)).toMatchObject({ signedOutBefore: 5_001 });
    expect([await sessions.list(2), await grants.list(2)]).toEqual([[], []]);
    expect([await sessions.list(1), await grants.list(1)]).toMatchObject([[{ id: 's1' }], [{ id: 'g1' }]]);
  });
});

describe('every user command', () => {
  it.each([['permit', 'vault'], ['revoke', 'vault'], ['password'], ['sign-out']])(
    'suggests similar e-mails when there is no such user: %s',
    async (command, ...rest) => {
      expect(await run(command, 'adda@exmple.com', ...rest)).toBe(1);
      expect(complained).toEqual(['There is no user with the e-mail adda@exmple.com. Did you mean ada@example.com?']);
      complained = [];
      await run(command, 'somebody.else@elsewhere.org', ...rest);
      expect(complained[0]).toContain('Run the command list to see all users.');
      expect(asked).toBe(0);
    },
  );

  it('closes what it opened', async () => {
    for (const args of [['list'], ['permit', 'nobody@x', 'vault'], ['sign-out', 'bob@example.com']]) await run(...args);
    expect(opened).toBe(0);
  });

  it.each([[[]], [['nonsense']], [['add']], [['list', '--nonsense']]])(
    'rejects %j with exit code 2 (CLI-005)',
    async (args) => {
      expect(await run(...args)).toBe(2);
    },
  );

  it('shows its help without opening anything', async () => {
    expect(await run('--help')).toBe(0);
    expect(said.join()).toContain('sign-out <e-mail>');
  });
});

describe('a password from standard input', () => {
  it.each([
    ['its first line', ['a pass\nrest'], 'a pass'],
    ['a line of Windows', ['a pass\r\n'], 'a pass'],
    ['no end of line', ['a ', 'pass'], 'a pass'],
    ['nothing', [], ''],
    ['letters cut in the middle', [Buffer.from('pä').subarray(0, 2), Buffer.from('pä\n').subarray(2)], 'pä'],
    ['spaces, kept', [' pass '], ' pass '],
  ])('is %s', async (_, chunks, password) => {
    expect(await firstLine(Readable.from(chunks))).toBe(password);
  });

  it('is read up to a bound', async () => {
    const endless = (async function* () {
      for (;;) yield 'x'.repeat(1_000);
    })();
    expect((await firstLine(endless)).length).toBe(8_192);
  });
});

describe('user delete', () => {
  it('deletes a user, whose e-mail is free again, and not the automation user (CLI-001, USER-028, USER-029)', async () => {
    expect(await run('delete', 'BOB@example.com')).toBe(0);
    expect(said.at(-1)).toContain('bob@example.com is deleted: ');
    expect(await users.find(2)).toBeNull();
    expect(await run('delete', 'bob@example.com')).toBe(1);
    expect(await run('delete', 'ada@example.com')).toBe(1);
    expect(complained.at(-1)).toContain('Set AUTOMATION_USER_ID to another user');
    expect(noted.map(({ action, userId }) => [action, userId])).toEqual([['user.deleted', 2]]);
    expect(await run('add', 'bob@example.com')).toBe(0);
    expect((await users.findByEmail('bob@example.com'))?.user.id).toBe(3);
  });

  it('disconnects a user from one service (USER-022)', async () => {
    expect(await run('disconnect', 'bob@example.com', 'tracker')).toBe(0);
    expect(said.at(-1)).toBe('bob@example.com is disconnected from tracker, and revoked at the provider.');
    expect(await run('disconnect', 'bob@example.com', 'vault')).toBe(1);
    expect(complained.at(-1)).toBe('bob@example.com has no connection to vault.');
    expect(await run('disconnect', 'bob@example.com', 'trakker')).toBe(2);
  });

  it('lists who is invited (USER-020)', async () => {
    await users.change(2, { invitedAt: 7 });
    await run('list');
    expect(said.at(-1)).toMatch(/bob@example\.com {2}.*\(invited\)/);
    await run('list', '--json');
    expect(JSON.parse(said.at(-1) ?? '')[1]).toMatchObject({ id: 2, state: 'invited', name: null });
  });
});

describe('user deactivate', () => {
  it('deactivates and activates a user, which the list shows (CLI-001, USER-016)', async () => {
    expect(await run('deactivate', 'Bob@example.com')).toBe(0);
    expect(await users.find(2)).toMatchObject({ deactivatedAt: 5_000, signedOutBefore: 5_001 });
    expect(await run('list')).toBe(0);
    expect(await run('activate', 'bob@example.com')).toBe(0);
    expect(said).toEqual([
      'bob@example.com is deactivated: 0 browsers and 0 apps signed out, 2 connections removed (1 revoked at the provider).',
      expect.stringMatching(
        /^1 {2}ada@example\.com {2}.* \(automation user\)\n2 {2}bob@example\.com .* \(deactivated\)$/,
      ),
      'bob@example.com is active.',
    ]);
    await run('list', '--json');
    expect(JSON.parse(said.at(-1) ?? '')).toMatchObject([
      { id: 1, is_active: true, is_automation_user: true },
      { id: 2, is_active: true, is_automation_user: false },
    ]);
  });

  it('refuses the automation user, the last administrator and an unknown user (USER-012, USER-015)', async () => {
    expect(await run('deactivate', 'ada@example.com')).toBe(1);
    expect(complained.at(-1)).toContain('is the last administrator');
    await users.change(2, { isAdmin: true });
    expect(await run('deactivate', 'ada@example.com')).toBe(1);
    expect(complained.at(-1)).toContain('Set AUTOMATION_USER_ID to another user');
    expect(await users.find(1)).not.toMatchObject({ deactivatedAt: 5_000 });
    expect(await run('deactivate', 'nobody@example.com')).toBe(1);
  });
});
