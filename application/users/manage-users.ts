import type { AuditedAct, NoteAct } from '#application/audit/audit.ts';
import type { Disconnected } from '#application/connections/disconnect-service.ts';
import { underLease } from '#application/leases/under-lease.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Grants } from '#application/ports/grants.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { Passwords } from '#application/ports/passwords.ts';
import type { Random } from '#application/ports/random.ts';
import type { Sessions } from '#application/ports/sessions.ts';
import type { UserChange, Users } from '#application/ports/users.ts';
import type { SignOutEverywhere } from '#application/session/sign-out-everywhere.ts';
import { isLastAdmin } from '#application/users/change-rights.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isActive } from '#domain/sessions/session.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { isEmail } from '#domain/users/email.ts';
import type { User } from '#domain/users/user.ts';

/** The dependencies of the use case; `services` are those of this server, which determine the order of permissions. */
export type ManageUsersDependencies = Readonly<{
  users: Users;
  passwords: Passwords;
  signOutEverywhere: SignOutEverywhere;
  sessions: Pick<Sessions, 'list'>;
  grants: Pick<Grants, 'list'>;
  leases: Leases;
  random: Random;
  clock: Clock;
  /** The id of the automation user, who cannot be deactivated (USER-014). */
  automationUserId: number;
  services: readonly ServiceKey[];
  /** Disconnects a user from all services. */
  disconnectAll: (userId: number) => Promise<Disconnected>;
  /** Erases what names a user and does not go with their account. */
  erase: (user: User) => Promise<void>;
  note: NoteAct;
}>;

/** A user to invite, with their rights. */
type Invitation = Readonly<{ email: string; permissions: readonly string[]; isAdmin: boolean }>;

/** Who does it: the id of an administrator; null for a command. */
type By = number | null;

/** An administrator's change of a user; omitted members are unchanged. */
export type ManagedChange = Readonly<{ permissions?: readonly string[]; isAdmin?: boolean; isActive?: boolean }>;

/** Why nothing was changed; `busy` while another change of administrators is in progress. */
export type ManageFailure = Readonly<{
  reason: 'unknown_user' | 'last_admin' | 'automation_user' | 'yourself' | 'busy';
}>;

/** What ended when a user left. */
export type LeftUser = Readonly<{ user: User; apps: number; sessions: number }> & Disconnected;

const leaseName = 'administrators';
const leaseMs = 10_000;

