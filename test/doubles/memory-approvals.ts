import type { Approvals, RenewedApproval, WaitingCounts } from '#application/ports/approvals.ts';
import type { Approval } from '#domain/changes/approval.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

/** The approvals in the memory of this process. */
export class MemoryApprovals implements Approvals {
  readonly #approvals = new Map<string, Approval>();

  async keep(approval: Approval): Promise<void> {
    this.#approvals.set(approval.id, frozenCopy(approval));
  }

  async find(id: string): Promise<Approval | null> {
    return this.#approvals.get(id) ?? null;
  }

  async list({ userId, isWaiting = false, limit }: Parameters<Approvals['list']>[0]): Promise<readonly Approval[]> {
    return [...this.#approvals.values()]
      .filter((one) => one.userId === userId && (!isWaiting || one.state === 'waiting'))
      .sort((left, right) => right.at - left.at || (left.id < right.id ? -1 : 1))
      .slice(0, limit);
  }

  async waiting({ userId, grantId, now }: Parameters<Approvals['waiting']>[0]): Promise<WaitingCounts> {
    const waiting = [...this.#approvals.values()].filter(
      (one) => one.userId === userId && one.state === 'waiting' && now < one.expiresAt,
    );
    return { ofApp: waiting.filter((one) => one.grantId === grantId).length, ofUser: waiting.length };
  }

  async move(id: string, from: Approval['state'], to: Parameters<Approvals['move']>[2]): Promise<boolean> {
    return this.#replace(id, from, to);
  }

  async end(id: string, outcome: Outcome, until: number): Promise<boolean> {
    return this.#replace(id, 'running', { state: 'done', outcome, expiresAt: until });
  }

  async renew(id: string, renewed: RenewedApproval): Promise<boolean> {
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

  #replace(id: string, from: Approval['state'], change: Partial<Approval>): boolean {
    const found = this.#approvals.get(id);
    if (found === undefined || found.state !== from) return false;
    this.#approvals.set(id, frozenCopy({ ...found, ...change }));
    return true;
  }
}
