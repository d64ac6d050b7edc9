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
  type UserWithPassword,
} from '#bootstrap/package/ports.ts';

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
    return (await this.#read()).find(({ user }) => keyOf(user.email) === keyOf(email)) ?? null;
  }

  async list(): Promise<readonly User[]> {
    return (await this.#read()).map(({ user }) => user);
  }

  add({ email, passwordHash, permissions, isAdmin }: NewUser): Promise<Result<User, { reason: 'email_taken' }>> {
    return this.#inTurn(async (all) => {
      if (all.some(({ user }) => keyOf(user.email) === keyOf(email))) return err({ reason: 'email_taken' as const });
      const id = Math.max(0, ...all.map(({ user }) => user.id)) + 1;
      const user: User = { id, email: email.trim(), permissions, isAdmin, signedOutBefore: null };
      await this.#write([...all, { user, passwordHash }]);
      return ok(user);
    });
  }

  change(id: number, { passwordHash, ...change }: UserChange): Promise<boolean> {
    return this.#inTurn(async (all) => {
      const known = all.find(({ user }) => user.id === id);
      if (known === undefined) return false;
      const changed = { user: { ...known.user, ...change }, passwordHash: passwordHash ?? known.passwordHash };
      await this.#write(all.map((one) => (one === known ? changed : one)));
      return true;
    });
  }

  /** Serializes changes, so that each is applied to the result of the one before. */
  #inTurn<Value>(change: (all: readonly UserWithPassword[]) => Promise<Value>): Promise<Value> {
    const done = this.#turn.then(async () => change(await this.#read()));
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #read(): Promise<readonly UserWithPassword[]> {
    const text = await readFile(this.#file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '[]';
      throw error;
    });
    return JSON.parse(text);
  }

  async #write(all: readonly UserWithPassword[]): Promise<void> {
    await writeFile(`${this.#file}.tmp`, JSON.stringify(all), { mode: 0o600, flush: true });
    await rename(`${this.#file}.tmp`, this.#file);
  }
}
