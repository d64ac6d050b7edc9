import { mkdir, mkdtemp, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseUnavailable } from '#infrastructure/database/database-unavailable.ts';
import { LogSync } from '#infrastructure/database/log-sync.ts';
import { SqliteDriver } from '#infrastructure/database/sqlite-driver.ts';
import { makePrivate, openSqliteFile } from '#infrastructure/database/sqlite-file.ts';
import { sqliteStatements } from '#infrastructure/database/sqlite-statements.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portolan-log-'));
  path = join(folder, 'test.sqlite');
  makePrivate(path);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A database with a table, whose commits are brought to the disk when the test says so. */
async function heldDatabase() {
  const asked: ReturnType<typeof Promise.withResolvers<void>>[] = [];
  let [opened, forgotten] = [0, 0];
  const sync = () => {
    const one = Promise.withResolvers<void>();
    asked.push(one);
    return one.promise;
  };
  const forget = () => {
    forgotten += 1;
  };
  const open = () => {
    opened += 1;
    return openSqliteFile(path);
  };
  const driver = new SqliteDriver({ open, maxWaitMs: 1_000, log: { sync, forget } });
  const statements = sqliteStatements(driver);
  await statements.early.execute('create table texts (text text not null)');
  const rows = () => statements.execute('select text from texts order by text');
  return { driver, statements, asked, rows, counts: () => ({ opened, forgotten }) };
}

const insert = (text: string) => `insert into texts values ('${text}')`;

/** Whether the promise is still waiting after some turns of the event loop. */
async function isWaiting(promise: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  const settled = () => {
    isSettled = true;
  };
  promise.then(settled, settled);
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return !isSettled;
}

describe('a write to SQLite', () => {
  it('is answered once it is on disk, while other writes continue (INBOX-018)', async () => {
    const { driver, statements, asked, rows } = await heldDatabase();
    const alone = statements.execute(insert('a'));
    const together = statements.transactional((em) => em.execute(insert('b')));
    expect(await isWaiting(Promise.race([alone, together]))).toBe(true);
    expect(await rows()).toEqual([{ text: 'a' }, { text: 'b' }]);
    for (const one of asked) one.resolve();
    await Promise.all([alone, together]);
    expect(asked).toHaveLength(2);
    await driver.destroy();
  });

  it('does not wait for the disk if it is deferred or only reads', async () => {
    const { driver, statements, asked, rows } = await heldDatabase();
    await statements.early.execute(insert('a'));
    await statements.early.transactional((em) => em.execute(insert('b')));
    await statements.transactional((em) => em.execute('select 1'));
    expect(await rows()).toHaveLength(2);
    expect(asked).toHaveLength(0);
    await driver.destroy();
  });

  it('fails when it cannot be written to disk, and the file is opened again with what was committed (INBOX-018)', async () => {
    const { driver, statements, asked, rows, counts } = await heldDatabase();
    const failing = statements.execute(insert('a'));
    expect(await isWaiting(failing)).toBe(true);
    asked[0]?.reject(new DatabaseUnavailable('broken', new Error('EIO')));
    await expect(failing).rejects.toThrow('its disk fails');
    expect(counts()).toEqual({ opened: 1, forgotten: 1 });
    expect(await rows()).toEqual([{ text: 'a' }]);
    expect(counts().opened).toBe(2);
    await driver.destroy();
  });
});

describe('the log of a SQLite file', () => {
  it('is synced as often as requested, and after it was forgotten', async () => {
    const file = openSqliteFile(path);
    file.exec('create table texts (text text not null)');
    const log = new LogSync(path);
    await Promise.all([log.sync(), log.sync()]);
    log.forget();
    await log.sync();
    const last = log.sync();
    log.forget();
    await expect(last).resolves.toBeUndefined();
    file.close();
  });

  it('needs no sync if it does not exist', async () => {
    await expect(new LogSync(path).sync()).resolves.toBeUndefined();
  });

  it('fails for all who ask after a failure, until it is opened again: a later sync knows nothing of what is lost (INBOX-018)', async () => {
    await mkdir(`${path}-wal`);
    const log = new LogSync(path);
    await expect(log.sync()).rejects.toThrow('its disk fails');
    await rmdir(`${path}-wal`);
    await writeFile(`${path}-wal`, '');
    await expect(log.sync()).rejects.toThrow('its disk fails');
    log.forget();
    await expect(log.sync()).resolves.toBeUndefined();
  });

  it('reports a failing disk if it cannot be opened (INBOX-018)', async () => {
    await mkdir(`${path}-wal`);
    await expect(new LogSync(path).sync()).rejects.toEqual(
      expect.objectContaining({ constructor: DatabaseUnavailable, reason: 'broken' }),
    );
  });
});
