import type { Clock } from '#application/ports/clock.ts';
import type { Grants } from '#application/ports/grants.ts';
import type { Sessions } from '#application/ports/sessions.ts';
import type { UserChange, Users } from '#application/ports/users.ts';

/** The ports that sign users out. */
type SignOutEverywhereDependencies = Readonly<{
  users: Pick<Users, 'change'>;
  sessions: Pick<Sessions, 'endAll'>;
  grants: Pick<Grants, 'list' | 'remove'>;
  clock: Clock;
}>;

/** Ends all of a user's sessions in every browser and app: all sessions and tokens issued so far become invalid. */
export class SignOutEverywhere {
  readonly #dependencies: SignOutEverywhereDependencies;

  constructor(dependencies: SignOutEverywhereDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Ends the sessions, together with another change of the user. Returns the time (Unix ms) before which sessions are
   * invalid; null when there is no such user.
   */
  async run(userId: number, change: Omit<UserChange, 'signedOutBefore'> = {}): Promise<number | null> {
    const { users, sessions, grants, clock } = this.#dependencies;
    const signedOutBefore = clock.now() + 1;
    if (!(await users.change(userId, { ...change, signedOutBefore }))) return null;
    // The time alone would leave what was issued before the clock was set back.
    await sessions.endAll(userId);
    for (const { id } of await grants.list(userId)) await grants.remove(userId, id);
    return signedOutBefore;
  }
}
