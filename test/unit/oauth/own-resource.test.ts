import { describe, expect, it } from 'vitest';
import { ownResource } from '#adapters/http/oauth/own-resource.ts';

const isOwn = ownResource({ baseUrl: 'https://mcp.example', listensOnLoopback: false });
const isOwnHere = ownResource({ baseUrl: 'http://localhost:3000', listensOnLoopback: true });

describe('a resource indicator', () => {
  it.each(['', '/message', '/sse', '/mcp'])('means this server as its origin and %j (AUTH-014)', (path) => {
    for (const rest of ['', '/', '?a=b', '/?a=b&c']) {
      expect([path, rest, isOwn(`https://mcp.example${path}${rest}`)]).toEqual([path, rest, true]);
      expect(isOwn(`https://MCP.example:443${path}${rest}`)).toBe(true);
      expect(isOwnHere(`http://127.0.0.1:3000${path}${rest}`)).toBe(true);
      expect(isOwnHere(`http://[::1]:3000${path}${rest}`)).toBe(true);
    }
  });

  it.each([
    ['another path', 'https://mcp.example/page'],
    ['a path below one', 'https://mcp.example/message/x'],
    ['two slashes', 'https://mcp.example//'],
    ['two slashes at the end', 'https://mcp.example/mcp//'],
    ['other letters', 'https://mcp.example/Message'],
    ['an escape', 'https://mcp.example/%6dessage'],
    ['the metadata', 'https://mcp.example/.well-known/oauth-protected-resource'],
    ['a fragment', 'https://mcp.example/message#x'],
    ['user info', 'https://user@mcp.example/message'],
    ['another host', 'https://mcp.example.evil/message'],
    ['another port', 'https://mcp.example:8443/message'],
    ['another scheme', 'http://mcp.example/message'],
    ['no address', '/message'],
    ['this machine', 'https://127.0.0.1/message'],
  ])('means another one with %s (AUTH-014)', (_, resource) => expect(isOwn(resource)).toBe(false));

  it.each(['http://127.0.0.1:3001/message', 'https://127.0.0.1:3000/message', 'ftp://localhost:3000/message'])(
    'means another one on this machine: %s (AUTH-014)',
    (resource) => expect(isOwnHere(resource)).toBe(false),
  );
});
