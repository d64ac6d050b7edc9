import { hash } from 'node:crypto';
import type { ApprovalStore, SealedRow, StoredApproval } from '#adapters/contracts/change-stores.ts';
import { ApprovalRow } from '#adapters/persistence/schema/approvals.ts';
import type { ApprovalQuery, RenewedApproval, WaitingCounts } from '#application/ports/approvals.ts';
import type { ApprovalState } from '#domain/changes/approval.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { given, Table } from '#infrastructure/database/table.ts';

/** A statement that returns rows. */
type Query = { execute(method: 'all', mapResults: false): Promise<unknown> };
type Texts = SealedRow<'content' | 'outcome' | 'comment'>;

/** Stores approvals in the database. Each change of a row is a single statement. */
export class SqlApprovals implements ApprovalStore {
  readonly #approvals;
  readonly #columns;

  constructor(database: Database) {
    this.#approvals = new Table(database, ApprovalRow);
    this.#columns = this.#approvals.but('openKey');
  }

  async keep(approval: StoredApproval): Promise<StoredApproval> {
    const openKey = approval.state === 'waiting' ? openKeyOf(approval) : null;
    const query = this.#approvals
      .into({ ...approval, openKey })
      .onConflict(['openKey'])
      .ignore();
    if ((await query.execute('run')).affectedRows === 1) return approval;
    const [same] = await this.#some(this.#qb().where({ openKey }));
    if (same !== undefined && approval.at < same.expiresAt) return same;
    await this.#approvals.update({ openKey, expiresAt: { $lte: approval.at } }, { openKey: null });
    return this.keep(approval);
  }

  async find(id: string): Promise<StoredApproval | null> {
    return (await this.#some(this.#qb().where({ id })))[0] ?? null;
  }

  list({ userId, isWaiting, states, digest, before, limit }: ApprovalQuery): Promise<readonly StoredApproval[]> {
    const wanted = isWaiting === true ? (['waiting'] as const) : states;
    const where = given({ userId, state: given({ $in: wanted && [...wanted] }), digest });
    const earlier = before && { $or: [{ at: { $lt: before.at } }, { at: before.at, id: { $lt: before.id } }] };
    const query = this.#qb().where({ ...where, ...earlier });
    return this.#some(query.orderBy({ at: 'desc', id: 'desc' }).limit(Math.trunc(limit)));
  }

  #qb() {
    return this.#approvals.qb().select([...this.#columns]);
  }

  #some(query: Query): Promise<readonly StoredApproval[]> {
    return this.#approvals.some(query, this.#columns);
  }

  async waiting({ userId, grantId, now }: Parameters<ApprovalStore['waiting']>[0]): Promise<WaitingCounts> {
    const query = this.#approvals.qb().select(['grantId']);
    const open = query.where({ userId, state: 'waiting', expiresAt: { $gt: now } });
    const rows = await this.#approvals.some(open, ['grantId']);
    return { ofUser: rows.length, ofApp: rows.filter((row) => row.grantId === grantId).length };
  }

  async move(id: string, from: ApprovalState, to: Parameters<ApprovalStore['move']>[2]): Promise<boolean> {
    const { state, decidedAt, comment } = to;
    const values = given({ state, decidedAt, comment });
    return (await this.#approvals.update({ id, state: from }, { ...values, openKey: null })) === 1;
  }

  async end(id: string, outcome: string, until: number): Promise<boolean> {
    return (await this.#approvals.update({ id, state: 'running' }, { state: 'done', outcome, expiresAt: until })) === 1;
  }

  async renew(id: string, renewed: RenewedApproval<StoredApproval>): Promise<boolean> {
    const { digest, effect, expiresAt, content } = renewed;
    const again = { digest, effect, expiresAt, content, state: 'waiting', decidedAt: null } as const;
    return (await this.#approvals.update({ id, state: 'running' }, again)) === 1;
  }

  async removeOf(userId: number, grantId: string | null): Promise<void> {
    await this.#approvals.delete(given({ userId, grantId: grantId ?? undefined }));
  }

  prune(before: number): Promise<number> {
    return this.#approvals.deleteBefore('expiresAt', before);
  }

  async sealedRows({ after, limit }: Parameters<ApprovalStore['sealedRows']>[0]): Promise<readonly Texts[]> {
    const names = ['id', 'content', 'outcome', 'comment'] as const;
    const query = this.#approvals.qb().select([...names]);
    const later = query.where(given({ id: given({ $gt: after ?? undefined }) })).orderBy({ id: 'asc' });
    const rows = await this.#approvals.some(later.limit(Math.trunc(limit)), names);
    return rows.map(({ id, ...texts }) => ({ id, texts }));
  }

  async reseal({ id, texts: before }: Texts, { content, ...others }: Texts['texts']): Promise<boolean> {
    return (await this.#approvals.update({ id, ...before }, { content: content ?? '', ...others })) === 1;
  }
}

/** The same for one change of one app of a user, so that one of them waits. */
function openKeyOf({ userId, grantId, digest }: StoredApproval): string {
  return hash('sha256', JSON.stringify([userId, grantId, digest]), 'base64url');
}
