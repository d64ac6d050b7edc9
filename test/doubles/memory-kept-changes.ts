import type { KeptChangeStore, SealedRow, StoredKeptChange } from '#adapters/contracts/change-stores.ts';
import type { KeptQuery, KeptSummary } from '#application/ports/kept-changes.ts';
import type { KeptState } from '#domain/changes/kept-change.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

type Texts = SealedRow<'content' | 'irreversible'>;

/** The kept changes in the memory of this process. */
export class MemoryKeptChanges implements KeptChangeStore {
  readonly #changes = new Map<string, StoredKeptChange>();

  async keep(change: StoredKeptChange): Promise<void> {
    this.#changes.set(change.id, frozenCopy(change));
  }

  async settle(id: string, settled: Parameters<KeptChangeStore['settle']>[1]): Promise<void> {
    const found = this.#changes.get(id);
    if (found?.state === 'begun') this.#changes.set(id, frozenCopy({ ...found, ...settled, state: 'kept' }));
  }

  async remove(id: string): Promise<void> {
    this.#changes.delete(id);
  }

  async find(id: string): Promise<StoredKeptChange | null> {
    return this.#changes.get(id) ?? null;
  }

  async list({ limit, since = 0, before, ...same }: KeptQuery): Promise<readonly KeptSummary[]> {
    const isOlder = ({ at, id }: StoredKeptChange) =>
      before === undefined || at < before.at || (at === before.at && id < before.id);
    return [...this.#changes.values()]
      .filter((one) => one.at >= since && isOlder(one) && matches(one, same))
      .sort((left, right) => right.at - left.at || (left.id < right.id ? 1 : -1))
      .slice(0, limit)
      .map(summaryOf);
  }

  async summaries(ids: readonly string[]): Promise<readonly KeptSummary[]> {
    return [...this.#changes.values()].filter(({ id }) => ids.includes(id)).map(summaryOf);
  }

  async move(id: string, from: KeptState, to: Parameters<KeptChangeStore['move']>[2]): Promise<boolean> {
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

  async sealedRows({ after, limit }: Parameters<KeptChangeStore['sealedRows']>[0]): Promise<readonly Texts[]> {
    return [...this.#changes.values()]
      .filter(({ id }) => after === null || id > after)
      .sort((left, right) => (left.id < right.id ? -1 : 1))
      .slice(0, limit)
      .map(({ id, content, irreversible }) => ({ id, texts: { content, irreversible } }));
  }

  async reseal({ id, texts: before }: Texts, { content, irreversible }: Texts['texts']): Promise<boolean> {
    const found = this.#changes.get(id);
    if (found?.content !== before.content || found.irreversible !== before.irreversible) return false;
    this.#changes.set(id, frozenCopy({ ...found, content: content ?? '', irreversible }));
    return true;
  }
}

function summaryOf(stored: StoredKeptChange): KeptSummary {
  const { content: _, ...summary } = stored;
  return summary;
}

function matches(
  change: KeptSummary,
  { userId, grantId, service, recordId, partOf, account }: Partial<KeptQuery>,
): boolean {
  const isSame = (wanted: unknown, is: unknown) => wanted === undefined || wanted === is;
  return (
    isSame(userId, change.userId) &&
    isSame(grantId, change.grantId) &&
    isSame(service, change.service) &&
    isSame(recordId, change.recordId) &&
    isSame(partOf, change.partOf) &&
    isSame(account, change.account)
  );
}
