import type { Clock } from '#application/ports/clock.ts';
import type { SessionTokens } from '#application/ports/session-tokens.ts';
import type { Users } from '#application/ports/users.ts';
import { grantOfScope, limitedTo } from '#domain/oauth/grant.ts';
import { isCurrent, type Session, speaksFor } from '#domain/sessions/session.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { guest, guestUserId, type User } from '#domain/users/user.ts';

/** What a request carries; null is "none". A bearer header without a token is an empty text, not null. */
export type PresentedCredentials = Readonly<{ bearer: string | null; cookie: string | null }>;

/** Who calls, by which session. The user is limited to what the session means. */
export type Caller = Readonly<{ user: User; session: Session }>;

/** Why a request has no caller: it carries nothing, or something that does not count (any more). */
export type IdentifyFailure = Readonly<{ reason: 'no_credentials' | 'invalid_session' }>;

/** Tells who a request is from. Bearer wins over cookie: a bad bearer is refused even beside a good cookie. */
export class IdentifyCaller {
  readonly #tokens: SessionTokens;
  readonly #users: Users;
  readonly #clock: Clock;
  /** Users as their tokens limit them, by the tokens' scopes: made once for each user that the store hands out. */
  readonly #limited = new WeakMap<User, Map<string, User>>();

  constructor(tokens: SessionTokens, users: Users, clock: Clock) {
    this.#tokens = tokens;
    this.#users = users;
    this.#clock = clock;
  }

  /** The caller; `invalid_session` for a value that is not ours, is over 30 days old, or whose user is gone or signed out. */
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
    const limited = limitedTo(grantOfScope(scope), user);
    this.#limited.set(user, byScope.set(scope, limited));
    return limited;
  }
}
