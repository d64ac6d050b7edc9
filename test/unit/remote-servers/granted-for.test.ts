import { describe, expect, it } from 'vitest';
import { noteLackedScopes } from '#adapters/mcp-client/oauth/step-up.ts';
import { isGrantedFor } from '#domain/remote-servers/granted-for.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';

const granted = (resource: unknown) => ({ authMethod: 'oauth' as const, extra: { remote: { resource } } });

describe('tokens are for the server that they were granted for', () => {
  it.each([
    ['https://wiki.example/mcp', 'https://wiki.example/mcp', true],
    ['https://wiki.example', 'https://wiki.example/mcp', true],
    ['https://wiki.example/mcp', 'https://wiki.example/mcp/v2', true],
    ['https://wiki.example/mcp', 'https://wiki.example/mcp2', false],
    ['https://wiki.example/mcp', 'https://wiki.example/', false],
    ['https://wiki.example/mcp', 'http://wiki.example/mcp', false],
    ['https://wiki.example/mcp', 'https://wiki.example.evil/mcp', false],
    ['https://wiki.example:444/mcp', 'https://wiki.example/mcp', false],
    ['nothing', 'https://wiki.example/mcp', false],
    [5, 'https://wiki.example/mcp', false],
    [undefined, 'https://wiki.example/mcp', false],
  ])('%s for %s: %s (REMOTE-036)', (resource, url, isIts) => {
    expect(isGrantedFor(granted(resource), url)).toBe(isIts);
  });

  it('and keys are for whatever people entered them for (REMOTE-036)', () => {
    expect(isGrantedFor({ authMethod: 'personal_token', extra: {} }, 'https://wiki.example/mcp')).toBe(true);
  });
});

describe('the scopes that a call lacked', () => {
  const record: TokenRecord = { ...tokenRecord('wiki'), authMethod: 'oauth', extra: {} };

  async function noted(challenge: string): Promise<readonly TokenRecord[]> {
    const stored: TokenRecord[] = [];
    const connections = {
      reload: async () => ({ record, status: { state: 'connected' as const, since: 0, reason: null } }),
      replace: async (_: TokenRecord, after: TokenRecord) => stored.push(after) > 0,
    };
    await noteLackedScopes(connections, { userId: 1, service: 'wiki' }, challenge);
    return stored;
  }

  it('are kept with the connection, so that connecting again asks for them (REMOTE-033)', async () => {
    const stored = await noted('Bearer error="insufficient_scope", scope="read write"');
    expect(stored).toMatchObject([{ accessToken: record.accessToken, extra: { wanted_scopes: ['read', 'write'] } }]);
  });

  it.each([
    'Bearer error="invalid_token", scope="read write"',
    'Bearer error="insufficient_scope"',
    'Basic realm="x"',
    `Bearer error="insufficient_scope", scope="${'é '.repeat(50)}"`,
    'Bearer',
    '',
  ])('are not noted of "%s" (REMOTE-033)', async (challenge) => {
    expect(await noted(challenge)).toEqual([]);
  });
});
