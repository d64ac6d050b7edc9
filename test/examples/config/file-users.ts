import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  err,
  type NewUser,
  ok,
  type Result,
  type Store,
  type User,
  type UserChange,
  type Users,
  type UsersQuery,
  type UserWithPassword,
  userStateOf,
} from '#bootstrap/package/ports.ts';

/** What the file has: the users, and the highest id that was ever given. */
type Kept = Readonly<{ lastId: number; users: readonly UserWithPassword[] }>;

const keyOf = (email: string): string => email.trim().normalize('NFC').toLowerCase();

/** Stores users in one JSON file, which each change rewrites. Only one process at a time may change it. */
export class FileUsers implements Users, Store {
  readonly #file: string;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(dataDir: string) {
    this.#file = join(dataDir, 'users.json');
  }

  async ready(): Promise<void> {
    await this.#read();
  }

  async close(): Promise<void> {
    await this.#turn;
  }

  async find(id: number): Promise<User | null> {
    return (await this.list()).find((user) => user.id === id) ?? null;
  }

  async findByEmail(email: string): Promise<UserWithPassword | null> {
    return (await this.#read()).users.find(({ user }) => keyOf(user.email) === keyOf(email)) ?? null;
  }

  async list(): Promise<readonly User[]> {
    return (await this.#read()).users.map(({ user }) => user);
  }

  async page({ after = 0, limit, search, state, isAdmin, permission, without }: UsersQuery): Promise<readonly User[]> {
    return (await this.list())
      .filter(
        (user) =>
          user.id > after &&
          keyOf(`${user.email}\n${user.name ?? ''}`).includes(keyOf(search ?? '')) &&
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

  add({
    email,
    passwordHash,
    permissions,
    isAdmin,
    ...more
  }: NewUser): Promise<Result<User, { reason: 'email_taken' }>> {
    return this.#inTurn(async ({ lastId, users }) => {
      if (users.some(({ user }) => keyOf(user.email) === keyOf(email))) return err({ reason: 'email_taken' as const });
      const id = lastId + 1;
      const user: User = { id, email: email.trim(), permissions, isAdmin, ...more, signedOutBefore: null };
      await this.#write({ lastId: id, users: [...users, { user, passwordHash }] });
      return ok(user);
    });
  }

  change(id: number, { passwordHash, ...change }: UserChange): Promise<boolean> {
    return this.#inTurn(async ({ lastId, users }) => {
      const known = users.find(({ user }) => user.id === id);
      if (known === undefined) return false;
      const changed = { user: { ...known.user, ...change }, passwordHash: passwordHash ?? known.passwordHash };
      await this.#write({ lastId, users: users.map((one) => (one === known ? changed : one)) });
      return true;
    });
  }

  async noteSeen(id: number, seenAt: number): Promise<void> {
    await this.#inTurn(async ({ lastId, users }) => {
      const seen = users.map((one) => (one.user.id === id ? { ...one, user: { ...one.user, seenAt } } : one));
      await this.#write({ lastId, users: seen });
    });
  }

  remove(id: number): Promise<boolean> {
    return this.#inTurn(async ({ lastId, users }) => {
      const left = users.filter(({ user }) => user.id !== id);
      await this.#write({ lastId, users: left });
      return left.length < users.length;
    });
  }

  /** Serializes changes, so that each is applied to the result of the one before. */
  #inTurn<Value>(change: (kept: Kept) => Promise<Value>): Promise<Value> {
    const done = this.#turn.then(async () => change(await this.#read()));
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #read(): Promise<Kept> {
    const text = await readFile(this.#file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{"lastId":0,"users":[]}';
      throw error;
    });
    return JSON.parse(text);
  }

  async #write(kept: Kept): Promise<void> {
    await writeFile(`${this.#file}.tmp`, JSON.stringify(kept), { mode: 0o600, flush: true });
    await rename(`${this.#file}.tmp`, this.#file);
  }
}
