import { afterAll, describe, expect, it } from 'vitest';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { MikroOrmConnections } from '#adapters/persistence/mikro-orm-connections.ts';
import { MikroOrmUsers } from '#adapters/persistence/mikro-orm-users.ts';
import { SqlClients } from '#adapters/persistence/sql-clients.ts';
import { SqlLeases } from '#adapters/persistence/sql-leases.ts';
import { SqlWebhookInbox } from '#adapters/persistence/sql-webhook-inbox.ts';
import { connectedSince } from '#domain/connections/connection-status.ts';
import { type Database, openDatabase } from '#infrastructure/database/open-database.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { laterChange as later } from '#test/support/persistence/later-change.ts';
import { startPostgres } from '#test/support/persistence/postgres.ts';
import { openTestPostgres, openTestSqlite, type TestDatabase } from '#test/support/persistence/test-database.ts';

const postgres = await startPostgres();
afterAll(async () => {
  if (typeof postgres !== 'string') await postgres.stop();
});

/** What a server does with its stores. */
async function work(database: Database, round: string): Promise<void> {
  const users = new MikroOrmUsers(database);
  const added = await users.add({
    email: `${round}@example.com`,
    passwordHash: 'h',
    permissions: ['vault'],
    isAdmin: false,
  });
  const userId = added.ok ? added.value.id : 0;
  expect(await users.change(userId, { permissions: [] })).toBe(true);
  const connections = new MikroOrmConnections(database);
  await connections.save({ ...tokenRecord('tracker'), userId }, connectedSince(1));
  expect(await connections.find(userId, 'tracker')).not.toBeNull();
  const inbox = new SqlWebhookInbox(database);
  await inbox.keep([{ service: 'tracker', deliveryId: round, orderKey: round, event: 'e', body: '{}' }]);
  const clients = new SqlClients(database);
  await clients.keep({ id: round, secret: 's', name: 'n', redirectUris: [], createdAt: 1 });
  expect(await clients.find(round)).toMatchObject({ ok: true });
  expect(await new SqlLeases(database).acquire(round, 'me', 1_000)).toBe(1);
}

async function sideBySide({ database, url, close }: TestDatabase): Promise<void> {
  await work(database, 'before');
  const newer = await openDatabase({ url, entities, migrations: [...migrations, later] });
  try {
    await Promise.all([work(database, 'former'), work(newer, 'newer')]);
    const counts = await new SqlWebhookInbox(newer).counts();
    expect(counts.pending).toBe(3);
    await expect(openDatabase({ url, entities, migrations })).rejects.toThrow('by a later version');
  } finally {
    await newer.close();
    await close();
  }
}

describe('a server that runs while a later version changes the schema', () => {
  it('continues, and is refused only when it is started again: SQLite (SET-024, SET-011)', async () => {
    await sideBySide(await openTestSqlite());
  });

  it.skipIf(typeof postgres === 'string')(
    'continues, and is refused only when it is started again: PostgreSQL (SET-024)',
    async () => {
      if (typeof postgres !== 'string') await sideBySide(await openTestPostgres(postgres.url));
    },
  );
});

describe('every schema change', () => {
  it.each(migrations.map(({ name, statements }) => [name, statements] as const))(
    'only adds what an older server can leave out: %s (SET-024)',
    (_, statements) => {
      for (const kind of ['sqlite', 'postgres'] as const) {
        const all = statements(kind);
        const made = all.flatMap((statement) => /^\s*create table (\w+)/.exec(statement)?.[1] ?? []);
        const added = all.flatMap(
          (statement) => /^\s*alter table \w+ add column \w+/.exec(statement)?.[0].trim() ?? [],
        );
        for (const statement of all) {
          // A table or column may be filled by the change that makes it: no older server reads it.
          if (made.includes(/^\s*insert into (\w+) select\b/.exec(statement)?.[1] ?? '')) continue;
          const [, table, column] = /^\s*update (\w+) set (\w+) = \w+$/.exec(statement) ?? [];
          if (added.includes(`alter table ${table} add column ${column}`)) continue;
          expect(statement).toMatch(/^\s*(create (table|index|unique index)|alter table \w+ add column)\b/);
          if (/^\s*alter/.test(statement) && /not null/.test(statement)) expect(statement).toMatch(/\bdefault\b/);
        }
      }
    },
  );
});
