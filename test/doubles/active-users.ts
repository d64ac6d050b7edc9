import type { Users } from '#application/ports/users.ts';
import type { User } from '#domain/users/user.ts';

/** Users who are active, whatever their ids, until a test deactivates them. */
export class ActiveUsers implements Pick<Users, 'find'> {
  /** The ids of those who are deactivated. */
  readonly inactive = new Set<number>();

  async find(id: number): Promise<User> {
    const deactivatedAt = this.inactive.has(id) ? 1 : null;
    const email = `user-${id}@example.com`;
    return { id, email, permissions: [], isAdmin: false, signedOutBefore: null, deactivatedAt };
  }
}
