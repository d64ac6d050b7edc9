import * as runner from 'vitest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MikroOrmConnections } from '#adapters/persistence/mikro-orm-connections.ts';
import { sealedConnections } from '#adapters/stores/sealed-stores.ts';
import type { Connections } from '#application/ports/connections.ts';
import { connectedSince, troubleOf, unreadableSince } from '#domain/connections/connection-status.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { AesGcmBox } from '#infrastructure/crypto/aes-gcm-box.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { connectionStoreContract, connectionsContract } from '#test/contracts/connections.ts';
import { connectionStores, wrappedConnections } from '#test/support/contracts/connections.ts';
import { emptyPool } from '#test/support/persistence/sqlite-pool.ts';
import { openTestSqlite, testBox } from '#test/support/persistence/test-database.ts';

for (const store of connectionStores) connectionStoreContract(runner, store);
for (const connections of wrappedConnections) connectionsContract(runner, connections);
runner.afterAll(emptyPool);

const record = {
  userId: 1,
  service: 'tracker',
  authMethod: 'oauth',
  accessToken: 'the access token',
  refreshToken: 'the refresh token',
  scope: 'read,write',
  expiresAt: null,
  extra: { actor_mode: 'user' },
  updatedAt: 1,
} satisfies TokenRecord;
const works = connectedSince(1);

it('the database stores both tokens encrypted, with the key id in front (CONN-013)', async () => {
  const { database, close } = await openTestSqlite();
  await sealedConnections(new MikroOrmConnections(database), testBox).save(record, works);
  const [row] = await database.em.fork().execute('select * from outbound_tokens');
  expect(JSON.stringify(row)).not.toContain('the access token');
  expect(JSON.stringify(row)).not.toContain('the refresh token');
  expect(row).toMatchObject({
    access_token: expect.stringMatching(/^v1\.[0-9a-f]{8}\./),
    refresh_token: expect.stringMatching(/^v1\.[0-9a-f]{8}\./),
    auth_method: 'oauth',
    extra: '{"actor_mode":"user"}',
  });
  await close();
});

