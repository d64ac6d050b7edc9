import type { Clock } from '#application/ports/clock.ts';
import type { Grants } from '#application/ports/grants.ts';
import type { SessionTokens } from '#application/ports/session-tokens.ts';
import type { Sessions } from '#application/ports/sessions.ts';
import type { Users } from '#application/ports/users.ts';
import { actingUnder } from '#domain/oauth/acting-under.ts';
import { type AppGrant, grantHasEnded } from '#domain/oauth/app-grant.ts';
import { fullScope, underScope } from '#domain/oauth/grant.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isOpen, storedIdOf } from '#domain/sessions/person-session.ts';
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
 * or the stored session through which they act.
 */
export type Caller = Readonly<{ user: User; session: Session; by: Principal }>;

/** Why a request has no caller: it has no credentials, or they are invalid or expired. */
type IdentifyFailure = Readonly<{ reason: 'no_credentials' | 'invalid_session' }>;

/** The ports that identify callers. */
type IdentifyCallerPorts = Readonly<{
  tokens: SessionTokens;
  users: Users;
  grants: Pick<Grants, 'find' | 'noteUse'>;
  sessions: Pick<Sessions, 'find' | 'noteSeen'>;
  clock: Clock;
}>;

/**
 * What sessions are checked against: the services of this server, which bound a token's grant; its base URL; and until
 * when cookies from before sessions were stored count as persons' (Unix ms).
 */
type ThisServer = Readonly<{
  services: readonly ServiceKey[];
  baseUrl: string;
  formerCookiesUntil: number;
}>;

/** The app of a token that names no grant. */
const unnamedApp: ActingApp = { grantId: null, name: null };

/**
 * Identifies the user behind a request. A bearer token takes precedence over the cookie: if it is invalid, the request
 * is rejected even with a valid cookie.
 */
export class IdentifyCaller {
  readonly #ports: IdentifyCallerPorts;
  readonly #server: ThisServer;
  /** Caches users as they act, per user object from the store, by what they act through: a session or scope, or a grant. */
  readonly #acting = new WeakMap<User, Map<string, User>>();
  readonly #actingAsApp = new WeakMap<User, WeakMap<AppGrant, User>>();

  constructor(ports: IdentifyCallerPorts, server: ThisServer) {
    this.#ports = ports;
    this.#server = server;
  }

  /**
   * Returns the caller. Fails with `invalid_session` when the token was not issued by this server, is over 30 days old
   * or has another audience, when the user no longer exists, is deactivated or signed out, when the person's session
   * has ended, and when the grant was revoked or has expired.
   */
  async run({ bearer, cookie }: PresentedCredentials): Promise<Result<Caller, IdentifyFailure>> {
    const { tokens, users, clock } = this.#ports;
    const token = bearer ?? cookie;
    if (token === null) return err({ reason: 'no_credentials' });
    const session = await tokens.open(token);
    const now = clock.now();
    if (session === null || !isCurrent(session, now)) return err({ reason: 'invalid_session' });
    if (!isMeantFor(session, this.#server.baseUrl)) return err({ reason: 'invalid_session' });
    const user = session.userId === guestUserId ? guest : await users.find(session.userId);
    if (user === null || !isValidFor(session, user)) return err({ reason: 'invalid_session' });
    const sentAs = bearer === null ? 'cookie' : 'bearer';
    const by = principalOf(session, { sentAs, countsFormer: now < this.#server.formerCookiesUntil });
    const acting = await this.#acts(user, session, { by, now });
    if (acting !== null && by !== 'guest') void users.noteSeen(user.id, now);
    return acting === null ? err({ reason: 'invalid_session' }) : ok({ user: acting, session, by });
  }

  /** Returns the user as they act through the session; null when it was ended or its grant was revoked. */
  async #acts(
    user: User,
    session: Session,
    { by, now }: Readonly<{ by: Principal; now: number }>,
  ): Promise<User | null> {
    const storedId = session.sessionId === undefined ? null : storedIdOf(session.sessionId);
    if (storedId !== null) {
      const stored = await this.#ports.sessions.find(storedId);
      if (stored === null || !isOpen(stored, user.id, now)) return null;
      await this.#ports.sessions.noteSeen(storedId, now);
    }
    const signedIn = storedId === null ? user : this.#signedInBy(user, storedId);
    if (by !== 'app') return signedIn;
    if (session.grantId === undefined) return this.#actUnnamed(signedIn, session.scope ?? null);
    const grant = await this.#grantOf(session.grantId, session);
    return grant === null ? null : this.#actUnder(signedIn, grant);
  }

  /** Returns the session's grant and records its use; null when it is unknown or belongs to another user. */
  async #grantOf(grantId: string, { userId }: Session): Promise<AppGrant | null> {
    const { grants, clock } = this.#ports;
    const grant = await grants.find(grantId);
    const now = clock.now();
    if (grant === null || grant.userId !== userId || grantHasEnded(grant, now)) return null;
    await grants.noteUse(grantId, now);
    return grant;
  }

  #signedInBy(user: User, storedId: string): User {
    return this.#once(user, `session ${storedId}`, () => ({ ...user, signedInBy: storedId }));
  }

  /** The user as the app of a token acts that names no grant: within the token's scope. */
  #actUnnamed(user: User, scope: string | null): User {
    const make = (): User => ({ ...underScope(scope, user, this.#server.services), app: unnamedApp });
    return this.#once(user, `scope ${scope ?? fullScope}`, make);
  }

  /** The user as the app of a grant acts: within what the grant allows now, whatever it did when the token was issued. */
  #actUnder(user: User, grant: AppGrant): User {
    const known = this.#actingAsApp.get(user) ?? new WeakMap<AppGrant, User>();
    const made = known.get(grant) ?? actingUnder(grant, user, this.#server.services);
    this.#actingAsApp.set(user, known.set(grant, made));
    return made;
  }

  /** Returns what was made before for a user of the store and a key, or makes it. */
  #once(user: User, key: string, make: () => User): User {
    const known = this.#acting.get(user) ?? new Map<string, User>();
    const made = known.get(key) ?? make();
    this.#acting.set(user, known.set(key, made));
    return made;
  }
}
