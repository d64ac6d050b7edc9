import * as runner from 'vitest';
import { afterAll, expect, it } from 'vitest';
import { MemoryAuthorizationCodes } from '#adapters/memory/memory-authorization-codes.ts';
import { authorizationCodesContract } from '#test/contracts/authorization-codes.ts';
import { clientsContract } from '#test/contracts/clients.ts';
import { authorizationCodeStores } from '#test/support/contracts/authorization-codes.ts';
import { clientStores } from '#test/support/contracts/clients.ts';
import { emptyPool } from '#test/support/persistence/sqlite-pool.ts';

for (const store of clientStores) clientsContract(runner, store);
for (const store of authorizationCodeStores) authorizationCodesContract(runner, store);
afterAll(emptyPool);

it('the in-memory store of codes keeps 10,000, and forgets the oldest (CODE-008)', async () => {
  const codes = new MemoryAuthorizationCodes();
  const code = { clientId: 'c', userId: 1, redirectUri: 'http://127.0.0.1/', codeChallenge: null, expiresAt: 0 };
  for (let index = 0; index <= 10_000; index += 1) await codes.keep({ ...code, code: `code_${index}` });
  expect(await codes.find('code_0')).toBeNull();
  for (const kept of ['code_1', 'code_10000']) expect(await codes.find(kept)).not.toBeNull();
});
