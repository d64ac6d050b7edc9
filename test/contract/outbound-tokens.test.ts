import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MikroOrmOutboundTokens } from '#adapters/persistence/mikro-orm-outbound-tokens.ts';
import { AesGcmBox } from '#infrastructure/crypto/aes-gcm-box.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { outboundTokensContract } from '#test/contract/outbound-tokens.contract.ts';
import { MemoryOutboundTokens } from '#test/doubles/memory-outbound-tokens.ts';
import { openTestSqlite, testBox } from '#test/support/persistence/test-database.ts';

outboundTokensContract('memory', async () => ({ tokens: new MemoryOutboundTokens(), close: async () => undefined }));

outboundTokensContract('SQLite', async () => {
  const { database, close } = await openTestSqlite();
  return { tokens: new MikroOrmOutboundTokens(database, testBox), close };
});

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
} as const;

it('both tokens are sealed in the database, with the key id in front (CONN-013)', async () => {
  const { database, close } = await openTestSqlite();
  await new MikroOrmOutboundTokens(database, testBox).keep(record);
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
  let tokens: MikroOrmOutboundTokens;

  beforeEach(async () => {
    ({ database, close } = await openTestSqlite());
    told = [];
    tokens = new MikroOrmOutboundTokens(database, stranger, ({ userId, service }, { message }) =>
      told.push(`${userId}/${service}: ${message}`),
    );
    await new MikroOrmOutboundTokens(database, testBox).keep(record);
  });
  afterEach(() => close());

  const withoutTokens = { ...record, accessToken: '', refreshToken: null };

  it('comes without them, and why is told once', async () => {
    expect(await tokens.find(1, 'tracker')).toEqual(withoutTokens);
    expect(await tokens.list(1)).toEqual([withoutTokens]);
    expect(told).toEqual([
      expect.stringMatching(/^1\/tracker: .*sealed with key [0-9a-f]{8}.*SECRET_KEY_BASE_PREVIOUS/),
    ]);
  });

  it('is kept as it is until it is connected anew', async () => {
    expect(await tokens.replace(withoutTokens, { ...record, accessToken: 'another' })).toBe(false);
    expect(await new MikroOrmOutboundTokens(database, testBox).find(1, 'tracker')).toEqual(record);
    await tokens.keep({ ...record, accessToken: 'another' });
    expect(await tokens.find(1, 'tracker')).toMatchObject({ accessToken: 'another' });
  });

  it('is told again when it could be opened meanwhile', async () => {
    await tokens.find(1, 'tracker');
    await tokens.keep(record);
    await tokens.find(1, 'tracker');
    await new MikroOrmOutboundTokens(database, testBox).keep(record);
    await tokens.find(1, 'tracker');
    expect(told).toHaveLength(2);
  });

  it('because they were copied from another user’s row, comes without them as well', async () => {
    const own = new MikroOrmOutboundTokens(database, testBox, (_, { message }) => told.push(message));
    await own.keep({ ...record, userId: 2 });
    await database.em
      .fork()
      .execute(
        'update outbound_tokens set access_token = (select access_token from outbound_tokens where user_id = 1) where user_id = 2',
      );
    expect(await own.find(2, 'tracker')).toMatchObject({ accessToken: '', refreshToken: null });
    expect(told).toEqual([expect.stringContaining('another place')]);
  });
});
