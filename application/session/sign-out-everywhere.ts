import type { Clock } from '#application/ports/clock.ts';
import type { Users } from '#application/ports/users.ts';

/** Ends all of a user's sessions, in every browser and MCP client: those made until now no longer count. */
export class SignOutEverywhere {
  readonly #users: Users;
  readonly #clock: Clock;

  constructor(users: Users, clock: Clock) {
    this.#users = users;
    this.#clock = clock;
  }

  /** False when there is no such user. */
  async run(userId: number): Promise<boolean> {
    return this.#users.change(userId, { signedOutBefore: this.#clock.now() + 1 });
  }
}
