import type { Grants } from '#application/ports/grants.ts';
import type { AppGrant, GrantChange } from '#domain/oauth/app-grant.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

/** The grants of apps in the memory of this process. */
export class MemoryGrants implements Grants {
  readonly #grants = new Map<string, AppGrant>();

  async keep(grant: AppGrant): Promise<void> {
    this.#grants.set(grant.id, frozenCopy(grant));
  }

  async find(id: string): Promise<AppGrant | null> {
    return this.#grants.get(id) ?? null;
  }

  async list(userId: number): Promise<readonly AppGrant[]> {
    return [...this.#grants.values()]
      .filter((grant) => grant.userId === userId)
      .sort((left, right) => right.since - left.since || (left.id < right.id ? -1 : 1));
  }

  async noteUse(id: string, at: number): Promise<void> {
    const grant = this.#grants.get(id);
    if (grant === undefined || (grant.lastUsedAt !== null && grant.lastUsedAt >= at)) return;
    this.#grants.set(id, frozenCopy({ ...grant, lastUsedAt: at }));
  }

  async change(userId: number, id: string, change: GrantChange): Promise<boolean> {
    const grant = this.#grants.get(id);
    if (grant?.userId !== userId) return false;
    this.#grants.set(id, frozenCopy({ ...grant, ...change }));
    return true;
  }

  async remove(userId: number, id: string): Promise<boolean> {
    return this.#grants.get(id)?.userId === userId && this.#grants.delete(id);
  }

  async prune(before: number): Promise<number> {
    const old = [...this.#grants.values()].filter(({ since }) => since < before);
    for (const { id } of old) this.#grants.delete(id);
    return old.length;
  }
}
