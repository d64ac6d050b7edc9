import { MikroOrmNoteLinks } from '#adapters/persistence/mikro-orm-note-links.ts';
import type { NoteLinks } from '#application/ports/note-links.ts';
import { MemoryNoteLinks } from '#test/doubles/memory-note-links.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';

/** The note links in a database. */
export const sqlNoteLinks: SqlStore<NoteLinks> = {
  tables: ['note_links'],
  make: (database) => new MikroOrmNoteLinks(database),
};

/** The stores of note links that this project has. */
export const noteLinkStores = [
  memorySubject<NoteLinks>('memory', () => new MemoryNoteLinks()),
  sqliteSubject(sqlNoteLinks),
];
