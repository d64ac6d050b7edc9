import type { Clock } from '#application/ports/clock.ts';
import type { Passwords } from '#application/ports/passwords.ts';
import type { Random } from '#application/ports/random.ts';
import type { Users, UserWithPassword } from '#application/ports/users.ts';
import type { SignOutEverywhere } from '#application/session/sign-out-everywhere.ts';
import { isActive } from '#domain/sessions/session.ts';
import { equal } from '#domain/shared/equal.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { passwordErrorOf } from '#domain/users/password.ts';
import type { User } from '#domain/users/user.ts';

/** The dependencies of the use case; `digest` is keyed and reveals nothing about its parts. */
type PasswordLinksDependencies = Readonly<{
  users: Pick<Users, 'find' | 'findByEmail' | 'change'>;
  passwords: Passwords;
  signOutEverywhere: SignOutEverywhere;
  clock: Clock;
  random: Random;
  digest: (parts: readonly string[]) => string;
}>;

/** Why a link set no password. `unknown_link` is a link that was used, has expired, or was never issued. */
type PasswordLinkFailure = Readonly<{ reason: 'unknown_link' | 'password_too_short' | 'password_too_long' }>;

/** The lifetime of a link, in ms: three days. */
const linkLifetimeMs = 3 * 86_400_000;

const linkPattern = /^([1-9]\d{0,14})\.(\d{1,16})\.([\w-]{43})$/;

/**
 * Issues and redeems password links, for invitations and resets. No state is stored: a link contains a keyed digest
 * over the user's current password hash and last sign-out, so that it becomes invalid when it is used, when the
 * password is changed, and when the user signs out everywhere or is deactivated.
 */
export class PasswordLinks {
  readonly #dependencies: PasswordLinksDependencies;

  constructor(dependencies: PasswordLinksDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the secret part of a link for the user, valid for three days if not said otherwise; null when there is no such user. */
  async make({ email }: User, lifetimeMs: number = linkLifetimeMs): Promise<string | null> {
    const found = await this.#dependencies.users.findByEmail(email);
    if (found === null) return null;
    const until = String(this.#dependencies.clock.now() + lifetimeMs);
    return `${found.user.id}.${until}.${this.#digest(found, until)}`;
  }

  /** Returns the user whose password the link can currently set, or null. */
  async find(link: string): Promise<User | null> {
    const [, id, until, digest] = linkPattern.exec(link) ?? [];
    if (id === undefined || until === undefined || digest === undefined) return null;
    const { users, clock } = this.#dependencies;
    const user = Number(until) > clock.now() ? await users.find(Number(id)) : null;
    const found = user === null ? null : await users.findByEmail(user.email);
    if (found === null || !isActive(found.user)) return null;
    return equal(digest, this.#digest(found, until)) ? found.user : null;
  }

  /** Sets the password, which ends all of the user's sessions and invalidates the link; returns the user. */
  async use(link: string, password: string): Promise<Result<User, PasswordLinkFailure>> {
    const { passwords, signOutEverywhere } = this.#dependencies;
    if ((await this.find(link)) === null) return err({ reason: 'unknown_link' });
    const error = passwordErrorOf(password);
    if (error !== null) return err({ reason: error });
    const passwordHash = await passwords.hash(password);
    // The link may have been used while the password was hashed.
    const user = await this.find(link);
    if (user === null) return err({ reason: 'unknown_link' });
    const signedOutBefore = await signOutEverywhere.run(user.id, { passwordHash, invitedAt: null });
    return ok({ ...user, signedOutBefore, invitedAt: null });
  }

  /**
   * Uses a link up without a password, for a server that takes none; returns the user. No password opens the account
   * afterwards.
   */
  async redeem(link: string): Promise<Result<User, Readonly<{ reason: 'unknown_link' }>>> {
    const { users, passwords, random } = this.#dependencies;
    const passwordHash = await passwords.hash(random.token(32));
    const user = await this.find(link);
    if (user === null) return err({ reason: 'unknown_link' });
    await users.change(user.id, { passwordHash, invitedAt: null });
    return ok(user);
  }

  #digest({ user, passwordHash }: UserWithPassword, until: string): string {
    const { id, signedOutBefore } = user;
    return this.#dependencies.digest([String(id), until, passwordHash, String(signedOutBefore)]);
  }
}
