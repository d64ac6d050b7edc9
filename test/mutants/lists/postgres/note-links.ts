import { type Mutant, pause, texts } from '#test/mutants/mutant.ts';
import { onPostgres } from '#test/mutants/postgres-databases.ts';

const keeping = `  await em.execute(
    \`insert into note_links (service, kind, record_id, path, applied_at) values (?, ?, ?, ?, ?)
     on conflict (service, kind, record_id) do update set path = excluded.path,
       applied_at = case when excluded.applied_at > note_links.applied_at
         then excluded.applied_at else note_links.applied_at end\`,
    [record.service, record.kind, record.id, path, appliedAt],`;
const place = 'service = ? and kind = ? and record_id = ?';
const key = '[record.service, record.kind, record.id]';
const plain = keeping.replace(/\n {5}on conflict [^`]*/, '');

/** Ways in which links between records and notes can be broken on PostgreSQL, which several processes write at once. */
export const noteLinksOnPostgres: readonly Mutant[] = texts(
  onPostgres,
  'adapters/persistence/mikro-orm-note-links.ts',
  [
    [
      keeping,
      `  const known: readonly Readonly<{ applied_at: string }>[] = await em.execute('select applied_at from note_links where ${place}', ${key});
  ${pause}
  const latest = Math.max(appliedAt, Number(known[0]?.applied_at ?? 0));
${keeping.replace(/case when [^`]* end/, 'excluded.applied_at').replace('path, appliedAt]', 'path, latest]')}`,
      'reads a time first, and writes the later one',
    ],
    [
      keeping,
      `  const known: readonly unknown[] = await em.execute('update note_links set path = ?, applied_at = case when applied_at < ? then ? else applied_at end where ${place} returning path', [path, appliedAt, appliedAt, record.service, record.kind, record.id]);
  ${pause}
  if (known.length > 0) return;
${plain}`,
      'changes what is there, else adds',
    ],
    [
      keeping,
      `  await em.execute('delete from note_links where ${place}', ${key});\n  ${pause}\n${plain}`,
      'deletes first and adds then',
    ],
    [keeping, plain, 'fails where a record has a link'],
    [keeping, keeping.replace(/do update [^`]*/, 'do nothing'), 'keeps the first link'],
    ['else await keepOne(', 'else void keepOne(', 'does not wait for the commit'],
    ['applied_at: z.coerce.number()', 'applied_at: z.number()', 'takes no numbers that come as text'],
  ],
);
