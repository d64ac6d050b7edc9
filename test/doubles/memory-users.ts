import type { NewUser, UserChange, Users, UsersQuery, UserWithPassword } from '#application/ports/users.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { emailKeyOf, searchKeyOf } from '#domain/users/email.ts';
import type { User } from '#domain/users/user.ts';
import { userStateOf } from '#domain/users/user-state.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

/** Users in the memory of this process, for tests and trials. */
export class MemoryUsers implements Users {
  readonly #users = new Map<number, UserWithPassword>();
  #lastId = 0;

  async find(id: number): Promise<User | null> {
    return this.#users.get(id)?.user ?? null;
  }

  async findByEmail(email: string): Promise<UserWithPassword | null> {
    return this.#withEmail(email);
  }

  async list(): Promise<readonly User[]> {
    return [...this.#users.values()].map(({ user }) => user);
  }

  async page({ after = 0, limit, search, state, isAdmin, permission, without }: UsersQuery): Promise<readonly User[]> {
    const wanted = search === undefined ? '' : emailKeyOf(search);
    return (await this.list())
      .filter(
        (user) =>
          user.id > after &&
          searchKeyOf(user.email, user.name ?? null).includes(wanted) &&
          (state ?? userStateOf(user)) === userStateOf(user) &&
          (isAdmin ?? user.isAdmin) === user.isAdmin &&
          (permission === undefined || user.permissions.includes(permission)) &&
          (without === undefined || !user.permissions.includes(without)),
      )
      .slice(0, limit);
  }

  async findAll(ids: readonly number[]): Promise<readonly User[]> {
    return (await this.list()).filter(({ id }) => ids.includes(id));
  }

  async add({
    email,
    passwordHash,
    permissions,
    isAdmin,
    ...optional
  }: NewUser): Promise<Result<User, { reason: 'email_taken' }>> {
    if (this.#withEmail(email) !== null) return err({ reason: 'email_taken' });
    this.#lastId += 1;
    const user = { id: this.#lastId, email: email.trim(), permissions, isAdmin, signedOutBefore: null };
    const stored = frozenCopy({ user: withOptional(user, optional), passwordHash });
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

  async noteSeen(id: number, seenAt: number): Promise<void> {
    const known = this.#users.get(id);
    if (known !== undefined) this.#users.set(id, frozenCopy({ ...known, user: { ...known.user, seenAt } }));
  }

  async remove(id: number): Promise<boolean> {
    return this.#users.delete(id);
  }

  #withEmail(email: string): UserWithPassword | null {
    const wanted = emailKeyOf(email);
    return [...this.#users.values()].find(({ user }) => emailKeyOf(user.email) === wanted) ?? null;
  }
}

type Optional = Pick<UserChange, 'deactivatedAt' | 'timeZone' | 'switchedOff' | 'name' | 'invitedAt'>;

/** The user with members that most users lack; null and an empty list take one away. */
function withOptional(user: User, change: Optional): User {
  const known = { ...user, ...change };
  const { deactivatedAt = null, timeZone = null, switchedOff = [], name = null, invitedAt = null, ...rest } = known;
  return {
    ...rest,
    ...(deactivatedAt === null ? {} : { deactivatedAt }),
    ...(timeZone === null ? {} : { timeZone }),
    ...(name === null ? {} : { name }),
    ...(invitedAt === null ? {} : { invitedAt }),
    ...(switchedOff.length === 0 ? {} : { switchedOff }),
  };
}
