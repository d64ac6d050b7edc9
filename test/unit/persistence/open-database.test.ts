import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { MikroOrmNoteLinks } from '#adapters/persistence/mikro-orm-note-links.ts';
import { MikroOrmWebhookInbox } from '#adapters/persistence/mikro-orm-webhook-inbox.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';
import { testBox } from '#test/support/webhook-database.ts';

let folder: string;
let url: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portolan-database-'));
  url = `sqlite:${join(folder, 'made', 'on the way', 'test.sqlite')}`;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const record = { service: 'tracker', kind: 'issue', id: '42' } as const;
const entry = { service: 'tracker', orderKey: 'k', event: 'Issue.create', body: '{"secret":"text"}' } as const;

describe('a SQLite database', () => {
  it('is made with its folder, writes ahead, syncs fully and waits for others', async () => {
    const database = await openDatabase({ url, entities, migrations });
    const em = database.em.fork();
    expect(await em.execute('pragma journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    expect(await em.execute('pragma synchronous')).toEqual([{ synchronous: 2 }]);
    expect(await em.execute('pragma busy_timeout')).toEqual([{ timeout: 5000 }]);
    await database.close();
  });

  it('keeps what it was told when it is opened again, and runs no change twice', async () => {
    const first = await openDatabase({ url, entities, migrations });
    await new MikroOrmNoteLinks(first).keep({ record, path: 'Issues/a.md', appliedAt: 5 });
    await first.close();
    const second = await openDatabase({ url, entities, migrations });
    expect(await new MikroOrmNoteLinks(second).find(record)).toEqual({ record, path: 'Issues/a.md', appliedAt: 5 });
    await second.close();
  });

  it('is shared by two that never get the same entry', async () => {
    const databases = [
      await openDatabase({ url, entities, migrations }),
      await openDatabase({ url, entities, migrations }),
    ];
    const [one, two] = databases.map((database) => new MikroOrmWebhookInbox(database, testBox));
    if (one === undefined || two === undefined) throw new Error('not opened');
    await one.keep(
      Array.from({ length: 10 }, (_, index) => ({ ...entry, deliveryId: `${index}`, orderKey: `${index}` })),
    );
    const claimed = await Promise.all(
      [one, two, one, two].map((inbox, index) => inbox.claim({ owner: `${index}`, leaseMs: 60_000, limit: 3 })),
    );
    expect(new Set(claimed.flat().map(({ seq }) => seq)).size).toBe(10);
    expect(claimed.flat()).toHaveLength(10);
    for (const database of databases) await database.close();
  });

  it('holds bodies of deliveries sealed', async () => {
    const database = await openDatabase({ url, entities, migrations });
    await new MikroOrmWebhookInbox(database, testBox).keep([{ ...entry, deliveryId: '1' }]);
    expect(JSON.stringify(await database.em.fork().execute('select * from webhook_inbox'))).not.toContain('secret');
    await database.close();
  });

  it('remembers the latest of the events applied to a note', async () => {
    const database = await openDatabase({ url, entities, migrations });
    const links = new MikroOrmNoteLinks(database);
    expect(await links.find(record)).toBeNull();
    await links.keep({ record, path: 'a.md', appliedAt: 5 });
    await links.keep({ record, path: 'b.md', appliedAt: 3 });
    expect(await links.find(record)).toEqual({ record, path: 'b.md', appliedAt: 5 });
    await database.close();
  });
});

describe('a database that cannot be opened', () => {
  it('is told with its address and the reason', async () => {
    const path = join(folder, 'text.sqlite');
    await writeFile(path, 'this is no database, and it is long enough to be read as a header of one');
    const opening = openDatabase({ url: `sqlite:${path}`, entities, migrations });
    await expect(opening).rejects.toThrow(/^The database sqlite:.*text\.sqlite cannot be opened: .*not a database/);
  });

  it('is told without its password', async () => {
    const opening = openDatabase({ url: 'postgres://me:hidden@127.0.0.1:1/none', entities, migrations });
    await expect(opening).rejects.toThrow('The database postgres://me:***@127.0.0.1:1/none cannot be opened');
    await expect(opening).rejects.not.toThrow('hidden');
  });
});
