import type { ApprovalStore, SealedRow, StoredApproval } from '#adapters/contracts/change-stores.ts';
import type { ApprovalQuery, WaitingCounts } from '#application/ports/approvals.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

type Texts = SealedRow<'content' | 'outcome' | 'comment'>;

/** The approvals in the memory of this process. */
export class MemoryApprovals implements ApprovalStore {
  readonly #approvals = new Map<string, StoredApproval>();

  async keep(approval: StoredApproval): Promise<StoredApproval> {
    const { userId, grantId, digest, at } = approval;
    const isSame = (one: StoredApproval) =>
      one.userId === userId && one.grantId === grantId && one.digest === digest && at < one.expiresAt;
    const waits = ({ state }: StoredApproval) => state === 'waiting';
    const same = [...this.#approvals.values()].find((one) => waits(one) && waits(approval) && isSame(one));
    if (same !== undefined) return same;
    this.#approvals.set(approval.id, frozenCopy(approval));
    return approval;
  }

  async find(id: string): Promise<StoredApproval | null> {
    return this.#approvals.get(id) ?? null;
  }

  async list({
    userId,
    isWaiting = false,
    states,
    digest,
    before,
    limit,
  }: ApprovalQuery): Promise<readonly StoredApproval[]> {
    const isEarlier = ({ at, id }: StoredApproval): boolean =>
      before === undefined || at < before.at || (at === before.at && id < before.id);
    return [...this.#approvals.values()]
      .filter((one) => one.userId === userId && (!isWaiting || one.state === 'waiting'))
      .filter(({ state }) => states?.includes(state) !== false)
      .filter((one) => (digest === undefined || one.digest === digest) && isEarlier(one))
      .sort((left, right) => right.at - left.at || (left.id < right.id ? 1 : -1))
      .slice(0, limit);
  }

  async waiting({ userId, grantId, now }: Parameters<ApprovalStore['waiting']>[0]): Promise<WaitingCounts> {
    const waiting = [...this.#approvals.values()].filter(
      (one) => one.userId === userId && one.state === 'waiting' && now < one.expiresAt,
    );
    return { ofApp: waiting.filter((one) => one.grantId === grantId).length, ofUser: waiting.length };
  }

  async move(id: string, from: StoredApproval['state'], to: Parameters<ApprovalStore['move']>[2]): Promise<boolean> {
    return this.#replace(id, from, to);
  }

  async end(id: string, outcome: string, until: number): Promise<boolean> {
    return this.#replace(id, 'running', { state: 'done', outcome, expiresAt: until });
  }

  async renew(id: string, renewed: Parameters<ApprovalStore['renew']>[1]): Promise<boolean> {
    return this.#replace(id, 'running', { ...renewed, state: 'waiting', decidedAt: null });
  }

  async removeOf(userId: number, grantId: string | null): Promise<void> {
    for (const one of this.#approvals.values()) {
      if (one.userId === userId && (grantId === null || one.grantId === grantId)) this.#approvals.delete(one.id);
    }
  }

  async prune(before: number): Promise<number> {
    const old = [...this.#approvals.values()].filter(({ expiresAt }) => expiresAt < before);
    for (const { id } of old) this.#approvals.delete(id);
    return old.length;
  }

  async sealedRows({ after, limit }: Parameters<ApprovalStore['sealedRows']>[0]): Promise<readonly Texts[]> {
    return [...this.#approvals.values()]
      .filter(({ id }) => after === null || id > after)
      .sort((left, right) => (left.id < right.id ? -1 : 1))
      .slice(0, limit)
      .map(({ id, content, outcome, comment }) => ({ id, texts: { content, outcome, comment } }));
  }

  async reseal({ id, texts: before }: Texts, { content, outcome, comment }: Texts['texts']): Promise<boolean> {
    const found = this.#approvals.get(id);
    if (found?.content !== before.content || found.outcome !== before.outcome || found.comment !== before.comment)
      return false;
    return this.#replace(id, found.state, { content: content ?? '', outcome, comment });
  }

  #replace(id: string, from: StoredApproval['state'], change: Partial<StoredApproval>): boolean {
    const found = this.#approvals.get(id);
    if (found === undefined || found.state !== from) return false;
    this.#approvals.set(id, frozenCopy({ ...found, ...change }));
    return true;
  }
}
