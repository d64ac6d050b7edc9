import { expect, it } from 'vitest';
import { CachedUsers } from '#adapters/memory/cached-users.ts';
import { MemoryAuthorizationCodes } from '#adapters/memory/memory-authorization-codes.ts';
import { MemoryClients } from '#adapters/memory/memory-clients.ts';
import { authorizationCodesContract } from '#test/contract/authorization-codes.contract.ts';
import { clientsContract } from '#test/contract/clients.contract.ts';
import { usersContract } from '#test/contract/users.contract.ts';
import { MemoryUsers } from '#test/doubles/memory-users.ts';

clientsContract('MemoryClients', async (max) => new MemoryClients(max));
authorizationCodesContract('MemoryAuthorizationCodes', async (max) => new MemoryAuthorizationCodes(max));
usersContract('MemoryUsers', async () => new MemoryUsers());
it('a memory of codes holds 10,000, and forgets the oldest (CODE-008)', async () => {
  const codes = new MemoryAuthorizationCodes();
  const code = { clientId: 'c', userId: 1, redirectUri: 'http://127.0.0.1/', codeChallenge: null, expiresAt: 0 };
  for (let index = 0; index <= 10_000; index += 1) await codes.keep({ ...code, code: `code_${index}` });
  expect(await codes.find('code_0')).toBeNull();
  for (const kept of ['code_1', 'code_10000']) expect(await codes.find(kept)).not.toBeNull();
});
usersContract('CachedUsers', async () => new CachedUsers(new MemoryUsers()));
