import { beforeEach, expect, it } from 'vitest';
import { SharedBuckets } from '#adapters/mcp/transports/shared-buckets.ts';
import { TokenBuckets } from '#infrastructure/limits/token-buckets.ts';
import { Town } from '#test/doubles/town.ts';

const rule = { burst: 600, perSecond: 20 };
let town: Town;
let now: number;
let servers: readonly SharedBuckets[];
beforeEach(() => {
  town = new Town();
  now = 0;
  servers = ['a', 'b', 'c'].map((id) => new SharedBuckets(new TokenBuckets(rule), rule, town.join(id), () => now));
});

/** How many of so many messages are taken, each by the next server. */
const taken = (user: number, messages: number): number =>
  Array.from({ length: messages }, (_, index) => servers[index % servers.length]?.take(user, 1, now)).filter(
    (waitS) => waitS === 0,
  ).length;

it('three servers together count the messages of a user once, each to within a twentieth (MCP-019)', () => {
  const first = taken(1, 3_000);
  expect(first).toBeGreaterThanOrEqual(600);
  expect(first).toBeLessThanOrEqual(600 + 2 * 30);
  expect(taken(2, 10)).toBe(10);
  now += 3_000;
  const next = taken(1, 3_000);
  expect(next).toBeGreaterThan(0);
  expect(next).toBeLessThanOrEqual(60 + 2 * 30);
});

it('servers exchange nothing about a user below the rate, and one message for thirty of another user (MCP-019)', () => {
  for (let message = 0; message < 1_000; message += 1) {
    now += 50;
    expect(servers[0]?.take(1, 1, now)).toBe(0);
  }
  expect(town.sent).toBe(0);
  expect(taken(2, 90)).toBe(90);
  expect(town.sent).toBe(3);
});

it('a malformed count from another server is ignored (PEER-004)', () => {
  const stranger = town.join('stranger');
  for (const body of [{}, { user: 1, count: -600 }, { user: 'x', count: 1 }, { user: 1, count: 1.5 }]) {
    stranger.publish('mcp messages', body);
  }
  expect(taken(1, 600)).toBe(600);
});
