import type { NewUser, UserChange, Users, UserWithPassword } from '#application/ports/users.ts';
import type { Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';
import { frozen } from '#infrastructure/memory/frozen-copy.ts';
import { ReadThrough } from '#infrastructure/memory/read-through.ts';

/** How long answers are kept, how many, and who is told of a user who is changed here. */
export type CachedUsersOptions = Readonly<{ ttlMs?: number; max?: number; onChange?: (userId: number) => void }>;

/**
 * Users with `find` answered from memory for a short while. A change made here is seen at once; one made by another
 * process (the command line) is seen after `ttlMs` at the latest. Who is not there is not remembered.
 */
export class CachedUsers implements Users {
  readonly #users: Users;
  readonly #known: ReadThrough<number, User>;
  readonly #onChange: (userId: number) => void;

  constructor(users: Users, { ttlMs = 1_000, max = 1_000, onChange = () => {} }: CachedUsersOptions = {}) {
    this.#users = users;
    this.#onChange = onChange;
    this.#known = new ReadThrough({ max, ttl: ttlMs });
  }

  async find(id: number): Promise<User | null> {
    return this.#known.get(id, async () => frozen(await this.#users.find(id)));
  }

  async change(id: number, change: UserChange): Promise<boolean> {
    const isChanged = await this.#users.change(id, change);
    this.#known.forget(id);
    this.#onChange(id);
    return isChanged;
  }

  async findByEmail(email: string): Promise<UserWithPassword | null> {
    return this.#users.findByEmail(email);
  }

  async list(): Promise<readonly User[]> {
    return this.#users.list();
  }

  async add(user: NewUser): Promise<Result<User, { reason: 'email_taken' }>> {
    return this.#users.add(user);
  }
}
