import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditedAct } from '#application/audit/audit.ts';
import { AdmitPerson } from '#application/sign-in/admit-person.ts';
import { LinkIdentity } from '#application/sign-in/link-identity.ts';
import type { AdmissionPolicy } from '#domain/sign-in/admission.ts';
import { identityIdOf } from '#domain/sign-in/identity.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import { MemoryIdentities } from '#test/doubles/memory-identities.ts';
import { MemoryLeases } from '#test/doubles/memory-leases.ts';
import { MemorySessions } from '#test/doubles/memory-sessions.ts';
import { MemoryUsers } from '#test/doubles/memory-users.ts';

const at = 1_800_000_000_000;
const issuer = 'https://sso.example.com';
const anybody = { domains: ['example.com'], rules: [] };
const person = (subject: string, email: string | null = 'grace@example.com') => ({
  issuer,
  subject,
  email,
  verifiedEmail: email,
  groups: null,
});

let users: MemoryUsers;
let identities: MemoryIdentities;
let clock: SettableClock;
let acts: AuditedAct[];
beforeEach(() => {
  [users, identities, clock, acts] = [new MemoryUsers(), new MemoryIdentities(), new SettableClock(at), []];
});

const note = async (act: AuditedAct) => void acts.push(act);
const passwords = { hash: async () => 'a hash' };
const admit = (given: ReturnType<typeof person>, policy: AdmissionPolicy = anybody) =>
  new AdmitPerson({
    identities,
    users,
    passwords,
    leases: new MemoryLeases(clock),
    random: systemRandom,
    clock,
    policy,
    note,
  }).run(given);
const reasonOf = async (given: ReturnType<typeof person>, policy?: AdmissionPolicy) => {
  const admitted = await admit(given, policy);
  return admitted.ok ? null : admitted.failure.reason;
};
const invited = { passwordHash: 'x', permissions: ['vault'], isAdmin: false, invitedAt: at };

describe('who is admitted', () => {
  it('is known afterwards by issuer and subject, with the time and the latest e-mail (OIDC-006)', async () => {
    const first = await admit(person('g'));
    clock.advance(1_000);
    expect(await admit(person('g', 'g@elsewhere.net'))).toEqual(first);
    expect(await identities.find(identityIdOf({ issuer, subject: 'g' }))).toMatchObject({
      userId: 1,
      email: 'g@elsewhere.net',
      linkedAt: at,
      lastUsedAt: at + 1_000,
    });
  });

  it('is no longer invited, also where the sign-in that accepted was cut off (OIDC-008)', async () => {
    await users.add({ ...invited, email: 'grace@example.com' });
    const linkedAt = at;
    const id = identityIdOf({ issuer, subject: 'g' });
    await identities.link({ id, userId: 1, issuer, email: null, linkedAt, lastUsedAt: null });
    // Another person with the e-mail does not get the account, although it still says that it is invited.
    expect(await reasonOf(person('other'))).toBe('account_exists');
    expect((await admit(person('g'))).ok).toBe(true);
    expect((await users.find(1))?.invitedAt).toBeUndefined();
  });

  it('gets the account that an earlier sign-in began to make (OIDC-010)', async () => {
    await users.add({ ...invited, email: 'grace@example.com', permissions: [] });
    expect(await admit(person('g'))).toMatchObject({ ok: true, value: { id: 1 } });
    expect(await identities.list(1)).toHaveLength(1);
  });
});

describe('who was deleted', () => {
  const deleted = async () => {
    await admit(person('g'));
    await identities.forgetUser(1);
  };

  it('is not made again, whatever their e-mail is now (OIDC-009)', async () => {
    await deleted();
    await users.remove(1);
    for (const email of ['grace@example.com', 'g@example.com', null]) {
      expect(await reasonOf(person('g', email))).toBe('deleted');
    }
    expect(await users.page({ limit: 10 })).toEqual([]);
  });

  it('returns by an invitation (OIDC-009)', async () => {
    await deleted();
    await users.remove(1);
    await users.add({ ...invited, email: 'grace@example.com' });
    expect(await admit(person('g'))).toMatchObject({ ok: true, value: { permissions: ['vault'] } });
    expect(await identities.list(2)).toHaveLength(1);
  });

  it('is not let in by an identity that was not forgotten with the user (OIDC-009)', async () => {
    await admit(person('g'));
    await users.remove(1);
    expect(await reasonOf(person('g'))).toBe('deleted');
  });
});

describe('who is not admitted', () => {
  it.each([
    ['administrators by their e-mail', { ...invited, isAdmin: true }, 'account_exists'],
    ['users with a password by their e-mail', { ...invited, invitedAt: null }, 'account_exists'],
  ])('are %s (OIDC-008)', async (_, user, reason) => {
    await users.add({ ...user, email: 'Grace@Example.com' });
    expect(await reasonOf(person('g'))).toBe(reason);
    expect(await identities.list(1)).toEqual([]);
    expect(acts).toEqual([]);
  });

  it('are deactivated users, invited or not (OIDC-009)', async () => {
    await users.add({ ...invited, email: 'grace@example.com' });
    await users.change(1, { deactivatedAt: at });
    expect(await reasonOf(person('g'))).toBe('deactivated');
  });

  it('are strangers, where nobody is taken in (OIDC-010)', async () => {
    expect(await reasonOf(person('g'), { domains: [], rules: [] })).toBe('not_invited');
    expect(await reasonOf({ ...person('g'), verifiedEmail: null })).toBe('email_not_verified');
  });
});

describe('unlinking', () => {
  it('leaves a way in: another identity, or the password by which the session was begun (ACCT-006)', async () => {
    const sessions = new MemorySessions();
    const session = { id: 's', userId: 1, begunBy: 'welcome', begunAt: at, expiresAt: at + 1, userAgent: null };
    await sessions.begin(session);
    await admit(person('g'));
    const user = { ...(await users.find(1)), signedInBy: 's' };
    const id = identityIdOf({ issuer, subject: 'g' });
    const unlink = async (takesPasswords: boolean, signedInBy: string) => {
      const link = new LinkIdentity({ identities, users, sessions, clock, takesPasswords, note });
      const found = await users.find(1);
      return found === null ? null : link.unlink({ ...found, signedInBy }, id);
    };
    expect(user.signedInBy).toBe('s');
    expect(await unlink(false, 's')).toMatchObject({ failure: { reason: 'last_way_in' } });
    expect(await unlink(true, 'unknown')).toMatchObject({ failure: { reason: 'last_way_in' } });
    await identities.link({ id: 'second', userId: 1, issuer, email: null, linkedAt: at, lastUsedAt: null });
    expect(await unlink(false, 'unknown')).toMatchObject({ ok: true });
    expect(await unlink(true, 's')).toMatchObject({ failure: { reason: 'unknown_identity' } });
  });
});
