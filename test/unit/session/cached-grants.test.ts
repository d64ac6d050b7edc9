import { expect, it } from 'vitest';
import { cachedGrants } from '#adapters/stores/cached-stores.ts';
import type { AppGrant } from '#domain/oauth/app-grant.ts';
import { MemoryGrants } from '#test/doubles/memory-grants.ts';

const grantOf = (id: string, userId: number): AppGrant => ({
  id,
  userId,
  clientId: 'client',
  clientName: 'App',
  scope: '*',
  switchedOff: [],
  since: 1_000,
  ask: null,
  lastUsedAt: null,
});

it('the cache reads a user’s grants again when another server changed them, and nobody else’s', async () => {
  const store = new MemoryGrants();
  for (const [id, userId] of [
    ['mine', 1],
    ['theirs', 2],
  ] as const)
    await store.keep(grantOf(id, userId));
  const cached = cachedGrants(store, { ttlMs: 3_600_000 });
  for (const id of ['mine', 'theirs']) expect(await cached.find(id)).not.toBeNull();
  for (const [id, userId] of [
    ['mine', 1],
    ['theirs', 2],
  ] as const)
    await store.remove(userId, id);
  cached.forgetUser(1);
  expect(await cached.find('mine')).toBeNull();
  expect(await cached.find('theirs')).not.toBeNull();
});
