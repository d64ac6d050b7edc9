import type { NewUser, UserChange, Users, UserWithPassword } from '#application/ports/users.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';

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

  async add({ email, passwordHash, permissions, isAdmin }: NewUser): Promise<Result<User, { reason: 'email_taken' }>> {
    if (this.#withEmail(email) !== null) return err({ reason: 'email_taken' });
    const user = { id: this.#users.size + 1, email, permissions: [...permissions], isAdmin, signedOutBefore: null };
    this.#users.set(user.id, { user, passwordHash });
    return ok(user);
  }

  async change(id: number, { passwordHash, permissions, isAdmin, signedOutBefore }: UserChange): Promise<boolean> {
    const known = this.#users.get(id);
    if (known === undefined) return false;
    this.#users.set(id, {
      passwordHash: passwordHash ?? known.passwordHash,
      user: {
        ...known.user,
        permissions: permissions ?? known.user.permissions,
        isAdmin: isAdmin ?? known.user.isAdmin,
        signedOutBefore: signedOutBefore ?? known.user.signedOutBefore,
      },
    });
    return true;
  }

  #withEmail(email: string): UserWithPassword | null {
    const wanted = email.toLowerCase();
    return [...this.#users.values()].find(({ user }) => user.email.toLowerCase() === wanted) ?? null;
  }
}
