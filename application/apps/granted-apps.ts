import type { Clock } from '#application/ports/clock.ts';
import type { Grants } from '#application/ports/grants.ts';
import { type AppGrant, type GrantChange, isLive } from '#domain/oauth/app-grant.ts';
import type { User } from '#domain/users/user.ts';

/** Lists and revokes the grants that a user gave to apps. */
export class GrantedApps {
  readonly #grants: Pick<Grants, 'list' | 'remove' | 'change'>;
  readonly #clock: Clock;

  constructor(grants: Pick<Grants, 'list' | 'remove' | 'change'>, clock: Clock) {
    this.#grants = grants;
    this.#clock = clock;
  }

  /** Lists the user's grants whose tokens can still be valid, the latest first. */
  async list(user: User): Promise<readonly AppGrant[]> {
    const now = this.#clock.now();
    return (await this.#grants.list(user.id)).filter((grant) => isLive(grant, user, now));
  }

  /** Finds one of the listed grants; null when the user has none with that id. */
  async find(user: User, id: string): Promise<AppGrant | null> {
    return (await this.list(user)).find((grant) => grant.id === id) ?? null;
  }

  /**
   * Changes what an app may do from now on, whatever its token was issued for; false when the user has none with that
   * id.
   */
  async change(user: User, id: string, change: GrantChange): Promise<boolean> {
    return this.#grants.change(user.id, id, change);
  }

  /**
   * Revokes a grant of the user, which invalidates its tokens on every server; false when the user has none with that
   * id.
   */
  async revoke(user: User, id: string): Promise<boolean> {
    return this.#grants.remove(user.id, id);
  }
}
