import { z } from 'zod';
import type { PartyLink, PartyLinks } from '#application/ports/party-links.ts';
import type { RecordRef } from '#domain/events/record-ref.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

const linkRow = z.object({ remote_id: z.string(), digest: z.string(), applied_at: z.coerce.number().int() });
const recordRow = z.object({ service: z.string(), kind: z.string(), record_id: z.string() });
const place = { table: 'party_links', keys: ['service', 'kind', 'record_id'] } as const;

/** Stores the mapping between the records of the two CRMs in the database. */
export class SqlPartyLinks implements PartyLinks {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(record: RecordRef): Promise<PartyLink | null> {
    const rows: unknown[] = await this.#database.em
      .fork()
      .execute('select * from party_links where service = ? and kind = ? and record_id = ?', [
        record.service,
        record.kind,
        record.id,
      ]);
    const [row] = this.#database.rows.read(place, rows, (one) => linkRow.parse(one));
    return row === undefined
      ? null
      : { record, remoteId: row.remote_id, digest: row.digest, appliedAt: row.applied_at };
  }

  async findByRemote(kind: string, remoteId: string): Promise<RecordRef | null> {
    const rows: unknown[] = await this.#database.em
      .fork()
      .execute('select service, kind, record_id from party_links where kind = ? and remote_id = ? limit 1', [
        kind,
        remoteId,
      ]);
    const [row] = this.#database.rows.read(place, rows, (one) => recordRow.parse(one));
    return row === undefined ? null : { service: row.service, kind: row.kind, id: row.record_id };
  }

  async keep(link: PartyLink, before?: PartyLink | null): Promise<boolean> {
    if (before !== undefined) return before === null ? this.#add(link) : this.#replace(before, link);
    const { record, remoteId, digest, appliedAt } = link;
    await this.#database.em.fork().execute(
      `insert into party_links (service, kind, record_id, remote_id, digest, applied_at) values (?, ?, ?, ?, ?, ?)
       on conflict (service, kind, record_id) do update set remote_id = excluded.remote_id, digest = excluded.digest,
         applied_at = excluded.applied_at`,
      [record.service, record.kind, record.id, remoteId, digest, appliedAt],
    );
    return true;
  }

  async #add({ record, remoteId, digest, appliedAt }: PartyLink): Promise<boolean> {
    const added: readonly unknown[] = await this.#database.em.fork().execute(
      `insert into party_links (service, kind, record_id, remote_id, digest, applied_at) values (?, ?, ?, ?, ?, ?)
       on conflict (service, kind, record_id) do nothing returning kind`,
      [record.service, record.kind, record.id, remoteId, digest, appliedAt],
    );
    return added.length === 1;
  }

  async #replace(before: PartyLink, { record, remoteId, digest, appliedAt }: PartyLink): Promise<boolean> {
    const is = [remoteId, digest, appliedAt, record.service, record.kind, record.id];
    const changed: readonly unknown[] = await this.#database.em.fork().execute(
      `update party_links set remote_id = ?, digest = ?, applied_at = ?
       where service = ? and kind = ? and record_id = ? and remote_id = ? and digest = ? and applied_at = ? returning kind`,
      [...is, before.remoteId, before.digest, before.appliedAt],
    );
    return changed.length === 1;
  }
}
