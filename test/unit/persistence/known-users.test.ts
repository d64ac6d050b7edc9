import { beforeEach, describe, expect, it } from 'vitest';
import { KnownServices, knownUsers } from '#adapters/stores/known-stores.ts';
import type { Users } from '#application/ports/users.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { MemoryUsers } from '#test/doubles/memory-users.ts';

let stored: MemoryUsers;
let known: Users;

beforeEach(async () => {
  stored = new MemoryUsers();
  known = knownUsers(stored, new KnownServices(['tracker', 'vault'], openLogger('silent')));
  await stored.add({ email: 'ada@example.com', passwordHash: 'x', permissions: ['vault', 'wiki'], isAdmin: true });
});

describe('permissions for services that this server does not have', () => {
  it('are hidden', async () => {
    expect(await known.find(1)).toMatchObject({ permissions: ['vault'] });
  });

  it('stay stored when the others change (REMOTE-062)', async () => {
    await known.change(1, { permissions: ['tracker'] });
    expect(await known.find(1)).toMatchObject({ permissions: ['tracker'] });
    expect(await stored.find(1)).toMatchObject({ permissions: ['tracker', 'wiki'] });
    await known.change(1, { permissions: [] });
    expect(await stored.find(1)).toMatchObject({ permissions: ['wiki'] });
  });

  it('stay stored when something else changes, and are given to nobody who is not there (REMOTE-062)', async () => {
    expect(await known.change(1, { name: 'Ada' })).toBe(true);
    expect(await stored.find(1)).toMatchObject({ name: 'Ada', permissions: ['vault', 'wiki'] });
    expect(await known.change(9, { permissions: ['vault'] })).toBe(false);
  });
});
