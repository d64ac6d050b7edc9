import { CachedUsers } from '#adapters/memory/cached-users.ts';
import { MemoryAuthorizationCodes } from '#adapters/memory/memory-authorization-codes.ts';
import { MemoryClients } from '#adapters/memory/memory-clients.ts';
import { MemoryUsers } from '#adapters/memory/memory-users.ts';
import { authorizationCodesContract } from '#test/contract/authorization-codes.contract.ts';
import { clientsContract } from '#test/contract/clients.contract.ts';
import { usersContract } from '#test/contract/users.contract.ts';

clientsContract('MemoryClients', async (max) => new MemoryClients(max));
authorizationCodesContract('MemoryAuthorizationCodes', async (max) => new MemoryAuthorizationCodes(max));
usersContract('MemoryUsers', async () => new MemoryUsers());
usersContract('CachedUsers', async () => new CachedUsers(new MemoryUsers()));
