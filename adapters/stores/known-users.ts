import type { KnownServices } from '#adapters/stores/known-services.ts';
import type { NewUser, UserChange, Users, UserWithPassword } from '#application/ports/users.ts';
import { ok, type Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';

/** Hides permissions for services that this server does not have. */
export class KnownUsers implements Users {
  readonly #inner: Users;
  readonly #services: KnownServices;

  constructor(inner: Users, services: KnownServices) {
    this.#inner = inner;
    this.#services = services;
  }

  async find(id: number): Promise<User | null> {
    const user = await this.#inner.find(id);
    return user === null ? null : this.#known(user);
  }

  async findByEmail(email: string): Promise<UserWithPassword | null> {
    const found = await this.#inner.findByEmail(email);
    return found === null ? null : { ...found, user: this.#known(found.user) };
  }

  async list(): Promise<readonly User[]> {
    return (await this.#inner.list()).map((user) => this.#known(user));
  }

  async add(user: NewUser): Promise<Result<User, { reason: 'email_taken' }>> {
    const added = await this.#inner.add(user);
    return added.ok ? ok(this.#known(added.value)) : added;
  }

  change(id: number, change: UserChange): Promise<boolean> {
    return this.#inner.change(id, change);
  }

  #known(user: User): User {
    const permissions = user.permissions.filter((service) => this.#services.has(service, 'users'));
    return permissions.length === user.permissions.length ? user : { ...user, permissions };
  }
}
