import type { Clock } from '#application/ports/clock.ts';
import type { Random } from '#application/ports/random.ts';
import type { SessionTokens } from '#application/ports/session-tokens.ts';
import type { Sessions } from '#application/ports/sessions.ts';
import type { Caller } from '#application/session/identify-caller.ts';
import {
  type PersonSession,
  sessionEndsAt,
  sessionIdBytes,
  shownUserAgent,
  storedIdOf,
} from '#domain/sessions/person-session.ts';
import { issuedFor } from '#domain/sessions/session.ts';
import type { User } from '#domain/users/user.ts';

/** A person with a new session, which is also encrypted for the cookie. */
export type SignedIn = Caller & Readonly<{ token: string }>;

/** How a session is begun: the way, the browser's `User-Agent`, and when the person signed in; now by default. */
type Beginning = Readonly<{ begunBy: PersonSession['begunBy']; userAgent: string; begunAt?: number }>;

/** The ports that begin sessions, and the audience of cookies; null for none. */
type BeginSessionDependencies = Readonly<{
  sessions: Pick<Sessions, 'begin'>;
  tokens: Pick<SessionTokens, 'seal'>;
  random: Random;
  clock: Clock;
  audience: string | null;
}>;

/** Begins the session of a person who has signed in. Nothing else makes a person's session. */
export class BeginSession {
  readonly #dependencies: BeginSessionDependencies;

  constructor(dependencies: BeginSessionDependencies) {
    this.#dependencies = dependencies;
  }

  /** Stores a new session of the user, and returns it. */
  async run(user: User, { begunBy, userAgent, begunAt }: Beginning): Promise<SignedIn> {
    const { sessions, tokens, random, clock, audience } = this.#dependencies;
    const sessionId = random.token(sessionIdBytes);
    const issuedAt = issuedFor(user, clock.now());
    const since = begunAt ?? issuedAt;
    const stored: PersonSession = {
      id: storedIdOf(sessionId),
      userId: user.id,
      begunBy,
      begunAt: since,
      expiresAt: sessionEndsAt({ begunBy, begunAt: since }, issuedAt),
      userAgent: shownUserAgent(userAgent),
    };
    await sessions.begin(stored);
    const session = { userId: user.id, issuedAt, sessionId, ...(audience === null ? {} : { audience }) };
    return { user: { ...user, signedInBy: stored.id }, session, by: 'person', token: await tokens.seal(session) };
  }
}
