import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogSync } from '#infrastructure/database/log-sync.ts';
import { SqliteDriver } from '#infrastructure/database/sqlite-driver.ts';
import { makePrivate, openSqliteFile } from '#infrastructure/database/sqlite-file.ts';
import { SqlitePlace } from '#infrastructure/database/sqlite-place.ts';
import { sqliteStatements } from '#infrastructure/database/sqlite-statements.ts';

let root: string;
let folder: string;
let path: string;
let driver: SqliteDriver;
/** Called when a commit has been brought to the disk, before it is acknowledged. */
let onSynced: () => void;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'portolan-moved-'));
  folder = join(root, 'data');
  path = join(folder, 'test.sqlite');
  makePrivate(path);
  const log = new LogSync(path);
  onSynced = () => undefined;
  const sync = async () => {
    await log.sync();
    onSynced();
  };
  const open = () => openSqliteFile(path);
  const place = new SqlitePlace(path);
  driver = new SqliteDriver({ open, maxWaitMs: 1_000, log: { sync, forget: () => log.forget() }, place });
  await driver.execute('create table texts (text text not null)', []);
  await write('first');
});
afterEach(async () => {
  await driver.destroy();
  await rm(root, { recursive: true, force: true });
});

const write = (text: string) => sqliteStatements(driver).execute('insert into texts values (?)', [text]);
const read = async () => {
  const rows = await sqliteStatements(driver).execute('select text from texts');
  return (rows as { text: string }[]).map(({ text }) => text);
};

/** The texts in the files at a path, as the next process finds them. */
function textsAt(file: string): unknown {
  const other = new DatabaseSync(file);
  const rows = other.prepare('select text from texts').all();
  other.close();
  return rows.map(({ text }) => text);
}

/** Makes another database with a log that is not in its file yet; returns its files. */
function makeOther(file: string): () => readonly Buffer[] {
  const other = new DatabaseSync(file);
  other.exec("pragma journal_mode = wal; create table texts (text); insert into texts values ('another')");
  const beside = `${file}.copy`;
  for (const ending of ['', '-wal']) cpSync(file + ending, beside + ending);
  other.close();
  for (const ending of ['', '-wal']) renameSync(beside + ending, file + ending);
  return () => ['', '-wal'].map((ending) => readFileSync(file + ending));
}

describe('a SQLite file that was moved or deleted', () => {
  it('is neither read nor written when its folder was deleted, and the folder is not created again (RUN-028)', async () => {
    rmSync(folder, { recursive: true });
    await expect(write('lost')).rejects.toMatchObject({ reason: 'gone' });
    await expect(read()).rejects.toMatchObject({ reason: 'gone' });
    expect(existsSync(folder)).toBe(false);
    await driver.destroy();
    expect(existsSync(folder)).toBe(false);
  });

  it('acknowledges no write that was made when it vanished (RUN-028)', async () => {
    onSynced = () => renameSync(folder, `${folder}.moved`);
    await expect(write('late')).rejects.toMatchObject({ reason: 'gone' });
  });

  it('is used again when it is back, with everything that was acknowledged (RUN-031)', async () => {
    renameSync(folder, `${folder}.moved`);
    await expect(write('lost')).rejects.toMatchObject({ reason: 'gone' });
    renameSync(`${folder}.moved`, folder);
    await write('second');
    expect(await read()).toEqual(['first', 'second']);
    await driver.destroy();
    expect(textsAt(path)).toEqual(['first', 'second']);
  });

  it('does not change the database that replaced it, even when it is closed (RUN-028)', async () => {
    renameSync(folder, `${folder}.moved`);
    mkdirSync(folder);
    const filesOf = makeOther(path);
    const before = filesOf();
    await expect(write('lost')).rejects.toMatchObject({ reason: 'replaced' });
    await expect(read()).rejects.toMatchObject({ reason: 'replaced' });
    await driver.destroy();
    expect(filesOf()).toEqual(before);
    expect(textsAt(path)).toEqual(['another']);
    expect(textsAt(join(`${folder}.moved`, 'test.sqlite'))).toEqual(['first']);
  });

  it('does not open the database that replaced it after a disk error (RUN-031)', async () => {
    renameSync(path, `${path}.moved`);
    makeOther(path);
    const damaged = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_READ' });
    const failing = new SqliteDriver({ open: () => openSqliteFile(path), maxWaitMs: 100, place: placeThat(damaged) });
    await expect(failing.execute('select 1', [])).rejects.toMatchObject({ reason: 'broken' });
    await expect(read()).rejects.toMatchObject({ reason: 'replaced' });
    await failing.destroy();
  });

  it.each([
    ['the file a link to it', () => moveAndLink(path)],
    ['the folder a link to another one', () => moveAndLink(folder, join(root, 'elsewhere'))],
  ])('is not used when %s (RUN-028)', async (_, link) => {
    mkdirSync(join(root, 'elsewhere'));
    makeOther(join(root, 'elsewhere', 'test.sqlite'));
    link();
    await expect(write('lost')).rejects.toMatchObject({ reason: 'replaced' });
    expect(textsAt(join(root, 'elsewhere', 'test.sqlite'))).toEqual(['another']);
  });

  it('is used if its folder is a link to itself at another path (RUN-031)', async () => {
    moveAndLink(folder);
    await write('second');
    expect(await read()).toEqual(['first', 'second']);
  });
});

describe('a deleted file next to a SQLite file', () => {
  it.each(['-wal', '-shm'])('%s is created again, and nothing acknowledged is lost (RUN-029)', async (ending) => {
    unlinkSync(path + ending);
    await write('second');
    // What is there after a crash.
    cpSync(folder, `${folder}.copy`, { recursive: true });
    expect(textsAt(join(`${folder}.copy`, 'test.sqlite'))).toEqual(['first', 'second']);
    await write('third');
    inAnotherProcess("insert into texts values ('of another process')");
    expect(await read()).toEqual(['first', 'second', 'third', 'of another process']);
    expect(existsSync(path + ending)).toBe(true);
  });
});

function inAnotherProcess(sql: string): void {
  const script = `const { DatabaseSync } = require('node:sqlite'); new DatabaseSync(process.argv[1]).exec(process.argv[2]);`;
  execFileSync(process.execPath, ['-e', script, path, sql]);
}

function moveAndLink(from: string, to = `${from}.moved`): void {
  renameSync(from, `${from}.moved`);
  symlinkSync(to, from);
}

function placeThat(error: Error): SqlitePlace {
  return Object.assign(new SqlitePlace(path), {
    opened: () => {
      throw error;
    },
  });
}
