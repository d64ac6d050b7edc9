import { raw } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sqlite';
import { NotificationRow } from '#adapters/persistence/schema/notifications.ts';
import { UserRow } from '#adapters/persistence/schema/users.ts';
import { openRow } from '#adapters/persistence/sql-notifications.ts';
import type {
  NewUser,
  NotificationsOfUser,
  UserChange,
  UserFilter,
  Users,
  UsersQuery,
  UserWithPassword,
} from '#application/ports/users.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { emailKeyOf, nameKeyOf, searchKeyOf } from '#domain/users/email.ts';
import type { User } from '#domain/users/user.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { given, Table, type TableRow } from '#infrastructure/database/table.ts';

/** Stores the users in the database. */
export class MikroOrmUsers implements Users {
  readonly #database: Database;
  readonly #users;
  readonly #notifications;

  constructor(database: Database) {
    this.#database = database;
    this.#users = new Table(database, UserRow);
    this.#notifications = new Table(database, NotificationRow);
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

  async page({ after, limit, ...filter }: UsersQuery): Promise<readonly User[]> {
    const query = this.#users.qb().select('*').where(conditionsOf(filter));
    if (after !== undefined) query.andWhere({ id: { $gt: after } });
    for (const text of textsOf(filter)) query.andWhere(text);
    query.orderBy({ id: 'asc' }).limit(Math.trunc(limit));
    return (await this.#users.rows(query)).map(toUser);
  }

  async findAll(ids: readonly number[]): Promise<readonly User[]> {
    return ids.length === 0 ? [] : (await this.#users.list({ id: { $in: [...ids] } })).map(toUser);
  }

  async add(user: NewUser, notifications?: NotificationsOfUser): Promise<Result<User, { reason: 'email_taken' }>> {
    if (notifications === undefined) return this.#add(user);
    return this.#database.em.fork().transactional(async (em) => {
      const added = await this.#add(user, em);
      for (const one of added.ok ? notifications(added.value) : []) await this.#notifications.add(openRow(one), em);
      return added;
    });
  }

  async #add(
    { email, name = null, ...user }: NewUser,
    em?: SqlEntityManager,
  ): Promise<Result<User, { reason: 'email_taken' }>> {
    const keys = { emailKey: emailKeyOf(email), searchKey: searchKeyOf(email, name) };
    const row = { ...user, name, email: email.trim(), ...keys, signedOutBefore: null };
    const query = this.#users.into(row, em).onConflict(['emailKey']).ignore().returning('*');
    const [added] = await this.#users.rows(query);
    return added === undefined ? err({ reason: 'email_taken' }) : ok(toUser(added));
  }

  async change(id: number, change: UserChange): Promise<boolean> {
    const { name } = change;
    const searchKey = name === undefined ? {} : { searchKey: raw('email_key || ?', [nameKeyOf(name)]) };
    const values = { ...given(change), ...searchKey };
    if (Object.keys(values).length === 0) return (await this.#users.qb().where({ id }).getCount()) === 1;
    return (await this.#users.update({ id }, values)) === 1;
  }

  async noteSeen(id: number, seenAt: number): Promise<void> {
    await this.#users.update({ id }, { seenAt });
  }

  async remove(id: number): Promise<boolean> {
    return (await this.#users.delete({ id })) === 1;
  }
}

/** The conditions of a filter on the state and the role. */
function conditionsOf({ state, isAdmin }: UserFilter) {
  const states = {
    invited: { deactivatedAt: null, invitedAt: { $ne: null } },
    active: { deactivatedAt: null, invitedAt: null },
    deactivated: { deactivatedAt: { $ne: null } },
  } as const;
  return { ...(state === undefined ? {} : states[state]), ...(isAdmin === undefined ? {} : { isAdmin }) };
}

/** The conditions of a filter on texts. */
function textsOf({ search, permission, without }: UserFilter) {
  return [
    ...(search === undefined ? [] : [containing('search_key', emailKeyOf(search))]),
    ...(permission === undefined ? [] : [containing('permissions', JSON.stringify(permission))]),
    ...(without === undefined ? [] : [containing('permissions', JSON.stringify(without), 'not like')]),
  ];
}

/** Matches a text anywhere in the column, or nowhere in it, with escaped wildcards. */
function containing(column: string, text: string, how: 'like' | 'not like' = 'like') {
  return raw(`${column} ${how} ? escape '\\'`, [`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`]);
}

function toUser({
  deactivatedAt,
  timeZone,
  switchedOff,
  name,
  invitedAt,
  seenAt,
  ...row
}: TableRow<typeof UserRow>): User {
  const { id, email, permissions, isAdmin, signedOutBefore } = row;
  return {
    id,
    email,
    permissions,
    isAdmin,
    signedOutBefore,
    ...(deactivatedAt === null ? {} : { deactivatedAt }),
    ...(timeZone === null ? {} : { timeZone }),
    ...(name === null ? {} : { name }),
    ...(invitedAt === null ? {} : { invitedAt }),
    ...(seenAt === null ? {} : { seenAt }),
    ...(switchedOff === null || switchedOff.length === 0 ? {} : { switchedOff }),
  };
}
