import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { MikroOrmNoteLinks } from '#adapters/persistence/mikro-orm-note-links.ts';
import { SqlWebhookInbox } from '#adapters/persistence/sql-webhook-inbox.ts';
import { sealedInbox } from '#adapters/stores/sealed-stores.ts';
import { checkIntegrity } from '#infrastructure/database/check-integrity.ts';
import { DatabaseNotOpened } from '#infrastructure/database/database-not-opened.ts';
import { type Database, openDatabase } from '#infrastructure/database/open-database.ts';
import { lockForServer } from '#infrastructure/database/server-lock.ts';
import { writeEmptySqlite } from '#test/support/persistence/empty-sqlite.ts';
import { spoilIndex } from '#test/support/persistence/spoiled-index.ts';
import { testBox } from '#test/support/persistence/test-database.ts';

let folder: string;
let url: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portolan-database-'));
  url = `sqlite:${join(folder, 'made', 'on the way', 'test.sqlite')}`;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function namesIn({ em }: Database, table: string): Promise<unknown> {
  return em.fork().execute('select name from sqlite_master where name = ?', [table]);
}

const record = { service: 'tracker', kind: 'issue', id: '42' } as const;
const entry = { service: 'tracker', orderKey: 'k', event: 'Issue.create', body: '{"secret":"text"}' } as const;