describe('a record whose tokens cannot be decrypted', () => {
  const stranger = new AesGcmBox([deriveKey('another secret, of another installation', 'columns')]);
  let database: Database;
  let close: () => Promise<void>;
  let logged: string[];
  let store: MikroOrmConnections;
  let connections: Connections;

  beforeEach(async () => {
    ({ database, close } = await openTestSqlite());
    logged = [];
    store = new MikroOrmConnections(database);
    connections = sealedConnections(store, stranger, ({ userId, service }, { message }) =>
      logged.push(`${userId}/${service}: ${message}`),
    );
    await sealedConnections(new MikroOrmConnections(database), testBox).save(record, works);
  });
  afterEach(() => close());

  const withoutTokens = { ...record, accessToken: '', refreshToken: null };
  const unreadable = { record: withoutTokens, status: unreadableSince(1, 'unknown_key') };

  it('is returned without them, and the reason is logged once', async () => {
    expect(await connections.find(1, 'tracker')).toEqual(unreadable);
    expect(await connections.list(1)).toEqual([unreadable]);
    expect(logged).toEqual([
      expect.stringMatching(/^1\/tracker: .*sealed with key [0-9a-f]{8}.*SECRET_KEY_BASE_PREVIOUS/),
    ]);
  });

  it('is kept unchanged until its user connects again', async () => {
    expect(await connections.replace(withoutTokens, { ...record, accessToken: 'another' })).toBe(false);
    expect(await sealedConnections(store, testBox).find(1, 'tracker')).toMatchObject({ record });
    await connections.save({ ...record, accessToken: 'another' }, works);
    expect(await connections.find(1, 'tracker')).toMatchObject({ record: { accessToken: 'another' } });
  });

  it('is reported again if it could be decrypted meanwhile', async () => {
    await connections.find(1, 'tracker');
    await connections.save(record, works);
    await connections.find(1, 'tracker');
    await sealedConnections(new MikroOrmConnections(database), testBox).save(record, works);
    await connections.find(1, 'tracker');
    expect(logged).toHaveLength(2);
  });

  it('is also returned without tokens when they were copied from another user’s row', async () => {
    const own = sealedConnections(store, testBox, (_, { message }) => logged.push(message));
    await own.save({ ...record, userId: 2 }, works);
    await database.em
      .fork()
      .execute(
        'update outbound_tokens set access_token = (select access_token from outbound_tokens where user_id = 1) where user_id = 2',
      );
    expect(await own.find(2, 'tracker')).toMatchObject({ record: { accessToken: '', refreshToken: null } });
    expect(logged).toEqual([expect.stringContaining('moved from the place')]);
  });

  it.each([
    ['of another secret', (text: string) => text, /encrypted with a different secret.*SECRET_KEY_BASE_PREVIOUS/],
    [
      'altered',
      (text: string) => `${text.slice(0, 40)}${text[40] === 'A' ? 'B' : 'A'}${text.slice(41)}`,
      /are damaged/,
    ],
    ['cut off', (text: string) => text.slice(0, 20), /are damaged/],
    ['overwritten', () => 'ZZZZ', /are damaged/],
    ['without the id of a key', (text: string) => text.replace(/^v1\.[0-9a-f]{8}/, 'v1.'), /are damaged/],
  ])('reports that its tokens are %s (CONN-025)', async (what, change, reason) => {
    const own = sealedConnections(store, what === 'of another secret' ? stranger : testBox);
    const [row] = await database.em
      .fork()
      .execute<{ access_token: string }[]>('select access_token from outbound_tokens');
    await database.em.fork().execute('update outbound_tokens set access_token = ?', [change(row?.access_token ?? '')]);
    const { status } = (await own.find(1, 'tracker')) ?? {};
    expect(status).toMatchObject({ state: 'reconnect', reason: expect.stringMatching(reason) });
    expect(troubleOf(status ?? unreadable.status, 1)).toMatch(/Connect it again/);
  });
});

describe('the connections of many', () => {
  const degraded = {
    state: 'degraded',
    since: 1,
    reason: null,
    rejections: { firstAt: 1, probes: 1, probeAt: 5 },
  } as const;
  const due = { services: [{ service: 'tracker', storedUntil: 10 }], expiresUntil: 10 };
  const renewable = { ...record, expiresAt: 100 };

  it('are listed as due however many there are (CONN-009)', async () => {
    const { database, close } = await openTestSqlite();
    const store = new MikroOrmConnections(database);
    const count = 1_500;
    await store.save(renewable, degraded);
    const others = `with recursive n (i) as (select 2 union all select i + 1 from n where i < ${count}) insert into`;
    for (const [table, columns] of [
      ['outbound_tokens', 'service, auth_method, access_token, refresh_token, scope, expires_at, extra, updated_at'],
      ['connection_standings', 'service, state, since, probe_at'],
    ]) {
      const sql = `${others} ${table} (user_id, ${columns}) select n.i, ${columns} from n, ${table}`;
      await database.em.fork().execute(sql);
    }
    expect(await store.dueForProbe(5)).toHaveLength(count);
    expect(await store.renewable(due)).toHaveLength(count);
    await close();
  });

  it('are not listed as due once their user is deactivated (CONN-024)', async () => {
    const { database, close } = await openTestSqlite();
    const store = new MikroOrmConnections(database);
    for (const userId of [1, 2, 3]) await store.save({ ...renewable, userId }, degraded);
    await database.em.fork().execute(
      `insert into users (id, email, email_key, password_hash, permissions, is_admin, deactivated_at)
       values (1, 'a@example.com', 'a@example.com', '', '[]', 0, 7), (2, 'b@example.com', 'b@example.com', '', '[]', 0, null)`,
    );
    expect((await store.dueForProbe(5)).map(({ userId }) => userId)).toEqual([2, 3]);
    expect((await store.renewable(due)).map(({ userId }) => userId)).toEqual([2, 3]);
    await close();
  });
});
