import type { Clock } from '#application/ports/clock.ts';
import type { Sessions } from '#application/ports/sessions.ts';
import type { SignedIn } from '#application/session/begin-session.ts';
import type { LogIn, LogInFailure } from '#application/session/log-in.ts';
import type { Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';

/** How long after signing in a person may do what only a recent sign-in allows, in ms: 10 minutes. */
const recentMs = 600_000;

type RecentSignInDependencies = Readonly<{ sessions: Pick<Sessions, 'find' | 'end'>; logIn: LogIn; clock: Clock }>;

/** What a browser sends when its person enters the password again. */
type Password = Omit<Parameters<LogIn['run']>[0], 'email'>;

/** Whether a person signed in recently, and how they do so again without leaving the page. */
export class RecentSignIn {
  readonly #dependencies: RecentSignInDependencies;

  constructor(dependencies: RecentSignInDependencies) {
    this.#dependencies = dependencies;
  }

  /** Whether the session was begun by signing in within the last 10 minutes; false for one that is not stored. */
  async isRecent({ signedInBy }: User): Promise<boolean> {
    if (signedInBy === undefined) return false;
    const { sessions, clock } = this.#dependencies;
    const session = await sessions.find(signedInBy);
    return session !== null && Math.abs(clock.now() - session.begunAt) < recentMs;
  }

  /** Signs the same person in again by their password: the new session takes the place of the one before. */
  async again({ id, email, signedInBy }: User, password: Password): Promise<Result<SignedIn, LogInFailure>> {
    const { sessions, logIn } = this.#dependencies;
    const signedIn = await logIn.run({ ...password, email });
    if (signedIn.ok && signedInBy !== undefined) await sessions.end(id, signedInBy);
    return signedIn;
  }
}
