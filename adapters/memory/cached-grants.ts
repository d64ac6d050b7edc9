import { LRUCache } from 'lru-cache';
import type { Grants } from '#application/ports/grants.ts';
import { type AppGrant, usePrecisionMs } from '#domain/oauth/app-grant.ts';
import { frozen } from '#infrastructure/memory/frozen-copy.ts';
import { type Lifetime, ReadThrough } from '#infrastructure/memory/read-through.ts';

/** How long answers are kept, in ms, how many, and what is called with the user whose grant is revoked here. */
export type CachedGrantsOptions = Readonly<{
  ttlMs?: Lifetime;
  max?: number;
  onRevoke?: (userId: number) => void;
  /** Called with the error of a use that could not be stored; the call that used the grant does not fail. */
  onError?: (error: unknown) => void;
}>;

/**
 * Answers `find` from memory for a short while, whether there is a grant or not, and passes on one use of a grant in a
 * minute, without delaying the caller. A grant revoked here is gone at once; one revoked by another process after `ttlMs` at the
 * latest, or as soon as `forgetUser` is told of it.
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

  /** Resolves when the uses noted until now are stored. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async remove(userId: number, id: string): Promise<boolean> {
    const isRemoved = await this.#grants.remove(userId, id);
    this.#known.forget(id);
    if (isRemoved) this.#onRevoke(userId);
    return isRemoved;
  }

  /** Has the grants of a user looked up anew, because they were changed somewhere; and those that are not there, which are nobody's. */
  forgetUser(userId: number): void {
    this.#known.forgetWhere((_, { grant }) => grant === null || grant.userId === userId);
  }

  /** Has all grants looked up anew, because changes may have been missed. */
  forgetAll(): void {
    this.#known.forgetWhere(() => true);
  }

  async prune(before: number): Promise<number> {
    return this.#grants.prune(before);
  }
}
