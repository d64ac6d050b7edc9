import type { Logger } from '#application/ports/logger.ts';
import type { ManageUsers } from '#application/users/manage-users.ts';
import { type GroupRights, rightsByGroups } from '#domain/sign-in/group-rights.ts';
import type { ProviderPerson } from '#domain/sign-in/provider-person.ts';
import type { User } from '#domain/users/user.ts';

type ApplyGroupRightsDependencies = Readonly<{
  manage: Pick<ManageUsers, 'change'>;
  rules: readonly GroupRights[];
  logger: Logger;
}>;

/** Sets the rights of a user who signs in to what their groups at the identity provider give (OIDC-013). */
export class ApplyGroupRights {
  readonly #dependencies: ApplyGroupRightsDependencies;

  constructor(dependencies: ApplyGroupRightsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the user with their rights. Somebody whose groups the provider does not send is in none. The last active
   * administrator stays one.
   */
  async run(user: User, { groups }: Pick<ProviderPerson, 'groups'>): Promise<User> {
    const { manage, rules, logger } = this.#dependencies;
    if (rules.length === 0) return user;
    if (groups === null) {
      logger.warn({ userId: user.id }, 'The identity provider sent no groups: is the claim `groups` set up there?');
    }
    const { permissions, isAdmin } = rightsByGroups(rules, groups ?? [], user);
    const isSame =
      permissions.length === user.permissions.length && permissions.every((key) => user.permissions.includes(key));
    const changed = isSame ? null : await manage.change(user.id, { permissions }, null);
    const now = changed?.ok === true ? changed.value : user;
    if (isAdmin === now.isAdmin) return now;
    const role = await manage.change(user.id, { isAdmin }, null);
    if (role.ok) return role.value;
    logger.warn({ userId: user.id, reason: role.failure.reason }, 'The role by groups was not set');
    return now;
  }
}
