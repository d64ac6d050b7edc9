import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { toUser, UserRow, userPlace } from '#adapters/persistence/user-row.ts';
import type { NewUser, UserChange, Users, UserWithPassword } from '#application/ports/users.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { emailKeyOf } from '#domain/users/email.ts';
import type { User } from '#domain/users/user.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

/** Stores the users in the database. */
export class MikroOrmUsers implements Users {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(id: number): Promise<User | null> {
    const row = await this.#database.em.fork().findOne(UserRow, { id });
    return row === null ? null : (this.#read([row])[0] ?? null);
  }

  async findByEmail(email: string): Promise<UserWithPassword | null> {
    const row = await this.#database.em.fork().findOne(UserRow, { emailKey: emailKeyOf(email) });
    const [user] = row === null ? [] : this.#read([row]);
    return row === null || user === undefined ? null : { user, passwordHash: row.passwordHash };
  }

  async list(): Promise<readonly User[]> {
    const rows = await this.#database.em.fork().findAll(UserRow, { orderBy: { id: 'asc' } });
    return this.#read(rows);
  }

  #read(rows: readonly unknown[]): readonly User[] {
    return this.#database.rows.read(userPlace, rows, toUser);
  }

  async add({ email, passwordHash, permissions, isAdmin }: NewUser): Promise<Result<User, { reason: 'email_taken' }>> {
    const em = this.#database.em.fork();
    const row = em.create(UserRow, {
      email: email.trim(),
      emailKey: emailKeyOf(email),
      passwordHash,
      permissions: JSON.stringify(permissions),
      isAdmin,
      signedOutBefore: null,
    });
    try {
      await em.persist(row).flush();
    } catch (error) {
      if (error instanceof UniqueConstraintViolationException) return err({ reason: 'email_taken' });
      throw error;
    }
    return ok(toUser(row));
  }

  async change(id: number, change: UserChange): Promise<boolean> {
    const { passwordHash, permissions, isAdmin, signedOutBefore, deactivatedAt, timeZone, switchedOff } = change;
    const values = {
      ...(passwordHash === undefined ? {} : { passwordHash }),
      ...(permissions === undefined ? {} : { permissions: JSON.stringify(permissions) }),
      ...(isAdmin === undefined ? {} : { isAdmin }),
      ...(signedOutBefore === undefined ? {} : { signedOutBefore }),
      ...(deactivatedAt === undefined ? {} : { deactivatedAt }),
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(switchedOff === undefined ? {} : { switchedOff: JSON.stringify(switchedOff) }),
    };
    const em = this.#database.em.fork();
    if (Object.keys(values).length === 0) return (await em.count(UserRow, { id })) === 1;
    return (await em.nativeUpdate(UserRow, { id }, values)) === 1;
  }
}
