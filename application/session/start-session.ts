import type { Clock } from '#application/ports/clock.ts';
import type { SessionTokens } from '#application/ports/session-tokens.ts';
import type { Caller } from '#application/session/identify-caller.ts';
import { guestUserId } from '#domain/users/user.ts';

/** Creates the session that `/set` returns: a new one for a person, an app's own again, the guest's for anybody else. */
export class StartSession {
  readonly #tokens: SessionTokens;
  readonly #clock: Clock;

  constructor(tokens: SessionTokens, clock: Clock) {
    this.#tokens = tokens;
    this.#clock = clock;
  }

  /** Returns the encrypted session; a null caller has none. */
  async run(caller: Caller | null): Promise<string> {
    // An app's session neither lasts longer nor does more: it keeps its time and names its grant.
    if (caller?.by === 'app') return this.#tokens.seal(caller.session);
    return this.#tokens.seal({ userId: caller?.user.id ?? guestUserId, issuedAt: this.#clock.now() });
  }
}
