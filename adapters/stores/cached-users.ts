import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { SessionTokens } from '#application/ports/session-tokens.ts';
import type { NewUser, UserChange, Users, UserWithPassword } from '#application/ports/users.ts';
import type { Session } from '#domain/sessions/session.ts';
import type { Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';
import { frozen } from '#infrastructure/memory/frozen-copy.ts';
import { type Lifetime, ReadThrough } from '#infrastructure/memory/read-through.ts';

/**
 * Caches decrypted session tokens by digest; the token itself is not kept. Invalid tokens are not cached, so that a
 * flood of forged ones cannot evict valid ones. The caller checks the session's age each time.
 */
export class CachedSessionTokens implements SessionTokens {
  readonly #tokens: SessionTokens;
  readonly #opened: LRUCache<string, Session>;

  constructor(tokens: SessionTokens, max = 10_000) {
    this.#tokens = tokens;
    this.#opened = new LRUCache({ max });
  }

  async seal(session: Session): Promise<string> {
    return this.#tokens.seal(session);
  }

  async open(token: string): Promise<Session | null> {
    const digest = hash('sha256', token, 'base64');
    const known = this.#opened.get(digest);
    if (known !== undefined) return known;
    const session = await this.#tokens.open(token);
    if (session !== null) this.#opened.set(digest, session);
    return session;
  }
}

/** The cache's TTL and maximum number of entries, and a callback with the user who is changed through it. */
export type CachedUsersOptions = Readonly<{ ttlMs?: Lifetime; max?: number; onChange?: (userId: number) => void }>;

/**
 * Caches `find` of users. A change made through this instance is seen at once, one by another process (the command
 * line) after `ttlMs` at the latest. Missing users are not cached.
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

  find(id: number): Promise<User | null> {
    return this.#known.get(id, async () => frozen(await this.#users.find(id)));
  }

  async change(id: number, change: UserChange): Promise<boolean> {
    const isChanged = await this.#users.change(id, change);
    this.#known.forget(id);
    this.#onChange(id);
    return isChanged;
  }

  /** Invalidates a user, who was changed elsewhere. */
  forget(id: number): void {
    this.#known.forget(id);
  }

  /** Invalidates all users, since changes may have been missed. */
  forgetAll(): void {
    this.#known.forgetWhere(() => true);
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
