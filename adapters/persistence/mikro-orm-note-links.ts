import { z } from 'zod';
import { Batches } from '#adapters/persistence/batches.ts';
import type { NoteLink, NoteLinks } from '#application/ports/note-links.ts';
import type { RecordRef } from '#domain/events/record-ref.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

/** The maximum number of links in one commit. */
const maxAtOnce = 30;

const rowSchema = z.array(z.object({ path: z.string(), applied_at: z.coerce.number() }));

/** Stores the links between notes and records in the database. */
export class MikroOrmNoteLinks implements NoteLinks {
  readonly #database: Database;
  // SQLite has one writer: calls during a write share the next commit, and its one wait for the disk.
  readonly #batches = new Batches<NoteLink, true>((links) => this.#keepAll(links), maxAtOnce);

  constructor(database: Database) {
    this.#database = database;
  }

  async find(record: RecordRef): Promise<NoteLink | null> {
    const rows: unknown = await this.#database.em
      .fork()
      .execute('select path, applied_at from note_links where service = ? and kind = ? and record_id = ?', [
        record.service,
        record.kind,
        record.id,
      ]);
    const [row] = rowSchema.parse(rows);
    return row === undefined ? null : { record, path: row.path, appliedAt: row.applied_at };
  }

  async keep(link: NoteLink): Promise<void> {
    if (this.#database.kind === 'sqlite') await this.#batches.add(link);
    else await keepOne(this.#database.em.fork(), link);
  }

  #keepAll(links: readonly NoteLink[]): Promise<readonly true[]> {
    return this.#database.em.fork().transactional(async (em) => {
      for (const link of links) await keepOne(em, link);
      return links.map((): true => true);
    });
  }
}

async function keepOne(em: Database['em'], { record, path, appliedAt }: NoteLink): Promise<void> {
  await em.execute(
    `insert into note_links (service, kind, record_id, path, applied_at) values (?, ?, ?, ?, ?)
     on conflict (service, kind, record_id) do update set path = excluded.path,
       applied_at = case when excluded.applied_at > note_links.applied_at
         then excluded.applied_at else note_links.applied_at end`,
    [record.service, record.kind, record.id, path, appliedAt],
  );
}
