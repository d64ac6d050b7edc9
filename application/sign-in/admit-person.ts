import type { NoteAct } from '#application/audit/audit.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Identities } from '#application/ports/identities.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { Passwords } from '#application/ports/passwords.ts';
import type { Random } from '#application/ports/random.ts';
import type { Users } from '#application/ports/users.ts';
import { isActive } from '#domain/sessions/session.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { type AdmissionPolicy, isTakenIn } from '#domain/sign-in/admission.ts';
import { identityIdOf } from '#domain/sign-in/identity.ts';
import type { ProviderPerson } from '#domain/sign-in/provider-person.ts';
import type { User } from '#domain/users/user.ts';

/** Why somebody whom the provider knows gets no account; `email` is the one that the provider gave. */
export type AdmitFailure = Readonly<{
  reason: 'deactivated' | 'deleted' | 'account_exists' | 'not_invited' | 'email_not_verified' | 'busy';
  email: string | null;
}>;

/** The dependencies of the use case; `policy` says whom the server takes in by themselves. */
type AdmitPersonDependencies = Readonly<{
  identities: Identities;
  users: Pick<Users, 'find' | 'findByEmail' | 'add' | 'change'>;
  passwords: Pick<Passwords, 'hash'>;
  leases: Leases;
  random: Random;
  clock: Clock;
  policy: AdmissionPolicy;
  note: NoteAct;
}>;

const leaseMs = 10_000;

/**
 * Finds the user of a person at the identity provider: by their identity; at their first sign-in by an invitation to
 * their verified e-mail, or by taking them in. An e-mail alone never opens an account that somebody has used, nor an
 * administrator's.
 */
export class AdmitPerson {
  readonly #dependencies: AdmitPersonDependencies;

  constructor(dependencies: AdmitPersonDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the user, or why there is none. */
  async run(person: ProviderPerson): Promise<Result<User, AdmitFailure>> {
    const { identities, users, clock } = this.#dependencies;
    const id = identityIdOf(person);
    const known = await identities.find(id);
    const { email } = person;
    if (known === null || known.userId === null) return this.#atFirst(person, { wasDeleted: known !== null });
    const user = await users.find(known.userId);
    if (user === null) return err({ reason: 'deleted', email });
    if (!isActive(user)) return err({ reason: 'deactivated', email });
    await identities.noteUse(id, { at: clock.now(), email });
    // Left over where the sign-in that accepted the invitation was cut off.
    if (isInvited(user)) await users.change(user.id, { invitedAt: null });
    return ok(user);
  }

  /** Signs in somebody whose identity is nobody's. Deleted people come back only by an invitation. */
  async #atFirst(
    person: ProviderPerson,
    { wasDeleted }: Readonly<{ wasDeleted: boolean }>,
  ): Promise<Result<User, AdmitFailure>> {
    const { users, policy } = this.#dependencies;
    const { email, verifiedEmail } = person;
    if (verifiedEmail === null) return err({ reason: wasDeleted ? 'deleted' : 'email_not_verified', email });
    const found = await users.findByEmail(verifiedEmail);
    if (found !== null) return this.#byInvitation(found.user, person);
    if (wasDeleted) return err({ reason: 'deleted', email });
    return isTakenIn(policy, person) ? this.#takeIn(person, verifiedEmail) : err({ reason: 'not_invited', email });
  }

  /**
   * Adds a user without rights and without a password that anybody knows. They are an invited user until the identity
   * is linked, so that a sign-in that was cut off in between can be repeated.
   */
  async #takeIn(person: ProviderPerson, email: string): Promise<Result<User, AdmitFailure>> {
    const { users, passwords, random, clock, note } = this.#dependencies;
    const passwordHash = await passwords.hash(random.token(32));
    const user = { email, passwordHash, permissions: [], isAdmin: false, invitedAt: clock.now() };
    const added = await users.add(user);
    if (added.ok) {
      await note({ action: 'user.invited', by: null, userId: added.value.id, detail: 'by OpenID Connect' });
      return this.#byInvitation(added.value, person);
    }
    // Somebody else with this e-mail was added at the same time.
    const found = await users.findByEmail(email);
    return found === null ? err({ reason: 'busy', email }) : this.#byInvitation(found.user, person);
  }

  async #byInvitation({ id }: User, person: ProviderPerson): Promise<Result<User, AdmitFailure>> {
    const { leases, random } = this.#dependencies;
    const [lease, owner] = [`invitation of user ${id}`, random.token(12)];
    // Two people with one e-mail must not both accept one invitation.
    if ((await leases.acquire(lease, owner, leaseMs)) === null) return err({ reason: 'busy', email: person.email });
    try {
      return await this.#accept(id, person);
    } finally {
      await leases.release(lease, owner);
    }
  }

  async #accept(userId: number, person: ProviderPerson): Promise<Result<User, AdmitFailure>> {
    const { identities, users, clock, note } = this.#dependencies;
    const { email, issuer } = person;
    // Read past the cache: the invitation may have been accepted a moment ago.
    const user = (await users.findByEmail(person.verifiedEmail ?? ''))?.user ?? null;
    if (user === null || user.id !== userId) return err({ reason: 'busy', email });
    if (!isActive(user)) return err({ reason: 'deactivated', email });
    const isFree = isInvited(user) && !user.isAdmin && (await identities.list(userId)).length === 0;
    if (!isFree) return err({ reason: 'account_exists', email });
    const now = clock.now();
    const identity = { id: identityIdOf(person), userId, issuer, email, linkedAt: now, lastUsedAt: now };
    if (!(await identities.link(identity))) return err({ reason: 'busy', email });
    await users.change(userId, { invitedAt: null });
    await note({ action: 'user.linked', by: userId, userId, subject: issuer, detail: 'by an invitation' });
    const { invitedAt: _, ...accepted } = user;
    return ok(accepted);
  }
}

/** Whether the user was invited and has not signed in yet. */
function isInvited({ invitedAt = null }: User): boolean {
  return invitedAt !== null;
}
