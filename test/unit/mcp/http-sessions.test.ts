import { LRUCache } from 'lru-cache';
import { expect, it, vi } from 'vitest';
import { Listeners } from '#adapters/mcp/changes/listeners.ts';
import { HttpSessions } from '#adapters/mcp/transports/http-sessions.ts';
import { guest } from '#domain/users/user.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { EventBus } from '#infrastructure/events/event-bus.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';

it('sessions that are opened together look once for those that have been idle, and again later', () => {
  const clock = new SettableClock(1_800_000_000_000);
  const listeners = new Listeners({
    users: { find: async (id) => ({ ...guest, id }) },
    connections: { overview: async () => ({ services: new Set(), isInTeamVault: false }) },
    noteChanges: new EventBus(),
    accountChanges: new EventBus(),
    clock,
    logger: openLogger('silent'),
    offered: [],
    services: [],
  });
  const bounds = { perUser: 32, all: 1_000, idleMs: 60_000 };
  const sessions = new HttpSessions({ random: systemRandom, bounds, listeners, clock });
  const purges = vi.spyOn(LRUCache.prototype, 'purgeStale');
  for (let user = 1; user <= 50; user += 1) sessions.open(user);
  expect(purges).toHaveBeenCalledTimes(1);
  clock.advance(1_000);
  sessions.open(1);
  expect(purges).toHaveBeenCalledTimes(2);
  purges.mockRestore();
  sessions.close();
});
