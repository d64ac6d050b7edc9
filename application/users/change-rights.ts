import type { Users } from '#application/ports/users.ts';
import { findUser, type UnknownEmail } from '#application/users/find-user.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isActive } from '#domain/sessions/session.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';

/** The rights to grant or revoke. */
type Rights = Readonly<{ permissions: readonly ServiceKey[]; isAdmin: boolean }>;

/**
 * Why the rights were not changed. The last active administrator cannot lose the role, since nobody could restore it.
 */
export type ChangeRightsFailure = UnknownEmail | Readonly<{ reason: 'last_admin' }>;

/** The maximum number of administrators that are looked at. */
const maxAdmins = 1_000;

/**
 * Grants or revokes a user's permissions and the administrator role. Permissions are stored in the order of the
 * services; those for services that this server does not have stay as they are.
 */
export class ChangeRights {
  readonly #users: Users;
  readonly #services: readonly ServiceKey[];

  /** `services` are those of this server, which determine the order of permissions. */
  constructor(users: Users, services: readonly ServiceKey[]) {
    this.#users = users;
    this.#services = services;
  }

  /** Changes the rights and returns the user. Idempotent. */
  async run(
    email: string,
    change: Readonly<{ do: 'permit' | 'revoke' }> & Rights,
  ): Promise<Result<User, ChangeRightsFailure>> {
    const found = await findUser(this.#users, email);
    if (!found.ok) return found;
    const user = found.value;
    const permits = change.do === 'permit';
    const isAdmin = change.isAdmin ? permits : user.isAdmin;
    if (user.isAdmin && !isAdmin && (await isLastAdmin(this.#users, user))) return err({ reason: 'last_admin' });
    const known = this.#services.filter((service) =>
      change.permissions.includes(service) ? permits : user.permissions.includes(service),
    );
    const others = user.permissions.filter((service) => !this.#services.includes(service));
    const permissions = [...known, ...others];
    await this.#users.change(user.id, { permissions, isAdmin });
    return ok({ ...user, permissions, isAdmin });
  }
}

/** Whether the user is the only administrator who is not deactivated. */
export async function isLastAdmin(users: Pick<Users, 'page'>, user: User): Promise<boolean> {
  const admins = await users.page({ isAdmin: true, limit: maxAdmins });
  return admins.every((other) => other.id === user.id || !isActive(other));
}
