import type { Clock } from '#application/ports/clock.ts';
import type { SessionTokens } from '#application/ports/session-tokens.ts';
import type { Users } from '#application/ports/users.ts';
import { grantOfScope, limitedTo } from '#domain/oauth/grant.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isCurrent, type Session, speaksFor } from '#domain/sessions/session.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { guest, guestUserId, type User } from '#domain/users/user.ts';

/** The credentials of a request; null means none. A bearer header without a token is an empty text, not null. */
export type PresentedCredentials = Readonly<{ bearer: string | null; cookie: string | null }>;

/** The caller and their session. The user is limited to the session's grant. */
export type Caller = Readonly<{ user: User; session: Session }>;

/** The reason why a request has no caller: no credentials, or credentials that are not or no longer valid. */
export type IdentifyFailure = Readonly<{ reason: 'no_credentials' | 'invalid_session' }>;

/**
 * Identifies the user behind a request. Bearer wins over cookie: a bad bearer is rejected even beside a good cookie.
 */
export class IdentifyCaller {
  readonly #tokens: SessionTokens;
  readonly #users: Users;
  readonly #clock: Clock;
  readonly #services: readonly ServiceKey[];
  /** Users as limited by their tokens, by the tokens' scopes: created once for each user object from the store. */
  readonly #limited = new WeakMap<User, Map<string, User>>();

  /** `services` are those of this server: a token gives nothing else. */
  constructor(tokens: SessionTokens, users: Users, clock: Clock, services: readonly ServiceKey[]) {
    this.#tokens = tokens;
    this.#users = users;
    this.#clock = clock;
    this.#services = services;
  }

  /**
   * Returns the caller; `invalid_session` for a value that is not this server's, is over 30 days old, or whose user is
   * gone or signed out.
   */
  async run({ bearer, cookie }: PresentedCredentials): Promise<Result<Caller, IdentifyFailure>> {
    const token = bearer ?? cookie;
    if (token === null) return err({ reason: 'no_credentials' });
    const session = await this.#tokens.open(token);
    if (session === null || !isCurrent(session, this.#clock.now())) return err({ reason: 'invalid_session' });
    const user = session.userId === guestUserId ? guest : await this.#users.find(session.userId);
    if (user === null || !speaksFor(session, user)) return err({ reason: 'invalid_session' });
    return ok({ user: session.scope === undefined ? user : this.#limit(user, session.scope), session });
  }

  #limit(user: User, scope: string): User {
    const byScope = this.#limited.get(user) ?? new Map<string, User>();
    const known = byScope.get(scope);
    if (known !== undefined) return known;
    const limited = limitedTo(grantOfScope(scope, this.#services), user);
    this.#limited.set(user, byScope.set(scope, limited));
    return limited;
  }
}
