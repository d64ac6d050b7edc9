import type { Clock } from '#application/ports/clock.ts';
import type { Grants } from '#application/ports/grants.ts';
import type { AskChoice } from '#domain/changes/ask-policy.ts';
import { type AppGrant, isLive } from '#domain/oauth/app-grant.ts';
import type { User } from '#domain/users/user.ts';

/** Lists and revokes the grants that a user gave to apps. */
export class GrantedApps {
  readonly #grants: Pick<Grants, 'list' | 'remove' | 'chooseAsk'>;
  readonly #clock: Clock;

  constructor(grants: Pick<Grants, 'list' | 'remove' | 'chooseAsk'>, clock: Clock) {
    this.#grants = grants;
    this.#clock = clock;
  }

  /** Lists the user's grants whose tokens can still be valid, the latest first. */
  async list(user: User): Promise<readonly AppGrant[]> {
    const now = this.#clock.now();
    return (await this.#grants.list(user.id)).filter((grant) => isLive(grant, user, now));
  }

  /** Changes what the user is asked before an app does it; false when they have no app with that id. */
  async chooseAsk(user: User, id: string, ask: AskChoice | null): Promise<boolean> {
    return this.#grants.chooseAsk(user.id, id, ask);
  }

  /**
   * Revokes a grant of the user, which invalidates its tokens on every server; false when the user has none with that
   * id.
   */
  async revoke(user: User, id: string): Promise<boolean> {
    return this.#grants.remove(user.id, id);
  }
}