describe('a SQLite database', () => {
  it('is created with its folder, uses a write-ahead log, and never waits inside SQLite, for locks or for the disk (INBOX-018)', async () => {
    const database = await openDatabase({ url, entities, migrations });
    const em = database.em.fork();
    expect(await em.execute('pragma journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    expect(await em.execute('pragma synchronous')).toEqual([{ synchronous: 1 }]);
    expect(await em.execute('pragma busy_timeout')).toEqual([{ timeout: 0 }]);
    await database.close();
  });

  it('keeps at most 4 MiB of its pages in memory (RUN-020)', async () => {
    const database = await openDatabase({ url, entities, migrations });
    expect(await database.em.fork().execute('pragma cache_size')).toEqual([{ cache_size: -4_096 }]);
    await database.close();
  });

  it('keeps its contents when it is opened again, and runs no change twice', async () => {
    const first = await openDatabase({ url, entities, migrations });
    await new MikroOrmNoteLinks(first).keep({ record, path: 'Issues/a.md', appliedAt: 5 });
    await first.close();
    const second = await openDatabase({ url, entities, migrations });
    expect(await new MikroOrmNoteLinks(second).find(record)).toEqual({ record, path: 'Issues/a.md', appliedAt: 5 });
    await second.close();
  });

  it('is unchanged after schema changes that did not finish (RUN-026)', async () => {
    const [first, second, ...others] = migrations;
    if (first === undefined || second === undefined) throw new Error('There are too few changes.');
    await (await openDatabase({ url, entities, migrations: [first] })).close();
    const broken = { name: second.name, statements: () => ['create table badges (id integer)', 'no statement'] };
    const third = { name: '0900-before', statements: () => ['create table medals (id integer)'] };
    await expect(openDatabase({ url, entities, migrations: [first, third, broken] })).rejects.toThrow(/syntax/);
    const database = await openDatabase({ url, entities, migrations: [first, second, ...others] });
    expect(await namesIn(database, 'badges')).toEqual([]);
    expect(await namesIn(database, 'medals')).toEqual([]);
    await database.close();
  });

  it('is shared by two processes that never get the same entry', async () => {
    const databases = [
      await openDatabase({ url, entities, migrations }),
      await openDatabase({ url, entities, migrations }),
    ];
    const [one, two] = databases.map((database) => new SqlWebhookInbox(database));
    if (one === undefined || two === undefined) throw new Error('not opened');
    await one.keep(
      Array.from({ length: 10 }, (_, index) => ({ ...entry, deliveryId: `${index}`, orderKey: `${index}` })),
    );
    const claimed = await Promise.all(
      [one, two, one, two].map((inbox, index) => inbox.claim({ owner: `${index}`, leaseMs: 60_000, limit: 3 })),
    );
    expect(new Set(claimed.flat().map(({ seq }) => seq)).size).toBe(10);
    expect(claimed.flat()).toHaveLength(10);
    for (const database of databases) await database.close();
  });

  it('stores the bodies of deliveries encrypted (INBOX-008)', async () => {
    const database = await openDatabase({ url, entities, migrations });
    await sealedInbox(new SqlWebhookInbox(database), testBox).keep([{ ...entry, deliveryId: '1' }]);
    expect(JSON.stringify(await database.em.fork().execute('select * from webhook_inbox'))).not.toContain('secret');
    await database.close();
  });

  it('records the latest of the events applied to a note', async () => {
    const database = await openDatabase({ url, entities, migrations });
    const links = new MikroOrmNoteLinks(database);
    expect(await links.find(record)).toBeNull();
    await links.keep({ record, path: 'a.md', appliedAt: 5 });
    await links.keep({ record, path: 'b.md', appliedAt: 3 });
    expect(await links.find(record)).toEqual({ record, path: 'b.md', appliedAt: 5 });
    await database.close();
  });
});

describe('the files of a SQLite database', () => {
  const modesOf = async (path: string) =>
    Promise.all(['', '-wal', '-shm'].map(async (ending) => (await stat(path + ending)).mode & 0o777));

  it('are accessible to their owner only, in a folder that is open to others (SET-014)', async () => {
    await chmod(folder, 0o755);
    const path = join(folder, 'portolan.sqlite');
    const database = await openDatabase({ url: `sqlite:${path}`, entities, migrations });
    expect(await modesOf(path)).toEqual([0o600, 0o600, 0o600]);
    await database.close();
  });

  it('are restricted to their owner if they were not (SET-014)', async () => {
    const path = join(folder, 'portolan.sqlite');
    const former = await openDatabase({ url: `sqlite:${path}`, entities, migrations });
    for (const ending of ['', '-wal', '-shm']) await chmod(path + ending, 0o644);
    const database = await openDatabase({ url: `sqlite:${path}`, entities, migrations });
    expect(await modesOf(path)).toEqual([0o600, 0o600, 0o600]);
    await database.close();
    await former.close();
  });
});

describe('a database of a later version', () => {
  it('is refused with the unknown changes and what to do, and left unchanged (SET-011)', async () => {
    const later = { name: '9001-later', statements: () => ['create table later (id integer primary key)'] };
    await (await openDatabase({ url, entities, migrations: [...migrations, later] })).close();
    const opening = openDatabase({ url, entities, migrations });
    await expect(opening).rejects.toThrow(/by a later version.*9001-later.*Run that version/);
    await (await openDatabase({ url, entities, migrations: [...migrations, later] })).close();
  });
});

describe('a damaged database', () => {
  it.each([
    ['in the middle', 0.5],
    ['near its end', 0.9],
    ['at its beginning', 0],
  ])('is refused with its file and how to restore a copy: %s (SET-012)', async (_, part) => {
    const path = join(folder, 'portolan.sqlite');
    const database = await openDatabase({ url: `sqlite:${path}`, entities, migrations });
    const inbox = new SqlWebhookInbox(database);
    for (let index = 0; index < 60; index += 1) {
      await inbox.keep([{ ...entry, deliveryId: `${index}`, body: JSON.stringify('x'.repeat(3_000)) }]);
    }
    await database.close();
    const file = await open(path, 'r+');
    const { size } = await file.stat();
    await file.write(Buffer.alloc(12_288, 0xa5), 0, 12_288, Math.min(Math.floor(size * part), size - 12_288));
    await file.close();
    const opening = openDatabase({ url: `sqlite:${path}`, entities, migrations });
    await expect(opening).rejects.toThrow(
      /^The database sqlite:.* cannot be opened: it is damaged .*Move .*portolan\.sqlite and .*put a copy from a backup/,
    );
    await expect(opening).rejects.toBeInstanceOf(DatabaseNotOpened);
  });

  it('is refused when its indexes do not match its tables (SET-012)', async () => {
    const path = join(folder, 'portolan.sqlite');
    await writeEmptySqlite(path);
    spoilIndex(path);
    await expect(openDatabase({ url: `sqlite:${path}`, entities, migrations })).rejects.toThrow(
      /cannot be opened: it is damaged \(row 1 missing from index/,
    );
  });

  it('is checked completely in another process when it is large (RUN-032)', async () => {
    const path = join(folder, 'portolan.sqlite');
    await writeEmptySqlite(path);
    const { signal } = new AbortController();
    const small = await openDatabase({ url: `sqlite:${path}`, entities, migrations });
    expect(await small.checkIntegrity(AbortSignal.abort())).toBeNull();
    await small.close();
    expect(await checkIntegrity(path, signal)).toBeNull();
    spoilIndex(path, 65 * 1_048_576);
    const large = await openDatabase({ url: `sqlite:${path}`, entities, migrations });
    expect(await large.checkIntegrity(signal)).toMatch(/missing from index/);
    await expect(large.checkIntegrity(AbortSignal.abort())).rejects.toThrow();
    await large.close();
  });
});

describe('the lock of the one server of a SQLite file', () => {
  it('refuses a second server in a sentence, until the first one ends (SET-013)', async () => {
    const first = lockForServer(url);
    expect(() => lockForServer(url)).toThrow(/cannot be opened: another server works on it\. Stop that one, or/);
    first.release();
    lockForServer(url).release();
  });

  it('is released by a killed process', async () => {
    const script = `const { lockForServer } = await import('#infrastructure/database/server-lock.ts');
      lockForServer(process.argv[1]); process.stdout.write('held'); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, url], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const closed = once(child, 'close');
    try {
      await once(child.stdout, 'data');
      expect(() => lockForServer(url)).toThrow(DatabaseNotOpened);
    } finally {
      child.kill('SIGKILL');
      await closed;
    }
    lockForServer(url).release();
  });

  it('leaves commands free to run next to the server', async () => {
    const lock = lockForServer(url);
    const server = await openDatabase({ url, entities, migrations });
    const command = await openDatabase({ url, entities, migrations });
    await new MikroOrmNoteLinks(command).keep({ record, path: 'a.md', appliedAt: 5 });
    expect(await new MikroOrmNoteLinks(server).find(record)).toMatchObject({ path: 'a.md' });
    await command.close();
    await server.close();
    lock.release();
  });

  it('does not exist for PostgreSQL, which several servers share', () => {
    const locks = [lockForServer('postgres://localhost/shared'), lockForServer('postgres://localhost/shared')];
    for (const lock of locks) lock.release();
  });
});

describe('a database that cannot be opened', () => {
  it('is reported with its address and the reason', async () => {
    const path = join(folder, 'text.sqlite');
    await writeFile(path, 'this is no database, and it is long enough to be read as a header of one');
    const opening = openDatabase({ url: `sqlite:${path}`, entities, migrations });
    await expect(opening).rejects.toThrow(
      /^The database sqlite:.*text\.sqlite cannot be opened: it is damaged \(file is not a database\)\. Move /,
    );
  });

  it('is reported without its password', async () => {
    const opening = openDatabase({ url: 'postgres://me:hidden@127.0.0.1:1/none', entities, migrations });
    await expect(opening).rejects.toThrow('The database postgres://me:***@127.0.0.1:1/none cannot be opened');
    await expect(opening).rejects.not.toThrow('hidden');
  });
});
