import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { PreparedNames } from '#infrastructure/database/prepared-names.ts';
import { startPostgres } from '#test/support/persistence/postgres.ts';
import { openTestPostgres, type TestDatabase } from '#test/support/persistence/test-database.ts';

const postgres = await startPostgres();
let opened: TestDatabase;
beforeAll(async () => {
  if (typeof postgres !== 'string') opened = await openTestPostgres(postgres.url);
});
afterAll(async () => {
  await opened?.close();
  if (typeof postgres !== 'string') await postgres.stop();
});

const text = 'select cast(? as integer) + 1 as sum';
const namesOf = z.tuple([z.object({ name: z.string() })]);
const prepared = 'select statement from pg_prepared_statements order by 1';
const ofText = [{ statement: 'select cast($1 as integer) + 1 as sum' }];

describe.skipIf(typeof postgres === 'string')('a statement that recurs on PostgreSQL', () => {
  it('is prepared, but none that occurs a few times, and none within a transaction', async () => {
    const { direct } = opened.database;
    for (let use = 0; use < 19; use += 1) await direct.execute(text, [use]);
    await direct.transactional(async (within) => {
      for (let use = 0; use < 30; use += 1) await within.execute('select cast(? as integer)', [use]);
    });
    expect(await direct.execute(prepared)).toEqual([]);
    expect(await direct.execute(text, [20])).toEqual([{ sum: 21 }]);
    expect(await direct.execute(prepared)).toEqual(ofText);
    expect(await direct.execute(text, [21])).toEqual([{ sum: 22 }]);
  });

  it('is planned for the table as it is, not as it was more than 10 s ago (INBOX-029)', async () => {
    const { direct } = opened.database;
    await direct.execute('create table grows (id integer primary key)');
    await direct.execute('vacuum analyze grows');
    const byKey = 'select id from grows where id = cast(? as integer)';
    for (let use = 0; use < 40; use += 1) await direct.execute(byKey, [use]);
    const [{ name }] = namesOf.parse(
      await direct.execute("select name from pg_prepared_statements where statement like 'select id from grows%'"),
    );
    const plan = async () => JSON.stringify(await direct.execute(`explain execute ${name}(7)`));
    await direct.execute('insert into grows select generate_series(1, 20000)');
    await direct.execute(byKey, [7]);
    expect(await plan()).toContain('Seq Scan');
    const now = performance.now() + 10_001;
    vi.spyOn(performance, 'now').mockReturnValue(now);
    await direct.execute(byKey, [7]);
    vi.restoreAllMocks();
    expect(await plan()).not.toContain('Seq Scan');
  });

  it('is executed without that where a connection does not keep what is prepared, as behind a pooler', async () => {
    const { direct } = opened.database;
    await direct.execute('deallocate all');
    expect(await direct.execute(text, [7])).toEqual([{ sum: 8 }]);
    expect(await direct.execute(text, [8])).toEqual([{ sum: 9 }]);
    expect(await direct.execute(prepared)).toEqual([]);
  });

  it('fails with what is wrong with it', async () => {
    const { direct } = opened.database;
    await expect(direct.execute(text, ['seven'])).rejects.toThrow('invalid input syntax for type integer');
  });
});

describe('the names of prepared statements', () => {
  const used = (names: PreparedNames, sql: string) => Array.from({ length: 20 }, () => names.nameOf(sql)).at(-1);

  it('are the same in every server for the same text, and others for another one', () => {
    const name = used(new PreparedNames(), 'select 1');
    expect(name).toMatch(/^portolan_[0-9a-f]{32}$/);
    expect(used(new PreparedNames(), 'select 1')).toBe(name);
    expect(used(new PreparedNames(), 'select 2')).not.toBe(name);
  });

  it('are given to forty statements at most, since each connection keeps their plans', () => {
    const names = new PreparedNames();
    const given = Array.from({ length: 60 }, (_, number) => used(names, `select ${number}`));
    expect(given.filter((name) => name !== null)).toHaveLength(40);
    expect(new Set(given.slice(0, 40))).toHaveLength(40);
  });
});
