import type { Clock } from '#application/ports/clock.ts';
import type { Passwords } from '#application/ports/passwords.ts';
import type { Users, UserWithPassword } from '#application/ports/users.ts';
import { isActive } from '#domain/sessions/session.ts';
import { equal } from '#domain/shared/equal.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { passwordErrorOf } from '#domain/users/password.ts';
import type { User } from '#domain/users/user.ts';

/** The dependencies of the use case; `digest` is keyed, and reveals nothing of its parts. */
export type PasswordLinksDependencies = Readonly<{
  users: Pick<Users, 'find' | 'findByEmail' | 'change'>;
  passwords: Passwords;
  clock: Clock;
  digest: (parts: readonly string[]) => string;
}>;

/** The reason why a link set no password. `unknown_link` is one that is used, over, or was never made. */
export type PasswordLinkFailure = Readonly<{ reason: 'unknown_link' | 'password_too_short' | 'password_too_long' }>;

/** How long a link is valid, in ms: three days. */
export const linkLifetimeMs = 3 * 86_400_000;

const linkPattern = /^([1-9]\d{0,14})\.(\d{1,16})\.([\w-]{43})$/;

/**
 * Makes and takes the links by which somebody sets their password: an invitation, or a reset. Nothing of a link is stored: it
 * is a keyed digest over the user's present password hash and last sign-out, so that it is void once it is used, once the
 * password is changed otherwise, and once the user signs out everywhere or is deactivated.
 */
export class PasswordLinks {
  readonly #dependencies: PasswordLinksDependencies;

  constructor(dependencies: PasswordLinksDependencies) {
    this.#dependencies = dependencies;
  }

  /** Makes the secret part of a link for the user, valid for three days. */
  async make({ email }: User): Promise<string | null> {
    const found = await this.#dependencies.users.findByEmail(email);
    if (found === null) return null;
    const until = String(this.#dependencies.clock.now() + linkLifetimeMs);
    return `${found.user.id}.${until}.${this.#digest(found, until)}`;
  }

  /** Returns the user whose password the link can set now, or null. */
  async find(link: string): Promise<User | null> {
    const [, id, until, digest] = linkPattern.exec(link) ?? [];
    if (id === undefined || until === undefined || digest === undefined) return null;
    const { users, clock } = this.#dependencies;
    const user = Number(until) > clock.now() ? await users.find(Number(id)) : null;
    const found = user === null ? null : await users.findByEmail(user.email);
    if (found === null || !isActive(found.user)) return null;
    return equal(digest, this.#digest(found, until)) ? found.user : null;
  }

  /** Sets the password, which ends all sessions of the user and voids the link. */
  async use(link: string, password: string): Promise<Result<User, PasswordLinkFailure>> {
    const { users, passwords, clock } = this.#dependencies;
    if ((await this.find(link)) === null) return err({ reason: 'unknown_link' });
    const error = passwordErrorOf(password);
    if (error !== null) return err({ reason: error });
    const passwordHash = await passwords.hash(password);
    // Hashing takes a while, in which the link may have been used.
    const user = await this.find(link);
    if (user === null) return err({ reason: 'unknown_link' });
    await users.change(user.id, { passwordHash, signedOutBefore: clock.now() + 1 });
    return ok(user);
  }

  #digest({ user, passwordHash }: UserWithPassword, until: string): string {
    const { id, signedOutBefore } = user;
    return this.#dependencies.digest([String(id), until, passwordHash, String(signedOutBefore)]);
  }
}
