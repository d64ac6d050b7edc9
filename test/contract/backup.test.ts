import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { MikroOrmUsers } from '#adapters/persistence/mikro-orm-users.ts';
import { SqlWebhookInbox } from '#adapters/persistence/sql-webhook-inbox.ts';
import { linesOf } from '#bootstrap/backup/folder-files.ts';
import { makeBackup } from '#bootstrap/backup/make-backup.ts';
import { type Manifest, manifestPath } from '#bootstrap/backup/manifest.ts';
import { restoreBackup } from '#bootstrap/backup/restore-backup.ts';
import { readSettings, type Settings } from '#bootstrap/config/settings.ts';
import { StartError } from '#bootstrap/start/first-start.ts';
import { readZip } from '#infrastructure/archive/read-zip.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';
import { startPostgres } from '#test/support/persistence/postgres.ts';
import { openTestPostgres, type TestDatabase } from '#test/support/persistence/test-database.ts';

const key = 'the key of the server that was backed up, long enough';
const person = (email: string) => ({
  email,
  passwordHash: `hash of ${email}`,
  permissions: ['tracker'],
  isAdmin: true,
});
const text = 'Ünïcode 🧭, "quotes", \\ and\nlines';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'portolan-backup-'));
});
afterEach(() => rm(root, { recursive: true }));

const settingsOf = (folder: string, more: Readonly<Record<string, string>> = {}): Settings =>
  readSettings({ DATA_DIR: join(root, folder), ...more });

/** A server's data: three users, of which the last is gone, a delivery, and notes. */
async function fill(settings: Settings): Promise<void> {
  await mkdir(settings.dataDir, { recursive: true });
  await writeFile(join(settings.dataDir, 'secret_key_base'), `${key}\n`);
  await mkdir(join(settings.vaultDir, 'Deep er', '.hidden'), { recursive: true });
  await writeFile(join(settings.vaultDir, 'Deep er', 'Nöte.md'), text);
  await writeFile(join(settings.vaultDir, 'Deep er', '.hidden', 'empty'), '');
  const database = await openDatabase({ url: settings.databaseUrl, entities, migrations });
  const users = new MikroOrmUsers(database);
  for (const email of ['first@example.com', 'second@example.com', 'third@example.com']) await users.add(person(email));
  await database.em.fork().execute("delete from users where email = 'third@example.com'");
  const delivery = {
    service: 'tracker',
    deliveryId: 'one',
    orderKey: 'record',
    event: 'Issue.create',
    body: text,
  } as const;
  await new SqlWebhookInbox(database).keep([delivery]);
  await database.close();
}

async function expectAllThere(settings: Settings): Promise<void> {
  expect(await readFile(join(settings.vaultDir, 'Deep er', 'Nöte.md'), 'utf8')).toBe(text);
  expect(await readFile(join(settings.vaultDir, 'Deep er', '.hidden', 'empty'), 'utf8')).toBe('');
  const database = await openDatabase({ url: settings.databaseUrl, entities, migrations });
  try {
    const users = new MikroOrmUsers(database);
    expect((await users.list()).map(({ id, email }) => [id, email])).toEqual([
      [1, 'first@example.com'],
      [2, 'second@example.com'],
    ]);
    expect(await users.find(2)).toMatchObject({ permissions: ['tracker'], isAdmin: true });
    expect(await users.findByEmail('second@example.com')).toMatchObject({ passwordHash: 'hash of second@example.com' });
    const inbox = new SqlWebhookInbox(database);
    const [entry] = await inbox.list({ limit: 10 });
    expect(entry).toMatchObject({ seq: 1, deliveryId: 'one', state: 'pending' });
    expect(entry === undefined ? null : await inbox.body(entry)).toBe(text);
    const added = await users.add(person('fourth@example.com'));
    expect(added).toMatchObject({ ok: true, value: { id: 4 } });
  } finally {
    await database.close();
  }
}

const onProgress = () => undefined;
const backup = (settings: Settings, file: string) =>
  makeBackup(file, { settings, withoutKey: false, onProgress, now: new Date('2026-01-02T03:04:05Z') });

