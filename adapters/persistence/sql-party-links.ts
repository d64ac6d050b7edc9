import { PartyLinkRow } from '#adapters/persistence/schema/party-links.ts';
import type { PartyLink, PartyLinks } from '#application/ports/party-links.ts';
import type { RecordRef } from '#domain/events/record-ref.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { Table } from '#infrastructure/database/table.ts';

/** Stores the mapping between the records of the two CRMs in the database. */
export class SqlPartyLinks implements PartyLinks {
  readonly #links;

  constructor(database: Database) {
    this.#links = new Table(database, PartyLinkRow);
  }

  async find(record: RecordRef): Promise<PartyLink | null> {
    const row = await this.#links.find(keysOf(record));
    return row === null ? null : { record, remoteId: row.remoteId, digest: row.digest, appliedAt: row.appliedAt };
  }

  async findByRemote(kind: string, remoteId: string): Promise<RecordRef | null> {
    const query = this.#links.qb().select(['service', 'kind', 'recordId']).where({ kind, remoteId }).limit(1);
    const [row] = await this.#links.some(query, ['service', 'kind', 'recordId']);
    return row === undefined ? null : { service: row.service, kind: row.kind, id: row.recordId };
  }

  async keep({ record, ...link }: PartyLink, before?: PartyLink | null): Promise<boolean> {
    const row = { ...keysOf(record), ...link };
    if (before === null) return this.#links.add(row);
    if (before === undefined) {
      await this.#links.put(row);
      return true;
    }
    const { remoteId, digest, appliedAt } = before;
    return (await this.#links.update({ ...keysOf(record), remoteId, digest, appliedAt }, link)) === 1;
  }
}

function keysOf({ service, kind, id: recordId }: RecordRef) {
  return { service, kind, recordId };
}
