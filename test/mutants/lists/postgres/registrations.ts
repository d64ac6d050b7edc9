import { type Mutant, pause, texts } from '#test/mutants/mutant.ts';
import { onPostgres } from '#test/mutants/postgres-databases.ts';

const place = 'user_id = ? and service = ? and name = ?';
const looking = `const there = await this.#all('select name from subscriptions where ${place}`;
const changed = '  #change(line: WebhookRegistration, version: number): Promise<readonly unknown[]> {\n';
const added = '  #add(line: WebhookRegistration): Promise<readonly unknown[]> {\n';
const changing = '    return this.#all(\n      `update subscriptions set';
const version = `       where ${place} and version = ? returning name\`,
      [...valuesOf(line), line.userId, line.service, line.name, version],`;
const between = " ${columns.map((column) => `${column} = ?`).join(', ')}\n";
const adding = "    const places = columns.map(() => '?').join(', ');\n";
const inserted = `    return this.#all(
      \`insert into subscriptions (\${columns.join(', ')}) values (\${places})
       on conflict (user_id, service, name) do nothing returning name\`,`;

/** Ways in which a store of webhook registrations can be broken on PostgreSQL, which several processes write at once. */
export const registrationsOnPostgres: readonly Mutant[] = texts(
  onPostgres,
  'adapters/persistence/sql-webhook-registrations.ts',
  [
    [
      `${changed}${changing}${between}${version}`,
      `${changed.replace('#', 'async #')}    ${looking} and version = ?', [line.userId, line.service, line.name, version]);
    if (there.length === 0) return [];
    ${pause}
${changing}${between}${version.replace(' and version = ?', '').replace(', version]', ']')}`,
      'looks at the version first, and changes then',
    ],
    [
      `${added}${adding}${inserted}`,
      `${added.replace('#', 'async #')}${adding}    ${looking}', [line.userId, line.service, line.name]);
    if (there.length > 0) return [];
    ${pause}
${inserted.replace('\n       on conflict (user_id, service, name) do nothing', '')}`,
      'looks first and adds then',
    ],
    [
      'on conflict (user_id, service, name) do nothing',
      'on conflict (user_id, service, name) do update set remote_id = excluded.remote_id',
      'puts a second first one in the place of the first',
    ],
    [' on conflict (user_id, service, name) do nothing', '', 'fails where the place is taken'],
    [
      '    const rows = await this.#all(`delete from subscriptions where ${where} returning name`, [',
      `    const gone = await this.#all(\`select name from subscriptions where \${where}\`, [userId, service, name, version]);
    ${pause}
    if (gone.length === 1) await this.#all('delete from subscriptions where ${place}', [userId, service, name]);
    const rows = gone;
    void ([`,
      'looks first and removes then',
    ],
    [' order by user_id, service, name', '', 'lists in the order in which rows were written'],
    ['const whole = z.coerce.number().int();', 'const whole = z.number().int();', 'takes no numbers that come as text'],
  ],
);
