import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { SharedCommits } from '#adapters/persistence/shared-commits.ts';
import type { Commits, DirectStatements, Statements } from '#infrastructure/database/statements.ts';
import { openTestSqlite, type TestDatabase } from '#test/support/persistence/test-database.ts';

let opened: TestDatabase | null = null;
afterEach(async () => {
  await opened?.close();
  opened = null;
});

/** Two tables of texts that refuse the text 'bad', and the commits over them with what was run in a transaction and what not. */
async function tables({ isHeldUp = false } = {}) {
  opened = await openTestSqlite();
  const { direct } = opened.database;
  await direct.execute("create table one (text text not null check (text <> 'bad'))");
  await direct.execute("create table other (text text not null check (text <> 'bad'))");
  const ran: string[] = [];
  const early: Commits = {
    execute: (sql, values, method) => {
      ran.push('by itself');
      return direct.early.execute(sql, values, method);
    },
    transactional: (work) => {
      ran.push('together');
      return direct.early.transactional(work);
    },
  };
  const disk = Promise.withResolvers<void>();
  const counted: DirectStatements = { ...early, early, onDisk: () => (isHeldUp ? disk.promise : direct.onDisk()) };
  const commits = new SharedCommits({ kind: 'sqlite', direct: counted });
  const into = (table: string, isEarly = false) =>
    commits.writes(
      async (em: Statements, texts: readonly string[]) => {
        for (const text of texts) await em.execute(`insert into ${table} values (?)`, [text]);
        return texts.map((text) => `${table}: ${text}`);
      },
      { isEarly },
    );
  const stored = async (table: string) => direct.execute(`select text from ${table} order by text`);
  return { one: into('one'), other: into('other'), early: into('other', true), ran, stored, disk };
}

describe('writes of several stores', () => {
  it('that arrive together are one commit, each with its own answer (INBOX-016)', async () => {
    const { one, other, ran, stored } = await tables();
    const answers = await Promise.all([one.add('a'), other.add('b'), one.add('c')]);
    expect(answers).toEqual(['one: a', 'other: b', 'one: c']);
    expect(ran).toEqual(['together']);
    expect([await stored('one'), await stored('other')]).toEqual([[{ text: 'a' }, { text: 'c' }], [{ text: 'b' }]]);
  });

  it('that arrive alone are on disk at once, without a transaction of their own (INBOX-016)', async () => {
    const { one, ran, stored } = await tables();
    expect(await one.add('a')).toBe('one: a');
    expect(ran).toEqual(['by itself']);
    expect(await stored('one')).toEqual([{ text: 'a' }]);
  });

  it('are answered once they are on disk, deferred ones before (INBOX-016)', async () => {
    const { one, early, stored, disk } = await tables({ isHeldUp: true });
    const answered: string[] = [];
    const asked = [one.add('a'), early.add('b')].map((answer) => answer.then((text) => void answered.push(text)));
    await asked[1];
    expect(await stored('one')).toEqual([{ text: 'a' }]);
    expect(answered).toEqual(['other: b']);
    disk.resolve();
    await Promise.all(asked);
    expect(answered).toEqual(['other: b', 'one: a']);
  });

  it('do not delay deferred ones while they are being synced, and the next commit has all that arrived meanwhile (INBOX-018)', async () => {
    const { one, other, early, ran, stored, disk } = await tables({ isHeldUp: true });
    const answered: string[] = [];
    const first = one.add('a').then((text) => void answered.push(text));
    while (ran.length === 0) await nextTurn();
    const later = [one.add('b'), other.add('c')].map((answer) => answer.then((text) => void answered.push(text)));
    expect(await early.add('d')).toBe('other: d');
    expect(answered).toEqual([]);
    expect([await stored('one'), await stored('other')]).toEqual([[{ text: 'a' }], [{ text: 'd' }]]);
    disk.resolve();
    await Promise.all([first, ...later]);
    expect(ran).toEqual(['by itself', 'by itself', 'together']);
  });

  it('fail when they cannot be written to disk (INBOX-016)', async () => {
    const { one, other, early, disk } = await tables({ isHeldUp: true });
    const asked = [one.add('a'), early.add('b'), other.add('c')];
    const settled = Promise.allSettled(asked);
    await asked[1];
    disk.reject(new Error('The disk fails'));
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
  });

  it('fail one by one: a failing write leaves nothing, and the others succeed (INBOX-016)', async () => {
    const { one, other, stored } = await tables();
    const settled = await Promise.allSettled([one.add('a'), other.add('bad'), one.add('c')]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect([await stored('one'), await stored('other')]).toEqual([[{ text: 'a' }, { text: 'c' }], []]);
  });
});

describe('a database that has been closed', () => {
  it('runs no further statement', async () => {
    const { database, close } = await openTestSqlite();
    await close();
    await expect(database.direct.execute('select 1')).rejects.toThrow('The database has been closed');
  });
});
