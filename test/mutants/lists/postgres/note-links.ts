import { type Mutant, pause, texts } from '#test/mutants/mutant.ts';
import { onPostgres } from '#test/mutants/postgres-databases.ts';

const keeping = `  await em.execute(
    \`insert into note_links (service, kind, record_id, path, applied_at) \${sql}
     on conflict (service, kind, record_id) do update set path = excluded.path,
       applied_at = case when excluded.applied_at > note_links.applied_at
         then excluded.applied_at else note_links.applied_at end\`,`;
const asked = "(${rowsOfValues(kind, ['text', 'text', 'text'], kept).sql})";
const keys = "rowsOfValues(kind, ['text', 'text', 'text'], kept).values";
const plain = keeping.replace(/\n {5}on conflict [^`]*/, '');

/** Ways in which links between records and notes can be broken on PostgreSQL, which several processes write at once. */
export const noteLinksOnPostgres: readonly Mutant[] = texts(
  onPostgres,
  'adapters/persistence/mikro-orm-note-links.ts',
  [
    [
      keeping,
      `  const known: readonly unknown[] = z.array(z.unknown()).parse(await em.execute(\`select path from note_links where (service, kind, record_id) in ${asked}\`, ${keys}));
  ${pause}
${keeping.replace(/case when [^`]* end/, "\\${known.length > 0 ? 'excluded.applied_at' : 'note_links.applied_at'}")}`,
      'looks for links first, and writes then',
    ],
    [
      keeping,
      `  await em.execute(\`delete from note_links where (service, kind, record_id) in ${asked}\`, ${keys});\n  ${pause}\n${plain}`,
      'deletes first and adds then',
    ],
    [keeping, plain, 'fails where a record has a link'],
    [keeping, keeping.replace(/do update [^`]*/, 'do nothing'), 'keeps the first link'],
    ['    await this.#writes.add(link)', '    void this.#writes.add(link)', 'does not wait for the commit'],
    ['applied_at: z.coerce.number()', 'applied_at: z.number()', 'takes no numbers that come as text'],
  ],
);