describe('a backup of SQLite', () => {
  it('restores every row and note, and reuses no id (BACKUP-002, BACKUP-004)', async () => {
    const source = settingsOf('source');
    await fill(source);
    expect(await backup(source, join(root, 'one.zip'))).toMatchObject({ notes: 2, hasKey: true });
    const target = settingsOf('target');
    const restored = await restoreBackup(join(root, 'one.zip'), { settings: target, onProgress });
    expect(restored).toMatchObject({ createdAt: '2026-01-02T03:04:05.000Z', notes: 2 });
    await expectAllThere(target);
  });

  it('restores templates of a folder that servers share into that of the settings (CONF-019)', async () => {
    const source = settingsOf('source', { TEMPLATES_DIR: join(root, 'shared') });
    await fill(source);
    await mkdir(source.templatesDir);
    await writeFile(join(source.templatesDir, 'deal.md'), text);
    await backup(source, join(root, 'one.zip'));
    const target = settingsOf('target', { TEMPLATES_DIR: join(root, 'elsewhere') });
    await restoreBackup(join(root, 'one.zip'), { settings: target, onProgress });
    expect(await readFile(join(root, 'elsewhere', 'deal.md'), 'utf8')).toBe(text);
    expect(await readdir(target.dataDir)).not.toContain('templates');
    const again = settingsOf('again', { TEMPLATES_DIR: join(root, 'elsewhere') });
    const restoring = restoreBackup(join(root, 'one.zip'), { settings: again, onProgress });
    await expect(restoring).rejects.toThrow(/^TEMPLATES_DIR: .* is not empty\./);
  });

  it('contains the database as of one moment, whatever is written meanwhile (BACKUP-001)', async () => {
    const source = settingsOf('source');
    await fill(source);
    const database = await openDatabase({ url: source.databaseUrl, entities, migrations });
    const users = new MikroOrmUsers(database);
    let added = 0;
    const writing = (line: string): void => {
      if (!line.startsWith('database:')) return;
      added += 1;
      void users.add(person(`late-${added}@example.com`));
    };
    await makeBackup(join(root, 'one.zip'), {
      settings: source,
      withoutKey: false,
      onProgress: writing,
      now: new Date(),
    });
    expect(added).toBeGreaterThan(5);
    await database.close();
    const target = settingsOf('target');
    await restoreBackup(join(root, 'one.zip'), { settings: target, onProgress });
    await expectAllThere(target);
  });
});

const server = await startPostgres();
describe.skipIf(typeof server === 'string')('PostgreSQL', () => {
  const opened: TestDatabase[] = [];
  afterAll(async () => {
    for (const one of opened) await one.close();
    if (typeof server !== 'string') await server.stop();
  });
  const emptyUrl = async (): Promise<string> => {
    if (typeof server === 'string') return server;
    const database = await openTestPostgres(server.url);
    opened.push(database);
    return database.url;
  };

  it('accepts a backup of SQLite, and writes one that SQLite accepts (BACKUP-003, BACKUP-004)', async () => {
    const source = settingsOf('source');
    await fill(source);
    await backup(source, join(root, 'sqlite.zip'));
    const grown = settingsOf('grown', { DATABASE_URL: await emptyUrl() });
    await restoreBackup(join(root, 'sqlite.zip'), { settings: grown, onProgress });
    await backup(grown, join(root, 'postgres.zip'));
    await expectAllThere(grown);
    const back = settingsOf('back');
    await restoreBackup(join(root, 'postgres.zip'), { settings: back, onProgress });
    await expectAllThere(back);
  });

  it('is restored into an empty database only (BACKUP-005)', async () => {
    const used = settingsOf('used', { DATABASE_URL: await emptyUrl() });
    await fill(used);
    await backup(used, join(root, 'one.zip'));
    const target = settingsOf('target', { DATABASE_URL: used.databaseUrl });
    const restoring = restoreBackup(join(root, 'one.zip'), { settings: target, onProgress });
    await expect(restoring).rejects.toThrow(/^DATABASE_URL: .* is not empty\./);
    expect(await readdir(root)).not.toContain('target');
  });
});

