import { createHash } from 'node:crypto';
import { existsSync, linkSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { Argon2Passwords } from '#infrastructure/crypto/argon2-passwords.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';
import { makePrivate, openSqliteFile } from '#infrastructure/database/sqlite-file.ts';
import { fillVault } from '#test/bench/deliveries.ts';
import { fillingStatements } from '#test/bench/growth/rows.ts';
import type { GrownSize } from '#test/bench/growth/size.ts';

/** The password of every user. */
export const grownPassword = 'the password of the bench';
/** The e-mail of the first user, an administrator. */
export const grownEmail = 'user1@example.com';

/** Where filled databases and folders of notes are kept from one run to the next. */
const place = join(tmpdir(), 'portolan-growth');
const dayMs = 86_400_000;
const indexRows = z.array(z.object({ name: z.string(), sql: z.string() }));

/** Puts a filled SQLite file at this path: a copy of the one that was made before with the same tables, size and day. */
export async function grownSqlite(path: string, size: GrownSize): Promise<void> {
  const template = join(place, `${digest([...schema(), ...statementsFor(size, '')])}.sqlite`);
  if (!existsSync(template)) {
    const statements = statementsFor(size, await new Argon2Passwords().hash(grownPassword));
    await mkdir(place, { recursive: true });
    const draft = `${template}.${process.pid}`;
    const database = await openDatabase({ url: `sqlite:${draft}`, entities, migrations });
    await database.close();
    const file = openSqliteFile(draft);
    file.pragma('synchronous = off');
    file.pragma('cache_size = -400000');
    // Indexes are made after the rows: in one go, and as dense as they come.
    const indexes = file.prepare("select name, sql from sqlite_master where type = 'index' and sql is not null");
    const all = indexRows.parse(indexes.all());
    for (const { name } of all) file.exec(`drop index ${name}`);
    for (const statement of statements) file.exec(statement);
    for (const { sql } of all) file.exec(sql);
    file.pragma('wal_checkpoint(truncate)');
    file.close();
    for (const ending of ['-wal', '-shm']) await rm(draft + ending, { force: true });
    await rename(draft, template);
  }
  await copyFile(template, path);
  makePrivate(path);
}

/** Fills an empty PostgreSQL. */
export async function growPostgres(url: string, size: GrownSize): Promise<void> {
  const database = await openDatabase({ url, entities, migrations, maxQueryMs: 600_000 });
  const run = (sql: string): Promise<unknown> => database.em.fork().execute(sql);
  const hash = await new Argon2Passwords().hash(grownPassword);
  for (const statement of statementsFor(size, hash)) await run(statement);
  await run("select setval(pg_get_serial_sequence('users', 'id'), (select max(id) from users))");
  await run('analyze');
  await database.close();
}

/** Puts a folder with that many notes at this path: links to those that were made before, since a server replaces what it writes. */
export async function grownVault(path: string, notes: number, reactions: number): Promise<void> {
  const folder = join(place, `vault-${notes}-${reactions}`);
  if (!existsSync(folder)) {
    const draft = `${folder}.${process.pid}`;
    await fillVault(draft, notes);
    await mkdir(join(draft, 'Reactions'), { recursive: true });
    for (let n = 1; n <= reactions; n += 1) await writeFile(join(draft, 'Reactions', `Rule ${n}.md`), reaction(n));
    await rename(draft, folder);
  }
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const below = relative(folder, join(entry.parentPath, entry.name));
    if (below.split(sep).some((name) => name.startsWith('.'))) continue;
    if (entry.isDirectory()) await mkdir(join(path, below), { recursive: true });
    else linkSync(join(folder, below), join(path, below));
  }
}

/** A rule of its own for each number, which no delivery of the bench fires. */
const reaction = (n: number): string =>
  `---\nreaction: on\nwhen: tracker.issue.remove\nif: issue.title == "Rule ${n}"\nnote: Log ${n}.md\n---\n- {{ issue.title }}\n`;

/** Of one day, so that what is made in the morning can be used in the evening. */
function statementsFor(size: GrownSize, passwordHash: string): readonly string[] {
  return fillingStatements(size, Math.floor(Date.now() / dayMs) * dayMs, passwordHash);
}

const schema = (): readonly string[] => migrations.flatMap(({ name, statements }) => [name, ...statements('sqlite')]);

function digest(texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 24);
}

/** Removes what other days and other tables left. */
export async function forgetOld(keep: number): Promise<void> {
  if (!existsSync(place)) return;
  const files = (await readdir(place)).filter((name) => name.endsWith('.sqlite'));
  for (const name of files.slice(0, Math.max(0, files.length - keep))) await rm(join(place, name));
}
