import type { KeptChanges, KeptQuery } from '#application/ports/kept-changes.ts';
import type { KeptChange, KeptState } from '#domain/changes/kept-change.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

/** The kept changes in the memory of this process. */
export class MemoryKeptChanges implements KeptChanges {
  readonly #changes = new Map<string, KeptChange>();

  async keep(change: KeptChange): Promise<void> {
    this.#changes.set(change.id, frozenCopy(change));
  }

  async settle(id: string, settled: Parameters<KeptChanges['settle']>[1]): Promise<void> {
    const found = this.#changes.get(id);
    if (found?.state === 'begun') this.#changes.set(id, frozenCopy({ ...found, ...settled, state: 'kept' }));
  }

  async remove(id: string): Promise<void> {
    this.#changes.delete(id);
  }

  async find(id: string): Promise<KeptChange | null> {
    return this.#changes.get(id) ?? null;
  }

  async list({ limit, since = 0, before, ...same }: KeptQuery): Promise<readonly KeptChange[]> {
    const isOlder = ({ at, id }: KeptChange) =>
      before === undefined || at < before.at || (at === before.at && id < before.id);
    return [...this.#changes.values()]
      .filter((one) => one.at >= since && isOlder(one) && matches(one, same))
      .sort((left, right) => right.at - left.at || (left.id < right.id ? 1 : -1))
      .slice(0, limit);
  }

  async move(id: string, from: KeptState, to: Parameters<KeptChanges['move']>[2]): Promise<boolean> {
    const found = this.#changes.get(id);
    if (found === undefined || found.state !== from) return false;
    this.#changes.set(id, frozenCopy({ ...found, ...to }));
    return true;
  }

  async removeOf(userId: number): Promise<void> {
    for (const one of this.#changes.values()) if (one.userId === userId) this.#changes.delete(one.id);
  }

  async prune(before: number): Promise<number> {
    const old = [...this.#changes.values()].filter(({ at }) => at < before);
    for (const { id } of old) this.#changes.delete(id);
    return old.length;
  }
}

function matches(change: KeptChange, { userId, grantId, service, recordId }: Partial<KeptQuery>): boolean {
  const isSame = (wanted: unknown, is: unknown) => wanted === undefined || wanted === is;
  return (
    isSame(userId, change.userId) &&
    isSame(grantId, change.grantId) &&
    isSame(service, change.service) &&
    isSame(recordId, change.recordId)
  );
}
