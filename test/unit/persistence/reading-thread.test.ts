import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { SqlWebhookInbox } from '#adapters/persistence/sql-webhook-inbox.ts';
import { type Database, openDatabase } from '#infrastructure/database/open-database.ts';

const entry = (deliveryId: string) => ({
  service: 'tracker',
  deliveryId,
  orderKey: 'record',
  event: 'issue.update',
  body: '{}',
});

describe('statements that may read a whole table, on SQLite', () => {
  let folder: string;
  let database: Database;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portolan-aside-'));
    database = await openDatabase({ url: `sqlite:${join(folder, 'p.sqlite')}`, entities, migrations });
  });

  afterEach(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('see what was acknowledged before, and leave the connection of the others alone (EDGE-021)', async () => {
    const inbox = new SqlWebhookInbox(database);
    await inbox.keep([entry('first'), entry('second')]);
    const open = database.em.fork();
    await open.begin();
    await open.execute("update webhook_inbox set event = 'uncommitted'");
    // The connection is another transaction's: whoever waits for it waits until that ends.
    const { entries: found } = await inbox.search({ text: 'SECOND', most: 10, limit: 10, services: [] });
    await open.rollback();
    expect(found.map(({ deliveryId, event }) => [deliveryId, event])).toEqual([['second', 'issue.update']]);
  });

  it.each([
    ["insert into server_facts values ('a', 'b') returning name", 'read_only'],
    ['delete from webhook_inbox returning seq', 'read_only'],
  ])('cannot write: %s', async (sql, reason) => {
    await expect(database.aside?.read(sql, [])).rejects.toMatchObject({ reason });
  });

  it('fail with what is wrong with them', async () => {
    await expect(database.aside?.read('select * from unknown_table', [])).rejects.toThrow(
      'no such table: unknown_table',
    );
  });

  it('are refused while another file is in the place of the one that was opened', async () => {
    const path = join(folder, 'p.sqlite');
    await database.check();
    await rename(path, `${path}.away`);
    await expect(database.aside?.read('select 1', [])).rejects.toMatchObject({ reason: 'gone' });
    await rename(`${path}.away`, path);
    expect(await database.aside?.read('select 1 as one', [])).toEqual([{ one: 1 }]);
  });

  it('are refused when too many wait', async () => {
    const slow =
      'with recursive n (i) as (select 1 union all select i + 1 from n where i < 300000) select count(*) from n';
    const all = await Promise.allSettled(Array.from({ length: 60 }, async () => database.aside?.read(slow, [])));
    const refused = all.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(all.length - refused.length).toBeGreaterThan(20);
    for (const one of refused) expect(one).toMatchObject({ reason: { reason: 'busy' } });
  });

  it('are not done in a thread for a database in memory, which no thread can open', async () => {
    const inMemory = await openDatabase({ url: 'sqlite::memory:', entities, migrations });
    const inbox = new SqlWebhookInbox(inMemory);
    await inbox.keep([entry('first')]);
    expect(inMemory.aside).toBeNull();
    expect((await inbox.search({ text: 'first', most: 10, limit: 10, services: [] })).entries).toHaveLength(1);
    await inMemory.close();
  });
});
