import { NoteLinkRow } from '#adapters/persistence/note-link-row.ts';
import type { NoteLink, NoteLinks } from '#application/ports/note-links.ts';
import type { RecordRef } from '#domain/events/record-ref.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

/** The links in the database. */
export class MikroOrmNoteLinks implements NoteLinks {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(record: RecordRef): Promise<NoteLink | null> {
    const { service, kind, id: recordId } = record;
    const row = await this.#database.em.fork().findOne(NoteLinkRow, { service, kind, recordId });
    return row === null ? null : { record, path: row.path, appliedAt: row.appliedAt };
  }

  async keep({ record, path, appliedAt }: NoteLink): Promise<void> {
    await this.#database.em.fork().execute(
      `insert into note_links (service, kind, record_id, path, applied_at) values (?, ?, ?, ?, ?)
       on conflict (service, kind, record_id) do update set path = excluded.path,
         applied_at = case when excluded.applied_at > note_links.applied_at
           then excluded.applied_at else note_links.applied_at end`,
      [record.service, record.kind, record.id, path, appliedAt],
    );
  }
}
