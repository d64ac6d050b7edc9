import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MikroOrmUsers } from '#adapters/persistence/mikro-orm-users.ts';
import { SqlReceiptLog } from '#adapters/persistence/sql-receipt-log.ts';
import { SqlWebhookInbox } from '#adapters/persistence/sql-webhook-inbox.ts';
import { DatabaseUnavailable } from '#infrastructure/database/database-unavailable.ts';
import { openTestSqlite, type TestDatabase } from '#test/support/persistence/test-database.ts';

let test: TestDatabase;
let inbox: SqlWebhookInbox;
let count = 0;

beforeEach(async () => {
  test = await openTestSqlite();
  inbox = new SqlWebhookInbox(test.database);
});
afterEach(() => test.close());

const delivery = (bytes = 20_000) => {
  count += 1;
  const body = JSON.stringify('x'.repeat(bytes));
  return { service: 'tracker', deliveryId: `${count}`, orderKey: `${count}`, event: 'Issue.create', body } as const;
};

const stale = { service: 'tracker', deliveryId: 'old', receivedAt: 1, ageMs: 1 } as const;
const newUser = { email: 'a@example.com', passwordHash: 'h', permissions: [], isAdmin: false } as const;

/** A database that waits for a lock longer than a busy machine takes for ten turns. */
async function openPatient(): Promise<TestDatabase & AsyncDisposable> {
  const opened = await openTestSqlite({ maxLockWaitMs: 60_000 });
  return { ...opened, [Symbol.asyncDispose]: opened.close };
}

const unavailable = (reason: string) => expect.objectContaining({ constructor: DatabaseUnavailable, reason });

async function ask(sql: string): Promise<readonly unknown[]> {
  return test.database.em.fork().execute(sql);
}

/** Lets the file grow by so many pages and no more, as a full disk does. */
async function limitRoom(pages: number): Promise<void> {
  const rows = await ask('select page_count as used from pragma_page_count');
  await ask(`pragma max_page_count = ${Number(Object(rows[0]).used) + pages}`);
}

/** Keeps deliveries, a few at a time, until there is no room; the ids of those that were acknowledged. */
async function fill(): Promise<readonly string[]> {
  const acknowledged: string[] = [];
  for (let round = 0; round < 100; round += 1) {
    const batch = [delivery(), delivery(), delivery()];
    const settled = await Promise.allSettled(batch.map((one) => inbox.keep([one])));
    settled.forEach(({ status }, index) => {
      if (status === 'fulfilled') acknowledged.push(batch[index]?.deliveryId ?? '');
    });
    const failed = settled.find((one) => one.status === 'rejected');
    if (failed === undefined) continue;
    expect(failed.reason).toEqual(unavailable('full'));
    return acknowledged;
  }
  throw new Error('There was always room');
}

describe('a SQLite database on a full disk', () => {
  it('reports that, can be read meanwhile, and recovers when there is space', async () => {
    await limitRoom(60);
    const acknowledged = await fill();
    await expect(inbox.keep([delivery(200_000)])).rejects.toEqual(unavailable('full'));
    await expect(test.database.check()).rejects.toEqual(unavailable('full'));
    expect((await inbox.counts()).pending).toBe(acknowledged.length);

    await ask('pragma max_page_count = 1000000');
    await test.database.check();
    expect(await inbox.keep([delivery()])).toBe(1);
    const kept = (await inbox.list({ limit: 1000 })).map(({ deliveryId }) => deliveryId);
    expect(acknowledged.filter((id) => !kept.includes(id))).toEqual([]);
  });

  it('is not blocked by any transaction that fails', async () => {
    await limitRoom(0);
    const inTransaction = () =>
      test.database.em.fork().transactional(async (em) => {
        await em.execute("insert into leases (name, owner, until, fencing) values ('a', ?, 0, 1)", [
          'x'.repeat(50_000),
        ]);
      });
    for (let round = 0; round < 3; round += 1) {
      await expect(inTransaction()).rejects.toEqual(unavailable('full'));
      await expect(inbox.keep([delivery()])).rejects.toEqual(unavailable('full'));
    }
    await ask('pragma max_page_count = 1000000');
    await inTransaction();
    expect(await inbox.keep([delivery()])).toBe(1);
  });

  it('writes nothing of a transaction that was rolled back by SQLite', async () => {
    await limitRoom(0);
    const going = test.database.em.fork().transactional(async (em) => {
      const insert = 'insert into leases (name, owner, until, fencing) values (?, ?, 0, 1)';
      await em.execute(insert, ['large', 'x'.repeat(500_000)]).catch(() => undefined);
      await em.execute(insert, ['small', 'x']);
    });
    await expect(going).rejects.toThrow();
    expect(await ask('select name from leases')).toEqual([]);
  });
});

describe('a SQLite database that another process has locked', () => {
  let other: Sqlite.Database;

  beforeEach(() => {
    other = new Sqlite(test.url.slice('sqlite:'.length));
  });
  afterEach(() => other.close());

  it('waits without blocking the process, and can be read meanwhile', async () => {
    await using patient = await openPatient();
    const inbox = new SqlWebhookInbox(patient.database);
    const holder = new Sqlite(patient.url.slice('sqlite:'.length));
    holder.exec('begin immediate');
    let turns = 0;
    const turning = setInterval(() => {
      turns += 1;
      if (turns === 10) holder.exec('commit');
    }, 5);
    const [kept, counts] = await Promise.all([inbox.keep([delivery()]), inbox.counts()]);
    clearInterval(turning);
    holder.close();
    expect(kept).toBe(1);
    expect(counts.pending).toBe(0);
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it('gives up after a while, for every kind of write, and recovers when the lock is released', async () => {
    other.exec('begin immediate');
    const users = new MikroOrmUsers(test.database);
    const receipts = new SqlReceiptLog(test.database);
    const settled = await Promise.allSettled([
      inbox.keep([delivery()]),
      users.add(newUser),
      receipts.noteStale(stale),
      test.database.check(),
    ]);
    expect(settled.map((one) => one.status === 'rejected' && one.reason)).toEqual(
      settled.map(() => unavailable('locked')),
    );
    expect(await users.list()).toEqual([]);
    other.exec('commit');
    expect(await inbox.keep([delivery()])).toBe(1);
    expect(await users.add(newUser)).toMatchObject({ ok: true });
    await receipts.noteStale(stale);
    await test.database.check();
  });
});

describe('a read-only SQLite database', () => {
  it('reports that, and is opened again for the next query', async () => {
    await ask('pragma query_only = on');
    await expect(inbox.keep([delivery()])).rejects.toEqual(unavailable('read_only'));
    expect(await inbox.keep([delivery()])).toBe(1);
  });
});

describe('text from outside', () => {
  it('with U+0000 or half a surrogate is stored as U+FFFD and found again', async () => {
    const users = new MikroOrmUsers(test.database);
    expect(await users.findByEmail('a\0@example.com')).toBeNull();
    expect(await users.findByEmail('\ud800@example.com')).toBeNull();
    await users.add({ ...newUser, email: 'nul\0@example.com' });
    expect(await users.findByEmail('nul\0@example.com')).toMatchObject({ user: { email: 'nul\ufffd@example.com' } });
    expect(await inbox.keep([{ ...delivery(), orderKey: 'a\0b', event: '\0\ud800' }])).toBe(1);
  });
});
