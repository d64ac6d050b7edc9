import type { Database as SqliteFile } from 'better-sqlite3';
import { CompiledQuery } from 'kysely';
import { describe, expect, it } from 'vitest';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { boundValues } from '#infrastructure/database/binding-sqlite.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';
import { SqliteDriver } from '#infrastructure/database/sqlite-driver.ts';
import { inMemory, openSqliteFile } from '#infrastructure/database/sqlite-file.ts';

describe('the values of a statement', () => {
  it.each([
    ['select ?, ?', ['a', 7], ['a', 7n]],
    ['select ?', [null], [null]],
    ['select ?', ['a\0b'], ['a\uFFFDb']],
  ])('are bound if SQLite accepts them directly: %s %j', (query, params, values) => {
    expect(boundValues(query, params)).toEqual(values);
  });

  it.each([
    ['select ??', ['a']],
    ['select ?', []],
    ["select '?', ?", ['a']],
    ['select \\?, ?', ['a']],
    ['select ?', [true]],
    ['select ?', [1.5]],
    ['select ?', [undefined]],
    ['select ?', [new Date(0)]],
  ])('are left to the ORM otherwise: %s %j', (query, params) => {
    expect(boundValues(query, params)).toBeNull();
  });

  it('are stored and found as the ORM stores and finds them', async () => {
    const database = await openDatabase({ url: `sqlite:${inMemory}`, entities, migrations });
    const em = database.em.fork();
    await em.execute('create table kept (name text, number integer)');
    const texts = ["it's", 'a?b', 'é\0', '7', ''];
    for (const text of texts) await em.execute('insert into kept values (?, ?)', [text, 9_007_199_254_740_991]);
    for (const text of texts) {
      const rows: unknown = await em.execute('select typeof(number) as kind from kept where name = ? and number > ?', [
        text,
        0,
      ]);
      expect(rows).toEqual([{ kind: 'integer' }]);
    }
    await database.close();
  });
});

describe('a statement of SQLite', () => {
  it('is compiled once, however often it is run with other values, and again when tables change', async () => {
    const compiled: string[] = [];
    const driver = new SqliteDriver({ open: () => counting(openSqliteFile(inMemory), compiled), maxWaitMs: 100 });
    const lane = await driver.acquireConnection();
    const run = (sql: string, ...values: unknown[]) => lane.executeQuery(CompiledQuery.raw(sql, values));
    await run('create table kept (name text)');
    for (const name of ['a', 'b', 'c']) await run('insert into kept values (?)', name);
    expect(compiled.filter((sql) => sql.startsWith('insert'))).toHaveLength(1);
    await run('alter table kept add column more text');
    expect((await run('select * from kept limit ?', 1)).rows).toEqual([{ name: 'a', more: null }]);
    await run('insert into kept values (?, ?)', 'd', 'e');
    expect((await run('select * from kept where name = ?', 'd')).rows).toEqual([{ name: 'd', more: 'e' }]);
    await driver.destroy();
  });
});

/** The file, which records each statement that it compiles. */
function counting(file: SqliteFile, compiled: string[]): SqliteFile {
  const prepare = file.prepare.bind(file);
  file.prepare = (sql: string) => {
    compiled.push(sql);
    return prepare(sql);
  };
  return file;
}
