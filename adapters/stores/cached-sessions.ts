import type { Sessions } from '#application/ports/sessions.ts';
import type { PersonSession } from '#domain/sessions/person-session.ts';
import { frozen } from '#infrastructure/memory/frozen-copy.ts';
import { type Lifetime, ReadThrough } from '#infrastructure/memory/read-through.ts';

/** The cache's TTL in ms and maximum number of entries, and a callback with the user whose session ends through it. */
export type CachedSessionsOptions = Readonly<{
  ttlMs?: Lifetime;
  max?: number;
  onEnd?: (userId: number) => void;
}>;

/**
 * Caches `find`, including misses. A session that ends through this instance is over at once; one ended by another
 * process after `ttlMs` at the latest, or when `forgetUser` is called.
 */
export class CachedSessions implements Sessions {
  readonly #sessions: Sessions;
  readonly #known: ReadThrough<string, Readonly<{ session: PersonSession | null }>>;
  readonly #onEnd: (userId: number) => void;

  constructor(sessions: Sessions, { ttlMs = 1_000, max = 10_000, onEnd = () => {} }: CachedSessionsOptions = {}) {
    this.#sessions = sessions;
    this.#onEnd = onEnd;
    this.#known = new ReadThrough({ max, ttl: ttlMs });
  }

  async find(id: string): Promise<PersonSession | null> {
    return (await this.#known.get(id, async () => ({ session: frozen(await this.#sessions.find(id)) }))).session;
  }

  async begin(session: PersonSession): Promise<void> {
    await this.#sessions.begin(session);
    this.#known.forget(session.id);
  }

  async list(userId: number): Promise<readonly PersonSession[]> {
    return this.#sessions.list(userId);
  }

  async extend(id: string, expiresAt: number): Promise<void> {
    await this.#sessions.extend(id, expiresAt);
    this.#known.forget(id);
  }

  async end(userId: number, id: string): Promise<boolean> {
    const isEnded = await this.#sessions.end(userId, id);
    this.#known.forget(id);
    if (isEnded) this.#onEnd(userId);
    return isEnded;
  }

  async endAll(userId: number): Promise<number> {
    const ended = await this.#sessions.endAll(userId);
    this.forgetUser(userId);
    if (ended > 0) this.#onEnd(userId);
    return ended;
  }

  /** Invalidates the sessions of a user, since they changed elsewhere, and all cached misses, which belong to no user. */
  forgetUser(userId: number): void {
    this.#known.forgetWhere((_, { session }) => session === null || session.userId === userId);
  }

  /** Invalidates all sessions, since changes may have been missed. */
  forgetAll(): void {
    this.#known.forgetWhere(() => true);
  }

  async prune(before: number): Promise<number> {
    return this.#sessions.prune(before);
  }
}
