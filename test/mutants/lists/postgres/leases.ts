import { type Mutant, pause, texts } from '#test/mutants/mutant.ts';
import { onPostgres } from '#test/mutants/postgres-databases.ts';

const acquiring = `    const rows: unknown = await this.#database.em.fork().execute(
      \`insert into leases (name, owner, until, fencing) values (?, ?, \${now} + \${Math.trunc(leaseMs)}, 1)
       on conflict (name) do update set owner = excluded.owner, until = excluded.until,
         fencing = leases.fencing + case when leases.owner = excluded.owner then 0 else 1 end
       where leases.owner = excluded.owner or leases.until <= \${now} or leases.until > \${now} + \${maxLeaseMs}
`;
const releasing = "return (await this.#leases.update({ name, owner }, { owner: '', until: 0 })) === 1;";
const all = 'this.#database.em.fork().execute';

/** Ways in which leases can be broken on PostgreSQL, which several processes write at once. */
export const leasesOnPostgres: readonly Mutant[] = texts(onPostgres, 'adapters/persistence/sql-leases.ts', [
  [
    acquiring,
    `    const held: readonly unknown[] = await ${all}(\`select name from leases where name = ? and owner <> ? and until > \${now}\`, [name, owner]);
    ${pause}
    if (held.length > 0) return null;
${acquiring.replace(/ {7}where .*\n/, '')}`,
    'looks first and takes then',
  ],
  [
    acquiring,
    `    await ${all}(\`delete from leases where name = ? and until <= \${now}\`, [name]);\n${acquiring}`,
    'creates the row of an expired lease again',
  ],
  [
    acquiring,
    acquiring.replace(/ {7}on conflict [\s\S]*? {7}where .*\n/, '       on conflict (name) do nothing\n'),
    'never changes the row of a lease',
  ],
  [acquiring, acquiring.replace(/ {7}on conflict [\s\S]*? {7}where .*\n/, ''), 'fails where the lease has a row'],
  [
    releasing,
    `if ((await this.#leases.find({ name, owner })) === null) return false;
    ${pause}
    return (await this.#leases.update({ name }, { owner: '', until: 0 })) === 1;`,
    'looks first and gives back then',
  ],
  [releasing, releasing.replace('{ name, owner }', '{ name }'), 'is given back by anybody'],
]);
