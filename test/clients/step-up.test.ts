import * as v2 from '@modelcontextprotocol/client';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Host, Host2 } from '#test/support/authorization/mcp-hosts.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';

const identity = { name: 'astrolabe', version: '1.0.0' };
const write = { name: 'vault_note_write', arguments: { path: 'Asked.md', content: 'x', mode: 'overwrite' } };
const onlyReadVault = (service: string) => (service === 'vault' ? 'read' : 'off');
let server: WholeServer;

beforeAll(async () => {
  server = await openWholeServer({ OAUTH_METADATA: 'on' });
});
afterAll(() => server[Symbol.asyncDispose]());

it.each(['/message', '/mcp', '/'])(
  'the client of SDK 1 asks at %s for the missing scope, and continues with it (META-014)',
  async (path) => {
    const host = new Host();
    const url = new URL(path, server.baseUrl);
    const first = new StreamableHTTPClientTransport(url, { authProvider: host });
    await expect(new Client(identity).connect(first)).rejects.toThrow(UnauthorizedError);
    await first.finishAuth((await host.allowedAsTicked(server, onlyReadVault)).get('code') ?? '');
    expect(host.tokens()?.scope).toBe('vault:read');
    const [client, second] = [new Client(identity), new StreamableHTTPClientTransport(url, { authProvider: host })];
    await client.connect(second);
    await expect(client.callTool(write)).rejects.toThrow(UnauthorizedError);
    expect(host.sentTo.at(-1)?.searchParams.get('scope')?.split(' ')).toContain('vault');
    await second.finishAuth((await host.allowedAsTicked(server)).get('code') ?? '');
    expect(host.tokens()?.scope).toBe('vault');
    expect(await client.callTool(write)).not.toHaveProperty('isError', true);
    await client.close();
  },
);

it('the client of SDK 2 does the same in the newest protocol (META-014)', async () => {
  const host = new Host2();
  const url = new URL('/message', server.baseUrl);
  const open = () => new v2.Client(identity, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const first = new v2.StreamableHTTPClientTransport(url, { authProvider: host });
  await expect(open().connect(first)).rejects.toThrow(v2.UnauthorizedError);
  await first.finishAuth(await host.allowedAsTicked(server, onlyReadVault));
  const [client, second] = [open(), new v2.StreamableHTTPClientTransport(url, { authProvider: host })];
  await client.connect(second);
  await expect(client.callTool(write)).rejects.toThrow(v2.UnauthorizedError);
  const asked = host.sentTo.at(-1)?.searchParams.get('scope')?.split(' ');
  expect(asked).toEqual(expect.arrayContaining(['vault', 'vault:read']));
  await second.finishAuth(await host.allowedAsTicked(server));
  expect(host.tokens()?.scope).toBe('vault');
  expect(await client.callTool(write)).not.toHaveProperty('isError', true);
  await client.close();
});
