import { afterEach, expect, it, vi } from 'vitest';
import type { MessageExchange } from '#adapters/contracts/mcp-exchange.ts';
import { answer } from '#adapters/mcp/transports/exchange.ts';
import { ForwardedPosts } from '#adapters/mcp/transports/forwarded-posts.ts';
import { noOtherServers, type OtherServers } from '#application/ports/other-servers.ts';
import { guest } from '#domain/users/user.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A server that is asked whether another has ended, and hears from it what the test says. */
function openServer(isGone: (look: number) => boolean, isHearing = true) {
  const asked: string[] = [];
  const published: string[] = [];
  const ears = new Map<string, (body: unknown, from: string) => void>();
  const others: OtherServers = {
    ...noOtherServers,
    serverId: 'own',
    isAlone: () => false,
    isHearing: () => isHearing,
    isGone: async (id) => {
      asked.push(id);
      return isGone(asked.length);
    },
    publish: (topic) => void published.push(topic),
    subscribe: (topic, listener) => {
      ears.set(topic, listener);
      return () => undefined;
    },
  };
  const posts = new ForwardedPosts(others, async () => answer(500, null));
  return { posts, asked, published, say: (topic: string, body: object) => ears.get(topic)?.(body, 'owner') };
}

const exchange = { user: { ...guest, id: 1 }, headers: {} } as unknown as MessageExchange;

it('a message for a stream of a dead server is given up as soon as the death is certain (MCP-027)', async () => {
  const { posts, asked } = openServer(() => true);
  expect(await posts.send('owner.stream', exchange, {})).toBeNull();
  // By the end of the wait alone nobody would have been asked.
  expect(asked).toEqual(['owner', 'owner']);
});

it('a message for a stream of a server that was away for a moment is answered (MCP-027)', async () => {
  const { posts, asked, say } = openServer((look) => look === 1);
  const sent = posts.send('owner.stream', exchange, {});
  await expect.poll(() => asked.length).toBe(2);
  say('mcp posted', { ref: 1, status: 202, json: null });
  expect(await sent).toEqual({ status: 202, json: null });
  expect(asked).toEqual(['owner', 'owner']);
});

it('a message for a stream of a server that does not answer, and may be alive, gets 503 with Retry-After (MCP-027)', async () => {
  vi.useFakeTimers();
  const { posts, published } = openServer((look) => look === 2);
  const sent = posts.send('owner.stream', exchange, {});
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await sent).toMatchObject({ status: 503, retryAfterS: 5, json: expect.stringContaining('-32000') });
  expect(published).toEqual(['mcp post']);
});

it('a message that arrives while this server does not hear the others gets 503, and is not forwarded (MCP-027)', async () => {
  const { posts, published, asked } = openServer(() => true, false);
  expect(await posts.send('owner.stream', exchange, {})).toMatchObject({ status: 503, retryAfterS: 5 });
  expect([published, asked]).toEqual([[], []]);
});
