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

it('both tokens are sealed in the database, with the key id in front (CONN-013)', async () => {
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

describe('a record whose tokens cannot be opened', () => {
  const stranger = new AesGcmBox([deriveKey('another secret, of another installation', 'columns')]);
  let database: Database;
  let close: () => Promise<void>;
  let told: string[];
  let store: MikroOrmConnections;
  let connections: Connections;

  beforeEach(async () => {
    ({ database, close } = await openTestSqlite());
    told = [];
    store = new MikroOrmConnections(database);
    connections = sealedConnections(store, stranger, ({ userId, service }, { message }) =>
      told.push(`${userId}/${service}: ${message}`),
    );
    await sealedConnections(new MikroOrmConnections(database), testBox).save(record, works);
  });
  afterEach(() => close());

  const withoutTokens = { ...record, accessToken: '', refreshToken: null };
  const unreadable = { record: withoutTokens, status: unreadableSince(1, 'unknown_key') };

  it('comes without them, and why is told once', async () => {
    expect(await connections.find(1, 'tracker')).toEqual(unreadable);
    expect(await connections.list(1)).toEqual([unreadable]);
    expect(told).toEqual([
      expect.stringMatching(/^1\/tracker: .*sealed with key [0-9a-f]{8}.*SECRET_KEY_BASE_PREVIOUS/),
    ]);
  });

  it('is kept as it is until it is connected anew', async () => {
    expect(await connections.replace(withoutTokens, { ...record, accessToken: 'another' })).toBe(false);
    expect(await sealedConnections(store, testBox).find(1, 'tracker')).toMatchObject({ record });
    await connections.save({ ...record, accessToken: 'another' }, works);
    expect(await connections.find(1, 'tracker')).toMatchObject({ record: { accessToken: 'another' } });
  });

  it('is told again when it could be opened meanwhile', async () => {
    await connections.find(1, 'tracker');
    await connections.save(record, works);
    await connections.find(1, 'tracker');
    await sealedConnections(new MikroOrmConnections(database), testBox).save(record, works);
    await connections.find(1, 'tracker');
    expect(told).toHaveLength(2);
  });

  it('because they were copied from another user’s row, comes without them as well', async () => {
    const own = sealedConnections(store, testBox, (_, { message }) => told.push(message));
    await own.save({ ...record, userId: 2 }, works);
    await database.em
      .fork()
      .execute(
        'update outbound_tokens set access_token = (select access_token from outbound_tokens where user_id = 1) where user_id = 2',
      );
    expect(await own.find(2, 'tracker')).toMatchObject({ record: { accessToken: '', refreshToken: null } });
    expect(told).toEqual([expect.stringContaining('another place')]);
  });

  it.each([
    ['of another secret', (text: string) => text, /sealed with another secret.*SECRET_KEY_BASE_PREVIOUS/],
    [
      'altered',
      (text: string) => `${text.slice(0, 40)}${text[40] === 'A' ? 'B' : 'A'}${text.slice(41)}`,
      /are damaged/,
    ],
    ['cut off', (text: string) => text.slice(0, 20), /are damaged/],
    ['overwritten', () => 'ZZZZ', /are damaged/],
    ['without the id of a key', (text: string) => text.replace(/^v1\.[0-9a-f]{8}/, 'v1.'), /are damaged/],
  ])('says so when they are %s (CONN-025)', async (what, change, reason) => {
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
