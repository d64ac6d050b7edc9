import type { NewUser, UserChange, Users, UserWithPassword } from '#application/ports/users.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { emailKeyOf } from '#domain/users/email.ts';
import type { User } from '#domain/users/user.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

/** Users in the memory of this process, for tests and trials. */
export class MemoryUsers implements Users {
  readonly #users = new Map<number, UserWithPassword>();

  async find(id: number): Promise<User | null> {
    return this.#users.get(id)?.user ?? null;
  }

  async findByEmail(email: string): Promise<UserWithPassword | null> {
    return this.#withEmail(email);
  }

  async list(): Promise<readonly User[]> {
    return [...this.#users.values()].map(({ user }) => user);
  }

  async add({
    email,
    passwordHash,
    permissions,
    isAdmin,
    invitedAt = null,
  }: NewUser): Promise<Result<User, { reason: 'email_taken' }>> {
    if (this.#withEmail(email) !== null) return err({ reason: 'email_taken' });
    const added = { id: this.#users.size + 1, email: email.trim(), permissions, isAdmin, signedOutBefore: null };
    const user = withOptional(added, { invitedAt });
    const stored = frozenCopy({ user, passwordHash });
    this.#users.set(user.id, stored);
    return ok(stored.user);
  }

  async change(id: number, change: UserChange): Promise<boolean> {
    const { passwordHash, permissions, isAdmin, signedOutBefore, ...optional } = change;
    const known = this.#users.get(id);
    if (known === undefined) return false;
    const changed = {
      passwordHash: passwordHash ?? known.passwordHash,
      user: {
        ...known.user,
        permissions: permissions ?? known.user.permissions,
        isAdmin: isAdmin ?? known.user.isAdmin,
        signedOutBefore: signedOutBefore ?? known.user.signedOutBefore,
      },
    };
    this.#users.set(id, frozenCopy({ ...changed, user: withOptional(changed.user, optional) }));
    return true;
  }

  #withEmail(email: string): UserWithPassword | null {
    const wanted = emailKeyOf(email);
    return [...this.#users.values()].find(({ user }) => emailKeyOf(user.email) === wanted) ?? null;
  }
}

type Optional = Pick<UserChange, 'deactivatedAt' | 'timeZone' | 'switchedOff'> & Pick<NewUser, 'invitedAt'>;

/** The user with members that most users lack; null and an empty list take one away. */
function withOptional(user: User, change: Optional): User {
  const { deactivatedAt = null, timeZone = null, switchedOff = [], invitedAt = null, ...rest } = { ...user, ...change };
  return {
    ...rest,
    ...(deactivatedAt === null ? {} : { deactivatedAt }),
    ...(invitedAt === null ? {} : { invitedAt }),
    ...(timeZone === null ? {} : { timeZone }),
    ...(switchedOff.length === 0 ? {} : { switchedOff }),
  };
}
