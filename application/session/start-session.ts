import type { Clock } from '#application/ports/clock.ts';
import type { SessionTokens } from '#application/ports/session-tokens.ts';
import { guest, type User } from '#domain/users/user.ts';

/** Creates the session that `/set` returns: a new one for a signed-in caller, the guest's for anybody else. */
export class StartSession {
  readonly #tokens: SessionTokens;
  readonly #clock: Clock;

  constructor(tokens: SessionTokens, clock: Clock) {
    this.#tokens = tokens;
    this.#clock = clock;
  }

  /** Returns the encrypted session; a null caller is not signed in. */
  async run(caller: User | null): Promise<string> {
    return this.#tokens.seal({ userId: (caller ?? guest).id, issuedAt: this.#clock.now() });
  }
}
