import { type Mutant, pause, texts } from '#test/mutants/mutant.ts';
import { onPostgres } from '#test/mutants/postgres-databases.ts';

const keeping = `    await this.#database.em.fork().execute(
      \`insert into party_links (service, kind, record_id, remote_id, digest, applied_at) values (?, ?, ?, ?, ?, ?)
       on conflict (service, kind, record_id) do update set remote_id = excluded.remote_id, digest = excluded.digest,
         applied_at = excluded.applied_at\`,`;
const place = 'service = ? and kind = ? and record_id = ?';
const key = '[record.service, record.kind, record.id]';
const plain = keeping.replace(/\n {7}on conflict [^`]*/, '');
const all = 'this.#database.em.fork().execute';

/** Ways in which the mapping between the CRMs can be broken on PostgreSQL, which several processes write at once. */
export const partyLinksOnPostgres: readonly Mutant[] = texts(onPostgres, 'adapters/persistence/sql-party-links.ts', [
  [
    keeping,
    `    const known: readonly unknown[] = await ${all}('update party_links set remote_id = ?, digest = ?, applied_at = ? where ${place} returning kind', [remoteId, digest, appliedAt, record.service, record.kind, record.id]);
    if (known.length > 0) return;
    ${pause}
${plain}`,
    'changes what is there, else adds',
  ],
  [
    keeping,
    `    await ${all}('delete from party_links where ${place}', ${key});\n    ${pause}\n${plain}`,
    'deletes first and adds then',
  ],
  [
    keeping,
    `    await this.#database.em.fork().transactional((em) => em.execute('delete from party_links where ${place}', ${key}));
    ${pause}
${plain.replace('(?, ?, ?, ?, ?, ?)', '(?, ?, ?, ?, ?, ?) on conflict do nothing')}`,
    'deletes first, and adds what nobody else has added',
  ],
  [keeping, plain, 'fails where a record has a link'],
  [keeping, keeping.replace(/do update [^`]*/, 'do nothing'), 'keeps the first link'],
  [keeping, keeping.replace('await this', 'void this'), 'does not wait for the commit'],
  ['applied_at: z.coerce.number()', 'applied_at: z.number()', 'takes no numbers that come as text'],
]);