describe('a backup that cannot be trusted', () => {
  let good: string;
  beforeEach(async () => {
    const source = settingsOf('source');
    await fill(source);
    good = join(root, 'good.zip');
    await backup(source, good);
  });

  /** Another archive with the good one's entries, changed. */
  async function changed(change: (entries: Map<string, Buffer>, manifest: Manifest) => void): Promise<string> {
    const zip = await readZip(good);
    const entries = new Map<string, Buffer>();
    for (const path of zip.paths) entries.set(path, await zip.read(path, 10_000_000));
    zip.close();
    const manifest: Manifest = JSON.parse(entries.get(manifestPath)?.toString() ?? '');
    change(entries, manifest);
    if (entries.has(manifestPath)) entries.set(manifestPath, Buffer.from(JSON.stringify(manifest)));
    const made = new ZipFile();
    for (const [path, content] of entries) made.addBuffer(content, path);
    made.end();
    const file = join(root, 'changed.zip');
    await pipeline(made.outputStream, createWriteStream(file));
    return file;
  }

  async function expectRefused(file: string, why: RegExp): Promise<void> {
    const restoring = restoreBackup(file, { settings: settingsOf('target'), onProgress });
    await expect(restoring).rejects.toThrow(why);
    expect((await readdir(root)).filter((name) => name.includes('target'))).toEqual([]);
  }

  it('is refused when a byte of a note differs (BACKUP-006)', async () => {
    const file = await changed((entries) => entries.set('vault/Deep er/Nöte.md', Buffer.from(text.replace('Ü', 'Ö'))));
    await expectRefused(file, /its vault\/Deep er\/Nöte\.md is damaged\. Use another backup\. Nothing was restored\./);
  });

  it('is refused when rows are missing, or cannot be read (BACKUP-006)', async () => {
    await expectRefused(
      await changed((entries) => entries.delete('database/users.ndjson')),
      /it has no database\/users/,
    );
    await expectRefused(
      await changed((entries, { entries: named }) => {
        const rows = named.find(({ path }) => path === 'database/users.ndjson');
        entries.set('database/users.ndjson', Buffer.from('x'.repeat(rows?.bytes ?? 0)));
      }),
      /its rows of users cannot be read|database\/users\.ndjson is damaged/,
    );
  });

  it('is refused when it is truncated, or not an archive (BACKUP-006)', async () => {
    await truncate(good, 2000);
    await expectRefused(good, /it is not a complete backup/);
    await writeFile(good, 'not an archive at all');
    await expectRefused(good, /it is not a complete backup/);
    await expectRefused(join(root, 'none.zip'), /cannot be read \(ENOENT\)/);
  });

  it('is refused when it has foreign files, or files that its manifest lacks (BACKUP-006)', async () => {
    const foreign = await changed((entries, manifest) => {
      entries.set('etc/passwd', Buffer.from(''));
      const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
      manifest.entries.push({ path: 'etc/passwd', bytes: 0, sha256 });
    });
    await expectRefused(foreign, /it contains etc\/passwd, which is not part of a backup/);
    const untold = await changed((entries) => entries.set('vault/untold.md', Buffer.from('x')));
    await expectRefused(untold, /it has vault\/untold\.md, which its backup\.json does not name/);
    const leaving = await changed((_, manifest) => {
      for (const entry of manifest.entries) {
        if (entry.path.endsWith('Nöte.md')) Object.assign(entry, { path: 'vault/../../outside.md' });
      }
    });
    await expectRefused(leaving, /which (its backup\.json does not name|is no part of a backup)/);
  });

  it('is refused when it was made by a later version, or of another form (BACKUP-006)', async () => {
    const later = await changed((_, manifest) => {
      manifest.migrations.push('9999-later');
      manifest.version = '99.0.0';
    });
    await expectRefused(later, /it was made by a later version \(99\.0\.0\)/);
    const other = await changed((_, manifest) => void Object.assign(manifest, { format: 2 }));
    await expectRefused(other, /its backup\.json is invalid \(format/);
  });

  /** Adds a file, or replaces one, as the manifest names it. */
  const put = (path: string, content: string) => (entries: Map<string, Buffer>, manifest: Manifest) => {
    const bytes = Buffer.from(content);
    entries.set(path, bytes);
    const named = { path, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    manifest.entries.splice(
      0,
      manifest.entries.length,
      ...manifest.entries.filter((entry) => entry.path !== path),
      named,
    );
  };
  const users = (row: unknown) => put('database/users.ndjson', `${JSON.stringify(row)}\n`);
  const user = { id: 1, email: 'a@example.com', password_hash: 'x', permissions: '[]', is_admin: 1 };

  it.each<[string, (entries: Map<string, Buffer>, manifest: Manifest) => void, RegExp]>([
    [
      'a folder that is a file',
      put('vault/Deep er/Nöte.md/inner.md', 'x'),
      /Nöte\.md\/inner\.md, which cannot be a file/,
    ],
    [
      'a name that is too long',
      put(`vault/${'x'.repeat(300)}.md`, 'x'),
      /x\.md, which cannot be a file here \(ENAMETOOLONG\)/,
    ],
    [
      'a file that is named twice',
      (_, { entries }) => void entries.push(...entries.filter(({ path }) => path.startsWith('vault/')).slice(0, 1)),
      /cannot be a file here \(EEXIST\)/,
    ],
    [
      'a row with a column that does not exist',
      users({ ...user, admin: 1 }),
      /its rows do not match the tables \(.*admin/,
    ],
    ['a row without a column', users({}), /its rows do not match the tables/],
    ['a row of another type', users({ ...user, id: 'one' }), /its rows do not match the tables/],
    ['a row that is not one', users(['a row']), /its rows of users cannot be read/],
    ['a member that is not a value', users({ ...user, email: { a: 1 } }), /its rows of users cannot be read/],
    [
      'rows of the schema changes',
      (entries, manifest) => {
        put('database/migrations.ndjson', '{"name":"9999-later"}\n')(entries, manifest);
        manifest.tables.push('migrations');
      },
      /rows of migrations, which is not a table/,
    ],
    [
      'rows of a table that does not exist',
      (entries, manifest) => {
        put('database/badges.ndjson', '')(entries, manifest);
        manifest.tables.push('badges');
      },
      /rows of badges, which is not a table/,
    ],
    ['no table', (_, { tables }) => void tables.splice(tables.indexOf('grants'), 1), /which is not part of a backup/],
    ['a table twice', (_, { tables }) => void tables.push('users'), /it names a table twice/],
    [
      'schema changes with a gap',
      (_, { migrations: ran }) => void ran.shift(),
      /its schema changes do not belong together/,
    ],
    [
      'no time',
      (_, manifest) => void Object.assign(manifest, { createdAt: '\u001b[31mtoday' }),
      /backup\.json is invalid \(createdAt/,
    ],
    [
      'numbers that are none',
      (_, manifest) => void Object.assign(manifest, { lastIds: { users: 1e300 } }),
      /backup\.json is invalid \(lastIds/,
    ],
  ])('is refused in a sentence when it has %s (BACKUP-006)', async (_, change, why) => {
    await expectRefused(await changed(change), why);
    const restoring = restoreBackup(join(root, 'changed.zip'), { settings: settingsOf('target'), onProgress });
    await expect(restoring).rejects.toThrow(/^\S+ cannot be restored: .* Nothing was restored\.$/);
    await expect(restoring).rejects.toBeInstanceOf(StartError);
  });

  it('shows no control characters of its file names (BACKUP-006)', async () => {
    const file = await changed(put('vault/Deep er/Nöte.md/\u001b[31m\u202e.md', 'x'));
    await expectRefused(file, /\\u\{1b\}\[31m\\u\{202e\}\.md/);
  });

  it('has no row of unbounded length (BACKUP-006)', async () => {
    const lines = linesOf(Readable.from([Buffer.from('one\ntw'), Buffer.from('o and more')]), 8);
    const read: (string | null)[] = [];
    for await (const line of lines) read.push(line);
    expect(read).toEqual(['one', null]);
  });

  it('is refused with a key that does not decrypt it (BACKUP-007)', async () => {
    const settings = settingsOf('target', { SECRET_KEY_BASE: 'another key, which is also long enough for one' });
    const restoring = restoreBackup(good, { settings, onProgress });
    await expect(restoring).rejects.toThrow(/is not the key of this backup.*Leave it away/);
  });
});
