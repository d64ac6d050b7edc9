import { expect, it } from 'vitest';
import { MemoryOutboundTokens } from '#adapters/memory/memory-outbound-tokens.ts';
import { MikroOrmOutboundTokens } from '#adapters/persistence/mikro-orm-outbound-tokens.ts';
import { AesGcmBox } from '#infrastructure/crypto/aes-gcm-box.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { outboundTokensContract } from '#test/contract/outbound-tokens.contract.ts';
import { openTestSqlite, testBox } from '#test/support/webhook-database.ts';

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

it('both tokens are sealed in the database, with the key id in front', async () => {
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

it('a token sealed with a key that is not known is refused with a sentence that says so', async () => {
  const { database, close } = await openTestSqlite();
  await new MikroOrmOutboundTokens(database, testBox).keep(record);
  const stranger = new AesGcmBox([deriveKey('another secret, of another installation', 'columns')]);
  await expect(new MikroOrmOutboundTokens(database, stranger).find(1, 'tracker')).rejects.toThrow(
    /sealed with key [0-9a-f]{8}.*SECRET_KEY_BASE_PREVIOUS/,
  );
  await close();
});

it('a token copied to another user’s row does not open there', async () => {
  const { database, close } = await openTestSqlite();
  const tokens = new MikroOrmOutboundTokens(database, testBox);
  await tokens.keep(record);
  await tokens.keep({ ...record, userId: 2 });
  await database.em
    .fork()
    .execute(
      'update outbound_tokens set access_token = (select access_token from outbound_tokens where user_id = 1) where user_id = 2',
    );
  await expect(tokens.find(2, 'tracker')).rejects.toThrow(/another place/);
  await close();
});
