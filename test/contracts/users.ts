import assert from 'node:assert/strict';
import type { NewUser, Users, UsersQuery } from '#application/ports/users.ts';
import type { User } from '#domain/users/user.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import { lifeCycle } from '#test/contracts/kit/life-cycle.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';

const ada = (): NewUser => ({
  email: 'Ada@Example.com',
  passwordHash: '$argon2id$v=19$m=64,t=1,p=1$c2FsdA$aGFzaA',
  permissions: ['vault', 'tracker'],
  isAdmin: true,
});
const bob = (): NewUser => ({
  email: 'bob+ü@example.com',
  passwordHash: '$argon2id$v=19$m=64,t=2,p=1$b3RoZXI$Ym9i',
  permissions: [],
  isAdmin: false,
});
const asUser = (id: number, { email, permissions, isAdmin }: NewUser): User => ({
  id,
  email,
  permissions,
  isAdmin,
  signedOutBefore: null,
});
const signedOutBefore = 1_800_000_000_123;

/** Contract suite of user stores. */
export function usersContract<Handle extends Opened<Users>>(runner: Runner, subject: Subject<Users, Handle>): void {
  contract<Users, Handle>(runner, subject, {
    port: 'users',
    define: (clause) => {
      clause('USERS-001 gives the first user id 1, and following users the next ids', async ({ port }) => {
        assert.deepEqual(await port.add(ada()), { ok: true, value: asUser(1, ada()) });
        assert.deepEqual(await port.add(bob()), { ok: true, value: asUser(2, bob()) });
        const third = await port.add({ ...bob(), email: 'third@example.com' });
        assert.equal(third.ok && third.value.id, 3);
      });

      clause('USERS-002 finds each user by id, and returns null for others', async ({ port }) => {
        await port.add(ada());
        await port.add(bob());
        assert.deepEqual(await port.find(1), asUser(1, ada()));
        assert.deepEqual(await port.find(2), asUser(2, bob()));
        for (const id of [0, 3, -1, Number.MAX_SAFE_INTEGER]) assert.equal(await port.find(id), null);
      });

      clause('USERS-003 finds a user by e-mail, ignoring case, with the password hash (USER-001)', async ({ port }) => {
        await port.add(bob());
        await port.add(ada());
        for (const email of ['Ada@Example.com', 'ada@example.com', 'ADA@EXAMPLE.COM']) {
          const { passwordHash } = ada();
          assert.deepEqual(await port.findByEmail(email), { user: asUser(2, ada()), passwordHash });
        }
        assert.equal((await port.findByEmail('BOB+Ü@EXAMPLE.COM'))?.user.id, 1);
      });

      clause('USERS-004 returns null for an e-mail that no user has, however similar', async ({ port }) => {
        await port.add(ada());
        for (const email of [
          'ada@example.co',
          'da@example.com',
          '',
          '%',
          'ad_@example.com',
          "' or 1=1 --",
          '__proto__',
        ]) {
          assert.equal(await port.findByEmail(email), null, email);
        }
      });

      clause(
        'USERS-005 refuses a second user with the same e-mail, and stores nothing of them (USER-001)',
        async ({ port }) => {
          await port.add(ada());
          const taken = { ok: false, failure: { reason: 'email_taken' } };
          assert.deepEqual(await port.add({ ...bob(), email: 'ADA@example.com' }), taken);
          assert.deepEqual(await port.list(), [asUser(1, ada())]);
          assert.equal((await port.findByEmail('ada@example.com'))?.passwordHash, ada().passwordHash);
        },
      );

      clause(
        'USERS-006 treats e-mails as equal that differ in surrounding blanks, case or Unicode normalization (USER-001)',
        async ({ port }) => {
          const composed = 'zo\u00EB@example.com';
          const decomposed = ' ZOE\u0308@example.com\t';
          await port.add({ ...bob(), email: composed });
          assert.equal((await port.findByEmail(decomposed))?.user.id, 1);
          assert.equal((await port.add({ ...ada(), email: decomposed })).ok, false);
        },
      );

      clause('USERS-007 returns an e-mail as it was written, without surrounding blanks', async ({ port }) => {
        await port.add({ ...ada(), email: ' Zoe\u0308@Example.com\n' });
        assert.equal((await port.find(1))?.email, 'Zoe\u0308@Example.com');
        assert.equal((await port.list())[0]?.email, 'Zoe\u0308@Example.com');
      });

      clause('USERS-008 lets exactly one of many callers add the same e-mail', async ({ port }) => {
        const added = await Promise.all(Array.from({ length: 5 }, () => port.add(ada())));
        assert.equal(added.filter(({ ok }) => ok).length, 1);
        assert.equal((await port.list()).length, 1);
      });

      clause('USERS-009 lists all users in the order of their ids', async ({ port }) => {
        assert.deepEqual(await port.list(), []);
        const emails = ['z@example.com', 'M@example.com', 'a@example.com'];
        for (const email of emails) await port.add({ ...ada(), email });
        await port.change(1, { isAdmin: false });
        const listed = await port.list();
        assert.deepEqual(
          listed.map(({ id, email }) => [id, email]),
          emails.map((email, index) => [index + 1, email]),
        );
        assert.deepEqual(listed[1], asUser(2, { ...ada(), email: 'M@example.com' }));
      });

      clause('USERS-010 changes the given members and leaves the rest', async ({ port }) => {
        await port.add(ada());
        const state = async () => port.findByEmail('ada@example.com');
        const user = asUser(1, ada());
        assert.equal(await port.change(1, { permissions: ['signing'] }), true);
        assert.deepEqual(await state(), {
          user: { ...user, permissions: ['signing'] },
          passwordHash: ada().passwordHash,
        });
        assert.equal(await port.change(1, { signedOutBefore }), true);
        assert.equal(await port.change(1, { passwordHash: '$argon2id$other' }), true);
        assert.equal(await port.change(1, { isAdmin: false }), true);
        const changed = { ...user, permissions: ['signing'], isAdmin: false, signedOutBefore };
        assert.deepEqual(await state(), { user: changed, passwordHash: '$argon2id$other' });
        assert.deepEqual(await port.find(1), changed);
      });

      clause(
        'USERS-011 changes several members at once, and removes permissions and the administrator role',
        async ({ port }) => {
          await port.add(ada());
          await port.change(1, { permissions: [], isAdmin: false, passwordHash: 'another', signedOutBefore });
          assert.deepEqual(await port.findByEmail('ada@example.com'), {
            user: { ...asUser(1, ada()), permissions: [], isAdmin: false, signedOutBefore },
            passwordHash: 'another',
          });
        },
      );

      clause('USERS-012 changes one user and no other', async ({ port }) => {
        await port.add(ada());
        await port.add(bob());
        await port.change(2, { permissions: ['signing'], passwordHash: 'another', signedOutBefore, isAdmin: true });
        const { passwordHash } = ada();
        assert.deepEqual(await port.findByEmail('ada@example.com'), { user: asUser(1, ada()), passwordHash });
        assert.equal((await port.find(2))?.isAdmin, true);
      });

      clause('USERS-013 returns false when there is no such user, and creates none', async ({ port }) => {
        assert.equal(await port.change(1, { permissions: ['vault'] }), false);
        assert.equal(await port.change(1, {}), false);
        assert.deepEqual(await port.list(), []);
        await port.add(bob());
        assert.equal(await port.change(1, {}), true);
        assert.deepEqual(await port.find(1), asUser(1, bob()));
      });

      clause('USERS-014 shows a change at once to callers that have read before', async ({ port }) => {
        await port.add(ada());
        await port.find(1);
        await port.findByEmail('ada@example.com');
        await port.change(1, { permissions: [], signedOutBefore });
        assert.deepEqual(await port.find(1), { ...asUser(1, ada()), permissions: [], signedOutBefore });
        assert.equal((await port.findByEmail('ada@example.com'))?.user.signedOutBefore, signedOutBefore);
      });

      clause('USERS-015 loses neither of two concurrent changes', async ({ port }) => {
        await port.add(ada());
        await Promise.all([port.change(1, { permissions: ['signing'] }), port.change(1, { signedOutBefore })]);
        assert.deepEqual(await port.find(1), { ...asUser(1, ada()), permissions: ['signing'], signedOutBefore });
      });

      clause(
        'USERS-016 keeps no reference: values that were given or returned may be changed afterwards',
        async ({ port }) => {
          const given = ada();
          const change = { permissions: ['signing'] };
          tamper(await port.add(given));
          tamper(given);
          assert.deepEqual(await port.find(1), asUser(1, ada()));
          await port.change(1, change);
          tamper(change);
          const user = { ...asUser(1, ada()), permissions: ['signing'] };
          for (const look of [() => port.find(1), () => port.list(), () => port.findByEmail('ada@example.com')]) {
            tamper(await look());
            assert.deepEqual(await port.find(1), user);
            assert.deepEqual(await port.list(), [user]);
            assert.deepEqual((await port.findByEmail('ada@example.com'))?.user, user);
          }
        },
      );

      clause('USERS-017 finds a user as soon as they are added, even after an earlier miss', async ({ port }) => {
        assert.equal(await port.find(1), null);
        assert.equal(await port.findByEmail('ada@example.com'), null);
        await port.add(ada());
        assert.deepEqual(await port.find(1), asUser(1, ada()));
        assert.equal((await port.findByEmail('ada@example.com'))?.user.id, 1);
      });

      clause('USERS-019 deactivates a user and activates them again', async ({ port }) => {
        await port.add(ada());
        await port.add(bob());
        await port.change(2, { deactivatedAt: signedOutBefore });
        assert.equal((await port.find(2))?.deactivatedAt, signedOutBefore);
        assert.equal((await port.findByEmail(bob().email))?.user.deactivatedAt, signedOutBefore);
        assert.equal((await port.list())[1]?.deactivatedAt, signedOutBefore);
        assert.deepEqual(await port.find(1), asUser(1, ada()));
        await port.change(2, { isAdmin: true });
        assert.equal((await port.find(2))?.deactivatedAt, signedOutBefore);
        await port.change(2, { deactivatedAt: null });
        assert.equal((await port.find(2))?.deactivatedAt ?? null, null);
      });

      clause('USERS-020 stores a time zone and switches until they are removed', async ({ port }) => {
        await port.add(ada());
        const switchedOff = ['vault:notes.delete', 'tracker:*write'];
        await port.change(1, { timeZone: 'Europe/Vienna' });
        await port.change(1, { switchedOff });
        assert.deepEqual(await port.find(1), { ...asUser(1, ada()), timeZone: 'Europe/Vienna', switchedOff });
        await port.change(1, { timeZone: null, switchedOff: [] });
        const user = await port.find(1);
        assert.deepEqual([user?.timeZone ?? null, user?.switchedOff ?? []], [null, []]);
      });

      clause(
        'USERS-022 stores a name, an invitation until it is accepted, and when users were last here',
        async ({ port }) => {
          const [name, invitedAt, seenAt] = ['Åda “L.” 🧭', signedOutBefore, signedOutBefore + 7];
          const added = await port.add({ ...ada(), name, invitedAt });
          assert.deepEqual(added, { ok: true, value: { ...asUser(1, ada()), name, invitedAt } });
          await port.add(bob());
          await port.noteSeen(1, seenAt);
          await port.noteSeen(3, seenAt);
          const [first, second] = await port.list();
          assert.deepEqual(first, { ...asUser(1, ada()), name, invitedAt, seenAt });
          assert.deepEqual(second, asUser(2, bob()));
          assert.equal(await port.change(1, { invitedAt: null, name: 'Ada' }), true);
          const accepted = await port.findByEmail('ada@example.com');
          assert.deepEqual([accepted?.user.name, accepted?.user.invitedAt ?? null], ['Ada', null]);
          await port.change(1, { name: null });
          assert.equal((await port.find(1))?.name ?? null, null);
        },
      );

      clause(
        'USERS-023 lists pages of those that match a search, a state, a role or a permission',
        async ({ port }) => {
          const names = ['Zoe\u0308 Ångström', null, '100% _under\\score', "O'Brien"];
          for (const [index, name] of names.entries()) {
            await port.add({ ...bob(), email: `user-${index + 1}@Example.com`, name });
          }
          await port.add({ ...ada(), email: 'admin@example.org', invitedAt: signedOutBefore });
          await port.change(2, { deactivatedAt: signedOutBefore, permissions: ['tracker'] });
          await port.change(4, { name: 'Mary O’Brien' });
          const ids = async (query: Partial<UsersQuery> = {}) =>
            (await port.page({ limit: 10, ...query })).map(({ id }) => id);
          assert.deepEqual(await ids(), [1, 2, 3, 4, 5]);
          assert.deepEqual(await ids({ limit: 2 }), [1, 2]);
          assert.deepEqual(await ids({ limit: 2, after: 2 }), [3, 4]);
          assert.deepEqual(await ids({ search: 'EXAMPLE.COM' }), [1, 2, 3, 4]);
          assert.deepEqual(await ids({ search: 'zo\u00EB å' }), [1]);
          assert.deepEqual(await ids({ search: ' ZO\u00CB Å' }), [1]);
          assert.deepEqual(await ids({ search: 'mary' }), [4]);
          assert.deepEqual(await ids({ search: "o'brien" }), []);
          for (const odd of ['%', '_', '\\']) assert.deepEqual(await ids({ search: odd }), [3], odd);
          assert.deepEqual(await ids({ search: "' or 1=1 --" }), []);
          assert.deepEqual(await ids({ state: 'deactivated' }), [2]);
          assert.deepEqual(await ids({ state: 'invited' }), [5]);
          assert.deepEqual(await ids({ state: 'active', after: 1 }), [3, 4]);
          assert.deepEqual(await ids({ isAdmin: true }), [5]);
          assert.deepEqual(await ids({ isAdmin: false, limit: 3 }), [1, 2, 3]);
          assert.deepEqual(await ids({ permission: 'tracker' }), [2, 5]);
          assert.deepEqual(await ids({ permission: 'track' }), []);
          assert.deepEqual(await ids({ permission: 'tracker', state: 'invited', search: 'admin' }), [5]);
          assert.deepEqual(await ids({ without: 'tracker' }), [1, 3, 4]);
          assert.deepEqual(await ids({ without: 'track', permission: 'vault' }), [5]);
          assert.deepEqual(await ids({ without: 'tracker', permission: 'vault' }), []);
          assert.deepEqual((await port.page({ limit: 1, after: 3 }))[0]?.name, 'Mary O’Brien');
        },
      );

      clause('USERS-024 finds several users by their ids', async ({ port }) => {
        for (const email of ['a@example.com', 'b@example.com', 'c@example.com']) await port.add({ ...ada(), email });
        const found = await port.findAll([3, 1, 99]);
        const named = found.map(({ id, email }) => `${id} ${email}`).toSorted();
        assert.deepEqual(named, ['1 a@example.com', '3 c@example.com']);
        assert.deepEqual(await port.findAll([]), []);
      });

      clause('USERS-025 removes a user, frees the e-mail, and never gives the id again', async ({ port }) => {
        await port.add(ada());
        await port.add(bob());
        assert.equal(await port.remove(2), true);
        assert.equal(await port.remove(2), false);
        assert.equal(await port.find(2), null);
        assert.equal(await port.findByEmail(bob().email), null);
        assert.deepEqual(await port.list(), [asUser(1, ada())]);
        assert.deepEqual(await port.add(bob()), { ok: true, value: asUser(3, bob()) });
        assert.equal(await port.change(2, { isAdmin: true }), false);
      });

      clause(
        'USERS-018 lets exactly one of two processes add an e-mail',
        async ({ port, beside }) => {
          const other = await beside();
          const added = await Promise.all([port, other, port, other].map((one) => one.add(ada())));
          assert.equal(added.filter(({ ok }) => ok).length, 1);
          assert.equal((await other.list()).length, 1);
        },
        'processes',
      );

      clause('USERS-021 adds many users concurrently, each with an id of its own', async ({ port }) => {
        const emails = Array.from({ length: 8 }, (_, index) => `user-${index}@example.com`);
        const added = await Promise.all(emails.map((email) => port.add({ ...ada(), email })));
        assert.equal(added.filter(({ ok }) => ok).length, emails.length);
        const users = await port.list();
        assert.deepEqual(users.map(({ email }) => email).toSorted(), emails);
        assert.equal(new Set(users.map(({ id }) => id)).size, emails.length);
      });

      lifeCycle(clause, {
        prefix: 'USERS',
        fill: async (port) => {
          await port.add(ada());
          await port.add(bob());
          await port.change(2, { permissions: ['signing'], passwordHash: 'another', signedOutBefore });
          await port.change(2, {
            deactivatedAt: signedOutBefore,
            timeZone: 'Asia/Tokyo',
            switchedOff: ['vault:*read'],
          });
        },
        read: async (port) => [
          await port.list(),
          await port.findByEmail('ada@example.com'),
          await port.findByEmail(bob().email),
        ],
      });
    },
  });
}
