import type { Clock } from '#application/ports/clock.ts';
import type { Grants } from '#application/ports/grants.ts';
import type { SessionTokens } from '#application/ports/session-tokens.ts';
import type { Users } from '#application/ports/users.ts';
import { grantOfScope, limitedTo } from '#domain/oauth/grant.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import {
  isCurrent,
  isMeantFor,
  isValidFor,
  type Principal,
  principalOf,
  type Session,
} from '#domain/sessions/session.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { type ActingApp, guest, guestUserId, type User } from '#domain/users/user.ts';

/** The credentials of a request; null means none. A bearer header without a token is '', not null. */
export type PresentedCredentials = Readonly<{ bearer: string | null; cookie: string | null }>;

/**
 * The caller, their session, and who is behind it. The user is restricted to the session's grant, and names the app
 * unless a person or the guest is behind it.
 */
export type Caller = Readonly<{ user: User; session: Session; by: Principal }>;

/** Why a request has no caller: it has no credentials, or they are invalid or expired. */
export type IdentifyFailure = Readonly<{ reason: 'no_credentials' | 'invalid_session' }>;

/** The ports that identify callers. */
export type IdentifyCallerPorts = Readonly<{
  tokens: SessionTokens;
  users: Users;
  grants: Pick<Grants, 'find' | 'noteUse'>;
  clock: Clock;
}>;

/** What sessions are checked against: the services of this server, which bound a token's grant, and its base URL. */
export type ThisServer = Readonly<{ services: readonly ServiceKey[]; baseUrl: string }>;

/** The app of a token that was issued before grants were stored. */
const unnamedApp: ActingApp = { grantId: null, name: null };

/**
 * Identifies the user behind a request. A bearer token takes precedence over the cookie: if it is invalid, the request
 * is rejected even with a valid cookie.
 */
export class IdentifyCaller {
  readonly #tokens: SessionTokens;
  readonly #users: Users;
  readonly #grants: Pick<Grants, 'find' | 'noteUse'>;
  readonly #clock: Clock;
  readonly #server: ThisServer;
  /** Caches users restricted to their app's grant, per user object from the store, by grant id and scope. */
  readonly #acting = new WeakMap<User, Map<string, User>>();

  constructor({ tokens, users, grants, clock }: IdentifyCallerPorts, server: ThisServer) {
    this.#tokens = tokens;
    this.#users = users;
    this.#grants = grants;
    this.#clock = clock;
    this.#server = server;
  }

  /**
   * Returns the caller. Fails with `invalid_session` when the token was not issued by this server, is over 30 days old
   * or has another audience, when the user no longer exists, is deactivated or signed out, and when the grant was
   * revoked.
   */
  async run({ bearer, cookie }: PresentedCredentials): Promise<Result<Caller, IdentifyFailure>> {
    const token = bearer ?? cookie;
    if (token === null) return err({ reason: 'no_credentials' });
    const session = await this.#tokens.open(token);
    if (session === null || !isCurrent(session, this.#clock.now())) return err({ reason: 'invalid_session' });
    if (!isMeantFor(session, this.#server.baseUrl)) return err({ reason: 'invalid_session' });
    const user = session.userId === guestUserId ? guest : await this.#users.find(session.userId);
    if (user === null || !isValidFor(session, user)) return err({ reason: 'invalid_session' });
    const by = principalOf(session, bearer === null ? 'cookie' : 'bearer');
    if (by !== 'app') return ok({ user, session, by });
    const app = session.grantId === undefined ? unnamedApp : await this.#appOf(session.grantId, session);
    return app === null ? err({ reason: 'invalid_session' }) : ok({ user: this.#act(user, session, app), session, by });
  }

  /**
   * Returns the app of the session's grant and records its use; null when the grant is unknown or belongs to another
   * user.
   */
  async #appOf(grantId: string, { userId }: Session): Promise<ActingApp | null> {
    const grant = await this.#grants.find(grantId);
    if (grant === null || grant.userId !== userId) return null;
    await this.#grants.noteUse(grantId, this.#clock.now());
    return { grantId, name: grant.clientName };
  }

  #act(user: User, { scope }: Session, app: ActingApp): User {
    const known = this.#acting.get(user) ?? new Map<string, User>();
    const key = `${app.grantId ?? ''} ${scope ?? '*'}`;
    const made = known.get(key);
    if (made !== undefined) return made;
    const acting = {
      ...(scope === undefined ? user : limitedTo(grantOfScope(scope, this.#server.services), user)),
      app,
    };
    this.#acting.set(user, known.set(key, acting));
    return acting;
  }
}
