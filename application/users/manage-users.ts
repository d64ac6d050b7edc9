import type { NoteAct } from '#application/audit/audit.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { Passwords } from '#application/ports/passwords.ts';
import type { Random } from '#application/ports/random.ts';
import type { UserChange, Users } from '#application/ports/users.ts';
import type { SignOutEverywhere } from '#application/session/sign-out-everywhere.ts';
import { isLastAdmin } from '#application/users/change-rights.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isActive } from '#domain/sessions/session.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { isEmail } from '#domain/users/email.ts';
import type { User } from '#domain/users/user.ts';

/** The dependencies of the use case; `services` are those of this server, which determine the order of permissions. */
type ManageUsersDependencies = Readonly<{
  users: Users;
  passwords: Passwords;
  signOutEverywhere: SignOutEverywhere;
  leases: Leases;
  random: Random;
  clock: Clock;
  /** The id of the automation user, who cannot be deactivated (USER-014). */
  automationUserId: number;
  services: readonly ServiceKey[];
  note: NoteAct;
}>;

/** A user to invite, with their rights. */
type Invitation = Readonly<{ email: string; permissions: readonly string[]; isAdmin: boolean }>;

/** Who does it: the id of an administrator; null for a command. */
type By = number | null;

/** An administrator's change of a user; omitted members are unchanged. */
export type ManagedChange = Readonly<{ permissions?: readonly string[]; isAdmin?: boolean; isActive?: boolean }>;

/** Why nothing was changed; `busy` while another change of administrators is in progress. */
export type ManageFailure = Readonly<{ reason: 'unknown_user' | 'last_admin' | 'automation_user' | 'busy' }>;

const leaseName = 'administrators';
const leaseMs = 10_000;

/** Lets administrators invite, permit, deactivate and reactivate users. */
export class ManageUsers {
  readonly #dependencies: ManageUsersDependencies;

  constructor(dependencies: ManageUsersDependencies) {
    this.#dependencies = dependencies;
  }

  /** Adds a user with a random password; they set their own with a link. */
  async invite(
    { email, permissions, isAdmin }: Invitation,
    by: By,
  ): Promise<Result<User, Readonly<{ reason: 'invalid_email' | 'email_taken' }>>> {
    if (!isEmail(email.trim())) return err({ reason: 'invalid_email' });
    const { users, passwords, random, clock } = this.#dependencies;
    const passwordHash = await passwords.hash(random.token(32));
    const invitedAt = clock.now();
    const account = { email, passwordHash, permissions: this.#known(permissions), isAdmin, invitedAt };
    const added = await users.add(account);
    if (added.ok) {
      const { note } = this.#dependencies;
      await note({ action: 'user.invited', by, userId: added.value.id, detail: rightsDetail(added.value) });
    }
    return added;
  }

  /**
   * Changes a user. The last active administrator can neither lose the role nor be deactivated; nor can the automation
   * user be deactivated, whose successor `AUTOMATION_USER_ID` names.
   */
  async change(id: number, change: ManagedChange, by: By): Promise<Result<User, ManageFailure>> {
    if (change.isAdmin !== false && change.isActive !== false) return this.#change(id, change, by);
    const { leases, random } = this.#dependencies;
    const owner = random.token(12);
    // Serialized, since two administrators who revoke each other's role concurrently must not both succeed.
    if ((await leases.acquire(leaseName, owner, leaseMs)) === null) return err({ reason: 'busy' });
    try {
      return await this.#change(id, change, by);
    } finally {
      await leases.release(leaseName, owner);
    }
  }

  async #change(
    id: number,
    { permissions, isAdmin, isActive: active }: ManagedChange,
    by: By,
  ): Promise<Result<User, ManageFailure>> {
    const { users, signOutEverywhere, clock, automationUserId } = this.#dependencies;
    const user = (await users.findAll([id]))[0];
    if (user === undefined) return err({ reason: 'unknown_user' });
    const staysAdmin = (isAdmin ?? user.isAdmin) && (active ?? isActive(user));
    const losesAdmin = user.isAdmin && isActive(user) && !staysAdmin;
    if (losesAdmin && (await isLastAdmin(users, user))) return err({ reason: 'last_admin' });
    if (id === automationUserId && isActive(user) && active === false) return err({ reason: 'automation_user' });
    const changed: UserChange = {
      ...(permissions === undefined ? {} : { permissions: this.#known(permissions) }),
      ...(isAdmin === undefined ? {} : { isAdmin }),
      ...(active === true ? { deactivatedAt: null } : {}),
      ...(active === false ? { deactivatedAt: clock.now() } : {}),
    };
    if (active === false) await signOutEverywhere.run(id, changed);
    else await users.change(id, changed);
    const found = await users.find(id);
    if (found === null) return err({ reason: 'unknown_user' });
    await this.#noteChange(user, found, by);
    return ok(found);
  }

  async #noteChange(before: User, after: User, by: By): Promise<void> {
    const { note } = this.#dependencies;
    const { id: userId } = after;
    if (rightsDetail(before) !== rightsDetail(after)) {
      await note({ action: 'user.rights_changed', by, userId, detail: rightsDetail(after) });
    }
    if (isActive(before) === isActive(after)) return;
    await note({ action: isActive(after) ? 'user.activated' : 'user.deactivated', by, userId });
  }

  #known(permissions: readonly string[]): readonly ServiceKey[] {
    return this.#dependencies.services.filter((service) => permissions.includes(service));
  }
}

/** Returns a user's rights as the audit log has them: 'tracker, vault; administrator'. */
export function rightsDetail({ permissions, isAdmin }: User): string {
  return [permissions.length === 0 ? 'none' : permissions.join(', '), ...(isAdmin ? ['administrator'] : [])].join('; ');
}
