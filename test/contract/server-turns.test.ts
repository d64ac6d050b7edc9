import * as runner from 'vitest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NoTurn } from '#adapters/contracts/server-turns.ts';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { PostgresTurns } from '#adapters/persistence/postgres-turns.ts';
import { type Database, openDatabase } from '#infrastructure/database/open-database.ts';
import { serverTurnsContract } from '#test/contracts/server-turns.ts';
import { postgresTurns, serverTurns } from '#test/support/contracts/server-turns.ts';
import { postgresSubject } from '#test/support/contracts/sql-subject.ts';
import { cuttableProxy } from '#test/support/network/cuttable-proxy.ts';
import { startPostgres } from '#test/support/persistence/postgres.ts';
import { openTestPostgres, patience, type TestDatabase } from '#test/support/persistence/test-database.ts';

const postgres = await startPostgres();
let first: TestDatabase;
let second: Database;

beforeAll(async () => {
  if (typeof postgres === 'string') return;
  first = await openTestPostgres(postgres.url);
  second = await openDatabase({ url: first.url, entities, migrations, ...patience });
});
afterAll(async () => {
  await second?.close();
  await first?.close();
  if (typeof postgres !== 'string') await postgres.stop();
});

/** The server process of PostgreSQL that gave the one lock that is held now. */
const holder = async () => {
  const rows: readonly Readonly<{ pid: number }>[] = await second.em.fork().execute(
    `select l.pid from pg_locks l join pg_database d on d.oid = l.database
     where l.locktype = 'advisory' and l.granted and d.datname = current_database()`,
  );
  return rows[0]?.pid;
};

for (const turns of serverTurns) serverTurnsContract(runner, turns);

if (typeof postgres !== 'string') {
  serverTurnsContract(
    runner,
    postgresSubject(postgresTurns, () => first),
  );
}

describe.skipIf(typeof postgres === 'string')('turns by PostgreSQL', () => {
  it('are given to one server at a time, also to many at once on few connections (EMB-016)', async () => {
    let atWork = 0;
    let most = 0;
    const work = async () => {
      atWork += 1;
      most = Math.max(most, atWork);
      await second.em.fork().execute('select 1');
      atWork -= 1;
      return 'done';
    };
    const servers = [new PostgresTurns(first.database), new PostgresTurns(second)];
    const done = await Promise.all(
      servers.flatMap((turns) => Array.from({ length: 30 }, () => turns.run('note a', work))),
    );
    expect(done).toEqual(Array(60).fill('done'));
    expect(most).toBe(1);
  });

  it('with other names do not wait for each other', async () => {
    const [one, two] = [new PostgresTurns(first.database), new PostgresTurns(second)];
    expect(await one.run('note a', () => two.run('note b', async () => 'both'))).toBe('both');
  });

  it('end with the error of their work', async () => {
    const turns = new PostgresTurns(first.database);
    await expect(turns.run('note a', () => Promise.reject(new Error('of the work')))).rejects.toThrow('of the work');
    expect(await new PostgresTurns(second).run('note a', async () => 'next')).toBe('next');
  });

  it('of a server whose connection is cut go to the next at once, and its work is completed', async () => {
    const [cut, next] = [new PostgresTurns(first.database), new PostgresTurns(second)];
    const isCut = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const held = cut.run('note a', async () => {
      begun.resolve();
      await isCut.promise;
      return 'its own';
    });
    await begun.promise;
    await second.em.fork().execute('select pg_terminate_backend(?)', [await holder()]);
    expect(await next.run('note a', async () => 'next')).toBe('next');
    isCut.resolve();
    expect(await held).toBe('its own');
    expect(await cut.run('note a', async () => 'again')).toBe('again');
  });

  it('of a frozen server end by themselves before the waiting servers give up (EMB-016)', async () => {
    const isOver = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const still = new PostgresTurns(first.database).run('note a', () => {
      begun.resolve();
      return isOver.promise;
    });
    await begun.promise;
    expect(await new PostgresTurns(second).run('note a', async () => 'next')).toBe('next');
    isOver.resolve();
    await still;
  });

  it('are not given when the database does not answer, and the work is not started', async () => {
    const proxy = await cuttableProxy(Number(new URL(first.url).port));
    const url = Object.assign(new URL(first.url), { port: String(proxy.port) }).href;
    const unreachable = await openDatabase({ url, entities, migrations });
    await proxy.cut();
    let isBegun = false;
    const run = new PostgresTurns(unreachable).run('note a', async () => {
      isBegun = true;
    });
    await expect(run).rejects.toThrow(NoTurn);
    expect(isBegun).toBe(false);
    await unreachable.close();
  });
});
