import { UserRow } from '#adapters/persistence/schema/users.ts';
import type { NewUser, UserChange, Users, UserWithPassword } from '#application/ports/users.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { emailKeyOf } from '#domain/users/email.ts';
import type { User } from '#domain/users/user.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { given, Table, type TableRow } from '#infrastructure/database/table.ts';

/** Stores the users in the database. */
export class MikroOrmUsers implements Users {
  readonly #users;

  constructor(database: Database) {
    this.#users = new Table(database, UserRow);
  }

  async find(id: number): Promise<User | null> {
    const row = await this.#users.find({ id });
    return row === null ? null : toUser(row);
  }

  async findByEmail(email: string): Promise<UserWithPassword | null> {
    const row = await this.#users.find({ emailKey: emailKeyOf(email) });
    return row === null ? null : { user: toUser(row), passwordHash: row.passwordHash };
  }

  async list(): Promise<readonly User[]> {
    return (await this.#users.list({}, { id: 'asc' })).map(toUser);
  }

  async add({ email, ...user }: NewUser): Promise<Result<User, { reason: 'email_taken' }>> {
    const row = { ...user, email: email.trim(), emailKey: emailKeyOf(email), signedOutBefore: null };
    const query = this.#users.into(row).onConflict(['emailKey']).ignore().returning('*');
    const [added] = await this.#users.rows(query);
    return added === undefined ? err({ reason: 'email_taken' }) : ok(toUser(added));
  }

  async change(id: number, change: UserChange): Promise<boolean> {
    const values = given(change);
    if (Object.keys(values).length === 0) return (await this.#users.qb().where({ id }).getCount()) === 1;
    return (await this.#users.update({ id }, values)) === 1;
  }
}

function toUser({ deactivatedAt, timeZone, switchedOff, invitedAt, ...row }: TableRow<typeof UserRow>): User {
  const { id, email, permissions, isAdmin, signedOutBefore } = row;
  return {
    id,
    email,
    permissions,
    isAdmin,
    signedOutBefore,
    ...(deactivatedAt === null ? {} : { deactivatedAt }),
    ...(invitedAt === null ? {} : { invitedAt }),
    ...(timeZone === null ? {} : { timeZone }),
    ...(switchedOff === null || switchedOff.length === 0 ? {} : { switchedOff }),
  };
}
