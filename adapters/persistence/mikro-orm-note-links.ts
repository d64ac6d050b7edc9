import { z } from 'zod';
import { Batches } from '#adapters/persistence/batches.ts';
import { rowsOfValues } from '#adapters/persistence/rows-of-values.ts';
import { commitsOf, maxAtOnce, type Writes } from '#adapters/persistence/shared-commits.ts';
import type { NoteLink, NoteLinks } from '#application/ports/note-links.ts';
import type { RecordRef } from '#domain/events/record-ref.ts';
import type { Database, DatabaseKind } from '#infrastructure/database/open-database.ts';
import type { Statements } from '#infrastructure/database/statements.ts';

const rowSchema = z.object({
  service: z.string(),
  kind: z.string(),
  record_id: z.string(),
  path: z.string(),
  applied_at: z.coerce.number().int(),
});
const place = { table: 'note_links', keys: ['service', 'kind', 'record_id'] } as const;
const rowsSchema = z.array(z.unknown());

/** Stores the links between notes and records in the database. Those that are read or kept together share a statement. */
export class MikroOrmNoteLinks implements NoteLinks {
  readonly #database: Database;
  readonly #writes: Writes<NoteLink, true>;
  readonly #reads: Batches<RecordRef, NoteLink | null>;

  constructor(database: Database) {
    this.#database = database;
    const options = { isOneStatement: true, isEarly: true };
    this.#writes = commitsOf(database).writes((em, links) => keepAll(em, links, database.kind), options);
    this.#reads = new Batches((records) => this.#findAll(records), maxAtOnce);
  }

  find(record: RecordRef): Promise<NoteLink | null> {
    return this.#reads.add(record);
  }

  async #findAll(records: readonly RecordRef[]): Promise<readonly (NoteLink | null)[]> {
    const given = records.map(({ service, kind, id }) => [service, kind, id]);
    const { sql, values } = rowsOfValues(this.#database.kind, ['text', 'text', 'text'], given);
    const rows = await this.#database.direct.execute(
      `select service, kind, record_id, path, applied_at from note_links where (service, kind, record_id) in (${sql})`,
      values,
    );
    const found = this.#database.rows.read(place, rowsSchema.parse(rows), (one) => rowSchema.parse(one));
    const byKey = new Map(found.map((row) => [keyOf(row.service, row.kind, row.record_id), row]));
    return records.map((record) => {
      const row = byKey.get(keyOf(record.service, record.kind, record.id));
      return row === undefined ? null : { record, path: row.path, appliedAt: row.applied_at };
    });
  }

  async keep(link: NoteLink): Promise<void> {
    await this.#writes.add(link);
  }
}

async function keepAll(em: Statements, links: readonly NoteLink[], kind: DatabaseKind): Promise<readonly true[]> {
  const kept = oneForEach(links).map(rowOf);
  const { sql, values } = rowsOfValues(kind, ['text', 'text', 'text', 'text', 'bigint'], kept);
  await em.execute(
    `insert into note_links (service, kind, record_id, path, applied_at) ${sql}
     on conflict (service, kind, record_id) do update set path = excluded.path,
       applied_at = case when excluded.applied_at > note_links.applied_at
         then excluded.applied_at else note_links.applied_at end`,
    values,
  );
  return links.map((): true => true);
}

const rowOf = ({ record, path, appliedAt }: NoteLink) => [record.service, record.kind, record.id, path, appliedAt];

/** The last link of each record, at its latest time: a statement changes a row once. */
function oneForEach(links: readonly NoteLink[]): readonly NoteLink[] {
  const kept = new Map<string, NoteLink>();
  for (const link of links) {
    const key = keyOf(link.record.service, link.record.kind, link.record.id);
    kept.set(key, { ...link, appliedAt: Math.max(link.appliedAt, kept.get(key)?.appliedAt ?? link.appliedAt) });
  }
  return [...kept.values()];
}

function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}
