import * as v2 from '@modelcontextprotocol/client';
import { auth, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callback } from '#test/support/authorization/auth-flow.ts';
import { Host, Host2 } from '#test/support/authorization/mcp-hosts.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';

const modern = { pin: '2026-07-28' };
const streamable2 = (url: URL, authProvider: Host2) => new v2.StreamableHTTPClientTransport(url, { authProvider });
const sse2 = (url: URL, authProvider: Host2) => new v2.SSEClientTransport(url, { authProvider });

describe.each(['off', 'on'])('the client of the MCP SDK, with OAUTH_METADATA=%s', (metadata) => {
  let server: WholeServer;

  beforeAll(async () => {
    server = await openWholeServer({ OAUTH_METADATA: metadata });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  it.each(['/message', '/mcp', '/'])(
    'authorizes at %s with auth() only: registers, opens the browser, exchanges the code',
    async (path) => {
      const host = new Host();
      const serverUrl = `${server.baseUrl}${path}`;
      expect(await auth(host, { serverUrl })).toBe('REDIRECT');
      expect(host.clientInformation()).toMatchObject({ client_id: expect.stringMatching(/^client_/) });
      const asked = host.sentTo[0]?.searchParams;
      expect(asked?.get('code_challenge_method')).toBe('S256');
      expect(asked?.get('resource')).toBe(metadata === 'on' ? serverUrl.replace(/\/$/, '') : null);
      const back = await host.allowed(server);
      expect(back.get('state')).toBe('the state of this try');
      expect(back.get('iss')).toBe(metadata === 'on' ? server.baseUrl : null);
      expect(await auth(host, { serverUrl, authorizationCode: back.get('code') ?? '' })).toBe('AUTHORIZED');
      expect(host.tokens()).toMatchObject({
        access_token: expect.any(String),
        token_type: 'bearer',
        expires_in: 2592000,
      });
    },
  );

  it.each([
    [
      'Streamable HTTP',
      '/message',
      (url: URL, authProvider: Host) => new StreamableHTTPClientTransport(url, { authProvider }),
    ],
    [
      'Streamable HTTP',
      '/mcp',
      (url: URL, authProvider: Host) => new StreamableHTTPClientTransport(url, { authProvider }),
    ],
    [
      'Streamable HTTP',
      '/',
      (url: URL, authProvider: Host) => new StreamableHTTPClientTransport(url, { authProvider }),
    ],
    ['HTTP and SSE', '/sse', (url: URL, authProvider: Host) => new SSEClientTransport(url, { authProvider })],
  ])('connects over %s at %s, and lists the tools of the user (MCP-029)', async (_, path, transportTo) => {
    const host = new Host();
    const url = new URL(path, server.baseUrl);
    const first = transportTo(url, host);
    const identity = { name: 'astrolabe', version: '1.0.0' };
    await expect(new Client(identity).connect(first)).rejects.toThrow(UnauthorizedError);
    await first.finishAuth((await host.allowed(server)).get('code') ?? '');
    const client = new Client(identity, { capabilities: { sampling: {} } });
    const errors: Error[] = [];
    Object.assign(client, { onerror: (error: Error) => errors.push(error) });
    await client.connect(transportTo(url, host));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('vault_note_read');
    await client.close();
    expect(errors).toEqual([]);
  });

  it.each([
    ['2026-07-28', '/message', modern, streamable2],
    ['2026-07-28, found out', '/message', 'auto', streamable2],
    ['2025-11-25', '/message', 'legacy', streamable2],
    ['2026-07-28, found out', '/mcp', 'auto', streamable2],
    ['2026-07-28, found out', '/', 'auto', streamable2],
    ['2025-11-25', '/', 'legacy', streamable2],
    ['2025-11-25 with SSE', '/sse', 'legacy', sse2],
  ] as const)('accepts the client of SDK 2, which speaks %s at %s (MCP-029)', async (_, path, mode, transportTo) => {
    const host = new Host2();
    const url = new URL(path, server.baseUrl);
    const first = transportTo(url, host);
    const identity = { name: 'astrolabe', version: '2.0.0' };
    const open = () => new v2.Client(identity, { versionNegotiation: { mode } });
    await expect(open().connect(first)).rejects.toThrow(v2.UnauthorizedError);
    const back = await host.allowed(server);
    expect(back.get('state')).toBe('the state of this try');
    await first.finishAuth(back);
    const client = open();
    await client.connect(transportTo(url, host));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('vault_note_read');
    await client.close();
  });

  it('registers again when the server has forgotten it', async () => {
    const host = new Host();
    const serverUrl = `${server.baseUrl}/message`;
    host.saveClientInformation({ client_id: 'client_of_before', client_secret: 'x', redirect_uris: [callback] });
    host.saveCodeVerifier('v'.repeat(43));
    await expect(auth(host, { serverUrl, authorizationCode: 'code_of_before' })).rejects.toThrow();
    expect(host.clientInformation()).toBeUndefined();
    expect(await auth(host, { serverUrl })).toBe('REDIRECT');
    expect(host.clientInformation()?.client_id).toMatch(/^client_[A-Za-z0-9_-]{32}$/);
  });
});
