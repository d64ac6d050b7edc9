import { execFileSync } from 'node:child_process';
import { cpSync, renameSync, rmSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { LogCheckpoints } from '#infrastructure/database/log-checkpoints.ts';
import { LogSync } from '#infrastructure/database/log-sync.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';
import { SqliteDriver } from '#infrastructure/database/sqlite-driver.ts';
import { makePrivate, openSqliteFile, pagesBesideThread } from '#infrastructure/database/sqlite-file.ts';
import { sqliteStatements } from '#infrastructure/database/sqlite-statements.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portolan-checkpoints-'));
  path = join(folder, 'test.sqlite');
  makePrivate(path);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const kilobyte = 1_024;
const written = async () => (await stat(path)).size;

/** A file to which rows of a kilobyte are written; `asks` counts how often the thread asked whether it may write. */
async function openLog(check = () => undefined) {
  let asks = 0;
  const thread = new LogCheckpoints(path, () => {
    asks += 1;
    check();
  });
  const checkpoint = () => thread.ask();
  const open = () => openSqliteFile(path, pagesBesideThread);
  const driver = new SqliteDriver({ open, maxWaitMs: 1_000, log: new LogSync(path), checkpoint });
  const statements = sqliteStatements(driver);
  await statements.execute('create table texts (text text not null)');
  return {
    asks: () => asks,
    write: async (rows: number) => {
      for (let row = 0; row < rows; row += 1)
        await statements.early.execute(`insert into texts values (hex(zeroblob(512)))`);
    },
    rows: () => statements.execute('select count(*) as rows from texts'),
    [Symbol.asyncDispose]: async () => {
      await thread.close();
      await driver.destroy();
    },
  };
}

it('the log of a SQLite file is written into it by a thread each few hundred rows, while others write (INBOX-018)', async () => {
  await using log = await openLog();
  await log.write(200);
  expect(log.asks()).toBe(0);
  expect(await written()).toBeLessThan(100 * kilobyte);
  await log.write(100);
  expect(log.asks()).toBe(1);
  await expect.poll(written, { timeout: 30_000 }).toBeGreaterThan(200 * kilobyte);
  await expect
    .poll(async () => {
      await log.write(250);
      return log.asks();
    })
    .toBeGreaterThan(1);
  await expect.poll(written, { timeout: 30_000 }).toBeGreaterThan(500 * kilobyte);
});

it('statements that write several rows count as many, also those that return them', async () => {
  let asked = 0;
  const checkpoint = () => {
    asked += 1;
  };
  const driver = new SqliteDriver({ open: () => openSqliteFile(path), maxWaitMs: 1_000, checkpoint });
  const { early } = sqliteStatements(driver);
  const rows = (count: number) => Array.from({ length: count }, () => "('a')").join(', ');
  await early.execute('create table texts (text text not null)');
  await early.execute(`insert into texts values ${rows(100)}`);
  await early.execute(`insert into texts values ${rows(100)} returning text`);
  await early.execute('select * from texts');
  await early.execute(`insert into texts values ${rows(49)}`);
  expect(asked).toBe(0);
  await early.execute(`insert into texts values ${rows(1)}`);
  expect(asked).toBe(1);
  await early.execute("update texts set text = 'f'");
  expect(asked).toBe(2);
  await driver.destroy();
});

it('a log that cannot be written into its file stays as it is, and writes go on', async () => {
  await using log = await openLog(() => {
    throw new Error('The file is another one');
  });
  await log.write(300);
  await log.write(300);
  expect(log.asks()).toBe(2);
  expect(await log.rows()).toEqual([{ rows: 600 }]);
  expect(await written()).toBeLessThan(100 * kilobyte);
});

it.each([
  ['192 MB has no such thread', 192, 0],
  ['256 MB has one', 256, 1],
])('a process with %s', async (_, megabytes, asks) => {
  const asked = vi.spyOn(LogCheckpoints.prototype, 'ask');
  const limit = vi.spyOn(process, 'constrainedMemory').mockReturnValue(megabytes * 1_048_576);
  const database = await openDatabase({ url: `sqlite:${path}`, entities, migrations });
  asked.mockClear();
  const values = Array.from({ length: 250 }, (_row, index) => `('fact ${index}', 'x')`).join(', ');
  await database.direct.execute(`insert into server_facts (name, value) values ${values}`);
  expect(asked).toHaveBeenCalledTimes(asks);
  await database.close();
  for (const spy of [asked, limit]) spy.mockRestore();
});

it('a log that was replaced while the thread started is left as it is (RUN-028)', async () => {
  const log = await openLog();
  await log.write(200);
  const thread = new LogCheckpoints(path, () => undefined);
  thread.ask();
  const moved = `${folder}.moved`;
  renameSync(folder, moved);
  cpSync(moved, folder, { recursive: true });
  const before = await written();
  await thread.close();
  expect(await written()).toBe(before);
  rmSync(folder, { recursive: true });
  renameSync(moved, folder);
  await log[Symbol.asyncDispose]();
});

it('a process ends once its log is written and the database is closed', async () => {
  const file = openSqliteFile(path);
  file.exec('create table texts (text text not null)');
  file.close();
  const script = `
    import { LogCheckpoints } from '#infrastructure/database/log-checkpoints.ts';
    const checkpoints = new LogCheckpoints(${JSON.stringify(path)}, () => undefined);
    checkpoints.ask();
    await checkpoints.close();
    process.stdout.write('closed');`;
  // The thread would keep it for half a minute.
  const options = { encoding: 'utf8', timeout: 20_000 } as const;
  expect(execFileSync(process.execPath, ['--input-type=module', '--eval', script], options)).toBe('closed');
});
