import { LRUCache } from 'lru-cache';
import type { Grants } from '#application/ports/grants.ts';
import { type AppGrant, usePrecisionMs } from '#domain/oauth/app-grant.ts';
import { frozen } from '#infrastructure/memory/frozen-copy.ts';
import { type Lifetime, ReadThrough } from '#infrastructure/memory/read-through.ts';

/**
 * The cache's TTL in ms and maximum number of entries, and a callback with the user whose grant is revoked through it.
 */
export type CachedGrantsOptions = Readonly<{
  ttlMs?: Lifetime;
  max?: number;
  onRevoke?: (userId: number) => void;
  /** Called when a use could not be stored; the call that used the grant does not fail. */
  onError?: (error: unknown) => void;
}>;

/**
 * Caches `find`, including misses, and stores at most one use of a grant per minute without delaying the caller. A
 * grant revoked through this instance is invalid at once; one revoked by another process after `ttlMs` at the latest,
 * or when `forgetUser` is called.
 */
export class CachedGrants implements Grants {
  readonly #grants: Grants;
  readonly #known: ReadThrough<string, Readonly<{ grant: AppGrant | null }>>;
  readonly #noted: LRUCache<string, number>;
  readonly #onRevoke: (userId: number) => void;
  readonly #onError: (error: unknown) => void;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(grants: Grants, options: CachedGrantsOptions = {}) {
    const { ttlMs = 1_000, max = 10_000, onRevoke = () => {}, onError = () => {} } = options;
    this.#grants = grants;
    this.#onError = onError;
    this.#onRevoke = onRevoke;
    this.#known = new ReadThrough({ max, ttl: ttlMs });
    this.#noted = new LRUCache({ max });
  }

  async find(id: string): Promise<AppGrant | null> {
    return (await this.#known.get(id, async () => ({ grant: frozen(await this.#grants.find(id)) }))).grant;
  }

  async keep(grant: AppGrant): Promise<void> {
    await this.#grants.keep(grant);
    this.#known.forget(grant.id);
  }

  async list(userId: number): Promise<readonly AppGrant[]> {
    return this.#grants.list(userId);
  }

  async noteUse(id: string, at: number): Promise<void> {
    const noted = this.#noted.get(id);
    if (noted !== undefined && at - noted < usePrecisionMs) return;
    this.#noted.set(id, at);
    const write = this.#grants.noteUse(id, at).catch(this.#onError);
    this.#writing = Promise.all([this.#writing, write]);
  }

  /** Resolves when all uses recorded so far are stored. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async remove(userId: number, id: string): Promise<boolean> {
    const isRemoved = await this.#grants.remove(userId, id);
    this.#known.forget(id);
    if (isRemoved) this.#onRevoke(userId);
    return isRemoved;
  }

  /** Invalidates the grants of a user, since they changed elsewhere, and all cached misses, which belong to no user. */
  forgetUser(userId: number): void {
    this.#known.forgetWhere((_, { grant }) => grant === null || grant.userId === userId);
  }

  /** Invalidates all grants, since changes may have been missed. */
  forgetAll(): void {
    this.#known.forgetWhere(() => true);
  }

  async prune(before: number): Promise<number> {
    return this.#grants.prune(before);
  }
}
