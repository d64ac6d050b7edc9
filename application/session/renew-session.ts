import type { Clock } from '#application/ports/clock.ts';
import type { SessionTokens } from '#application/ports/session-tokens.ts';
import type { Sessions } from '#application/ports/sessions.ts';
import type { Caller } from '#application/session/identify-caller.ts';
import { sessionEndsAt } from '#domain/sessions/person-session.ts';
import { issuedFor } from '#domain/sessions/session.ts';
import { guestUserId } from '#domain/users/user.ts';

/** The ports that renew sessions, and the audience of cookies; null for none. */
type RenewSessionDependencies = Readonly<{
  sessions: Pick<Sessions, 'extend' | 'find'>;
  tokens: Pick<SessionTokens, 'seal'>;
  clock: Clock;
  audience: string | null;
}>;

/**
 * Creates the cookie that `/set` returns: for a person, the same session with another 30 days, unless it is
 * short-lived; for anybody without a
 * session, the guest's. Any other session comes back as it is: an app's neither lasts longer nor becomes a person's.
 */
export class RenewSession {
  readonly #dependencies: RenewSessionDependencies;

  constructor(dependencies: RenewSessionDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the encrypted session; null is a caller without one. */
  async run(caller: Caller | null): Promise<string> {
    const { sessions, tokens, clock, audience } = this.#dependencies;
    const now = clock.now();
    if (caller === null || caller.by === 'guest') {
      return tokens.seal({ userId: guestUserId, issuedAt: now, ...(audience === null ? {} : { audience }) });
    }
    const { user, session } = caller;
    if (user.signedInBy === undefined) return tokens.seal(session);
    const stored = await sessions.find(user.signedInBy);
    if (stored !== null) await sessions.extend(stored.id, sessionEndsAt(stored, now));
    return tokens.seal({ ...session, issuedAt: issuedFor(user, now) });
  }
}
