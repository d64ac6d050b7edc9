import { serverName, serverTitle } from '#adapters/mcp/protocol/server-facts.ts';

/** How long a client may cache a list or a resource, in ms. The cache is private to the user. */
const keptMs = 60_000;

/** The server's name and version, as members of an answer's `_meta`. */
export function serverMeta(version: string): Readonly<Record<string, unknown>> {
  return { 'io.modelcontextprotocol/serverInfo': { name: serverName, title: serverTitle, version } };
}

/**
 * The members common to answers of protocol 2026-07-28: that it is complete, the server's name, and the cache lifetime.
 */
export function modernMembers(version: string, isCacheable: boolean): object {
  const members = {
    resultType: 'complete',
    _meta: serverMeta(version),
  };
  return isCacheable ? { ...members, ttlMs: keptMs, cacheScope: 'private' } : members;
}
