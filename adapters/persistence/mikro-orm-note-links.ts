import { z } from 'zod';
import { commitsOf, type Writes } from '#adapters/persistence/shared-commits.ts';
import type { NoteLink, NoteLinks } from '#application/ports/note-links.ts';
import type { RecordRef } from '#domain/events/record-ref.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import type { Statements } from '#infrastructure/database/statements.ts';

const rowSchema = z.object({ path: z.string(), applied_at: z.coerce.number().int() });
const place = { table: 'note_links', keys: ['service', 'kind', 'record_id'] } as const;
const rowsSchema = z.array(z.unknown());

/** Stores the links between notes and records in the database. */
export class MikroOrmNoteLinks implements NoteLinks {
  readonly #database: Database;
  readonly #batches: Writes<NoteLink, true>;

  constructor(database: Database) {
    this.#database = database;
    this.#batches = commitsOf(database).writes(keepAll, { isEarly: true });
  }

  async find(record: RecordRef): Promise<NoteLink | null> {
    const rows = await this.#database.direct.execute(
      'select service, kind, record_id, path, applied_at from note_links where service = ? and kind = ? and record_id = ?',
      [record.service, record.kind, record.id],
    );
    const [row] = this.#database.rows.read(place, rowsSchema.parse(rows), (one) => rowSchema.parse(one));
    return row === undefined ? null : { record, path: row.path, appliedAt: row.applied_at };
  }

  async keep(link: NoteLink): Promise<void> {
    if (this.#database.kind === 'sqlite') await this.#batches.add(link);
    else await keepOne(this.#database.direct, link);
  }
}

async function keepAll(em: Statements, links: readonly NoteLink[]): Promise<readonly true[]> {
  for (const link of links) await keepOne(em, link);
  return links.map((): true => true);
}

async function keepOne(em: Statements, { record, path, appliedAt }: NoteLink): Promise<void> {
  await em.execute(
    `insert into note_links (service, kind, record_id, path, applied_at) values (?, ?, ?, ?, ?)
     on conflict (service, kind, record_id) do update set path = excluded.path,
       applied_at = case when excluded.applied_at > note_links.applied_at
         then excluded.applied_at else note_links.applied_at end`,
    [record.service, record.kind, record.id, path, appliedAt],
  );
}
