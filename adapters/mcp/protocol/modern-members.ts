import { serverName, serverTitle } from '#adapters/mcp/protocol/server-facts.ts';

/** How long a client may keep a list or a resource, in ms: a minute. It is the user's own, never for others. */
const keptMs = 60_000;

/** Who gave an answer, as its `_meta` has it. */
export function serverMeta(version: string): Readonly<Record<string, unknown>> {
  return { 'io.modelcontextprotocol/serverInfo': { name: serverName, title: serverTitle, version } };
}

/** What each answer of protocol 2026-07-28 has: that it is whole, who gave it, and how long it may be kept. */
export function modernMembers(version: string, isCacheable: boolean): object {
  const members = {
    resultType: 'complete',
    _meta: serverMeta(version),
  };
  return isCacheable ? { ...members, ttlMs: keptMs, cacheScope: 'private' } : members;
}
