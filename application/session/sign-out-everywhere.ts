import type { Clock } from '#application/ports/clock.ts';
import type { Users } from '#application/ports/users.ts';

/** Ends all of a user's sessions in every browser and MCP client: all sessions issued so far become invalid. */
export class SignOutEverywhere {
  readonly #users: Users;
  readonly #clock: Clock;

  constructor(users: Users, clock: Clock) {
    this.#users = users;
    this.#clock = clock;
  }

  /** Ends the sessions; false when there is no such user. */
  async run(userId: number): Promise<boolean> {
    return this.#users.change(userId, { signedOutBefore: this.#clock.now() + 1 });
  }
}