/** Lets administrators invite, permit, deactivate, reactivate and delete users. */
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
    const { users, passwords, random, clock, note } = this.#dependencies;
    const passwordHash = await passwords.hash(random.token(32));
    const invitedAt = clock.now();
    const account = { email, passwordHash, permissions: this.#known(permissions), isAdmin, invitedAt };
    const added = await users.add(account);
    if (added.ok) {
      await note({ action: 'user.invited', by, userId: added.value.id, detail: rightsDetail(added.value) });
    }
    return added;
  }

  /**
   * Changes a user. The last active administrator can neither lose the role nor be deactivated; nor can the automation
   * user be deactivated, whose successor `AUTOMATION_USER_ID` names, nor administrators themselves.
   */
  async change(id: number, change: ManagedChange, by: By): Promise<Result<User, ManageFailure>> {
    if (change.isActive === false) {
      const left = await this.#leave(id, { change, by, isRemoved: false });
      return left.ok ? ok(left.value.user) : left;
    }
    if (change.isAdmin !== false) return this.#change(id, change, by);
    return this.#inTurn(() => this.#change(id, change, by));
  }

  /**
   * Deactivates a user: signs them out in every browser and app, disconnects them from all services, and removes what
   * waits for them. Deactivating again finishes what was interrupted.
   */
  deactivate(id: number, by: By): Promise<Result<LeftUser, ManageFailure>> {
    return this.#leave(id, { change: {}, by, isRemoved: false });
  }

  /**
   * Deactivates a user and erases what is theirs; the activity and the audit log keep the id. Deleting again finishes
   * what was interrupted: the account goes last.
   */
  async remove(id: number, by: By): Promise<Result<LeftUser, ManageFailure>> {
    const { users, erase, note } = this.#dependencies;
    const left = await this.#leave(id, { change: {}, by, isRemoved: true });
    if (!left.ok) return left;
    await erase(left.value.user);
    if (!(await users.remove(id))) return err({ reason: 'unknown_user' });
    await note({ action: 'user.deleted', by, userId: id, detail: departureText(left.value) });
    return left;
  }

  async #leave(
    id: number,
    { change, by, isRemoved }: Readonly<{ change: ManagedChange; by: By; isRemoved: boolean }>,
  ): Promise<Result<LeftUser, ManageFailure>> {
    const { users, sessions, grants, automationUserId, disconnectAll, note } = this.#dependencies;
    const before = (await users.findAll([id]))[0];
    if (before === undefined) return err({ reason: 'unknown_user' });
    if (isRemoved && id === automationUserId) return err({ reason: 'automation_user' });
    const ending = { apps: (await grants.list(id)).length, sessions: (await sessions.list(id)).length };
    const changed = await this.#inTurn(() => this.#change(id, { ...change, isActive: false }, by));
    if (!changed.ok) return changed;
    const departure = { user: changed.value, ...ending, ...(await disconnectAll(id)) };
    const hasEnded = isActive(before) || departure.connections > 0;
    if (!isRemoved && hasEnded) {
      await note({ action: 'user.deactivated', by, userId: id, detail: departureText(departure) });
    }
    return ok(departure);
  }

  /** Serialized, since two administrators who take each other's role at once must not both succeed. */
  async #inTurn<Value>(work: () => Promise<Result<Value, ManageFailure>>): Promise<Result<Value, ManageFailure>> {
    const done = await underLease(this.#dependencies, { name: leaseName, leaseMs }, work);
    return done.ok ? done.value : done;
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
    if (active === false && id === by) return err({ reason: 'yourself' });
    const changed: UserChange = {
      ...(permissions === undefined ? {} : { permissions: this.#known(permissions) }),
      ...(isAdmin === undefined ? {} : { isAdmin }),
      ...(active === true ? { deactivatedAt: null } : {}),
      ...(active === false ? { deactivatedAt: user.deactivatedAt ?? clock.now() } : {}),
    };
    if (active === false) await signOutEverywhere.run(id, changed);
    else await users.change(id, changed);
    const found = (await users.findAll([id]))[0];
    if (found === undefined) return err({ reason: 'unknown_user' });
    await this.#noteChange(user, found, by);
    return ok(found);
  }

  async #noteChange(before: User, after: User, by: By): Promise<void> {
    const { note } = this.#dependencies;
    const act: Omit<AuditedAct, 'action'> = { by, userId: after.id };
    const detail = rightsDetail(after);
    if (rightsDetail(before) !== detail) await note({ ...act, action: 'user.rights_changed', detail });
    if (!isActive(before) && isActive(after)) await note({ ...act, action: 'user.activated' });
  }

  #known(permissions: readonly string[]): readonly ServiceKey[] {
    return this.#dependencies.services.filter((service) => permissions.includes(service));
  }
}

/** Returns a user's rights as the audit log has them: 'tracker, vault; administrator'. */
export function rightsDetail({ permissions, isAdmin }: User): string {
  return [permissions.length === 0 ? 'none' : permissions.join(', '), ...(isAdmin ? ['administrator'] : [])].join('; ');
}

/** Returns what ended with a user's access in a phrase: '2 browsers and 1 app signed out, 3 connections removed'. */
export function departureText({ apps, sessions, connections, revoked }: Omit<LeftUser, 'user'>): string {
  const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`;
  const ended = `${count(sessions, 'browser')} and ${count(apps, 'app')} signed out`;
  const atProvider = revoked === 0 ? '' : ` (${revoked} revoked at the provider)`;
  return `${ended}, ${count(connections, 'connection')} removed${atProvider}`;
}
