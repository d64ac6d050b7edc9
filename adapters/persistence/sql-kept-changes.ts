import type { KeptChangeStore, SealedRow, StoredKeptChange } from '#adapters/contracts/change-stores.ts';
import { KeptChangeRow } from '#adapters/persistence/schema/kept-changes.ts';
import { commitsOf, type Writes } from '#adapters/persistence/shared-commits.ts';
import type { KeptQuery, KeptSummary, SettledChange } from '#application/ports/kept-changes.ts';
import type { KeptState } from '#domain/changes/kept-change.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import type { Statements } from '#infrastructure/database/statements.ts';
import { given, Table } from '#infrastructure/database/table.ts';

type Texts = SealedRow<'content' | 'irreversible'>;

/** Stores changes with what takes them back in the database. Each change of a row is a single statement. */
export class SqlKeptChanges implements KeptChangeStore {
  readonly #database: Database;
  readonly #kept;
  /** All columns but the contents, which may be large. */
  readonly #columns;
  readonly #keeps: Writes<StoredKeptChange, true>;

  constructor(database: Database) {
    this.#database = database;
    this.#kept = new Table(database, KeptChangeRow);
    this.#columns = this.#kept.but('content');
    this.#keeps = commitsOf(database).writes(async (em, changes) => {
      for (const change of changes) await this.#add(change, em);
      return changes.map((): true => true);
    });
  }

  async keep(change: StoredKeptChange): Promise<void> {
    // In SQLite a sync of its own would delay that of the shared commits; in PostgreSQL it would wait for others.
    if (this.#database.kind === 'sqlite') await this.#keeps.add(change);
    else await this.#add(change);
  }

  #add(change: StoredKeptChange, em?: Statements): Promise<void> {
    return this.#kept.addAll([change], em);
  }

  /** Does not wait for the disk: after a power loss, the change is as it was begun, and can be taken back as well. */
  async settle(id: string, settled: SettledChange<StoredKeptChange>): Promise<void> {
    await this.#kept.change({ id, state: 'begun' }, { ...settled, state: 'kept' }, this.#database.direct.early);
  }

  async remove(id: string): Promise<void> {
    await this.#kept.delete({ id });
  }

  find(id: string): Promise<StoredKeptChange | null> {
    return this.#kept.find({ id });
  }

  list({
    userId,
    grantId,
    service,
    recordId,
    partOf,
    account,
    since,
    before,
    limit,
  }: KeptQuery): Promise<readonly KeptSummary[]> {
    const where = given({ userId, grantId, service, recordId, partOf, account, at: given({ $gte: since }) });
    const earlier = before && { $or: [{ at: { $lt: before.at } }, { at: before.at, id: { $lt: before.id } }] };
    const query = this.#kept.qb().select([...this.#columns]);
    const found = query.where({ ...where, ...earlier }).orderBy({ at: 'desc', id: 'desc' });
    return this.#kept.some(found.limit(Math.trunc(limit)), this.#columns);
  }

  async summaries(ids: readonly string[]): Promise<readonly KeptSummary[]> {
    if (ids.length === 0) return [];
    const query = this.#kept.qb().select([...this.#columns]);
    return this.#kept.some(query.where({ id: { $in: [...ids] } }), this.#columns);
  }

  async move(
    id: string,
    from: KeptState,
    to: Readonly<{ state: KeptState; undoneAt: number | null }>,
  ): Promise<boolean> {
    const { state, undoneAt } = to;
    return (await this.#kept.update({ id, state: from }, { state, undoneAt })) === 1;
  }

  async removeOf(userId: number): Promise<void> {
    await this.#kept.delete({ userId });
  }

  prune(before: number): Promise<number> {
    return this.#kept.deleteBefore('at', before);
  }

  async sealedRows({ after, limit }: Parameters<KeptChangeStore['sealedRows']>[0]): Promise<readonly Texts[]> {
    const names = ['id', 'content', 'irreversible'] as const;
    const query = this.#kept.qb().select([...names]);
    const later = query.where(given({ id: given({ $gt: after ?? undefined }) })).orderBy({ id: 'asc' });
    const rows = await this.#kept.some(later.limit(Math.trunc(limit)), names);
    return rows.map(({ id, ...texts }) => ({ id, texts }));
  }

  async reseal({ id, texts: before }: Texts, { content, irreversible }: Texts['texts']): Promise<boolean> {
    return (await this.#kept.update({ id, ...before }, { content: content ?? '', irreversible })) === 1;
  }
}
