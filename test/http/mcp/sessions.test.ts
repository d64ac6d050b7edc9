import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it } from 'vitest';
import { vaultResources } from '#adapters/mcp/resources/vault-resources.ts';
import { type McpApp, type McpAppOptions, startMcpApp } from '#test/support/mcp/mcp-app.ts';
import { FakeGateway, fakeCatalog, runOver } from '#test/support/mcp/mcp-catalog.ts';
import { beginSampling, post } from '#test/support/mcp/mcp-clients.ts';

/** How long something may take to come about, however busy the machine is. */
const soon = { timeout: 60_000 };

let app: McpApp;
const clients: Client[] = [];
const start = async (options: McpAppOptions = {}) => {
  app = await startMcpApp(options);
};
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await app.close();
});

const signedIn = { requestInit: { headers: { authorization: 'Bearer ann' } } };
const transports = {
  'Streamable HTTP': () => new StreamableHTTPClientTransport(new URL('/message', app.url), signedIn),
  'HTTP with SSE': () => new SSEClientTransport(new URL('/sse', app.url), signedIn),
};

const connect = async (name: keyof typeof transports, action: 'accept' | 'decline') => {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  const asked: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message);
    return { action, content: { confirm: true } };
  });
  await client.connect(transports[name]());
  clients.push(client);
  return { client, asked };
};

describe.each(['Streamable HTTP', 'HTTP with SSE'] as const)('a client that can ask its user, over %s', (name) => {
  const remove = { name: 'vault_note_delete', arguments: { path: 'a.md' } };

  it('asks before data may be lost (TOOL-008)', async () => {
    await start();
    const { client, asked } = await connect(name, 'accept');
    await client.callTool(remove);
    expect(asked).toEqual([expect.stringContaining('“a.md”')]);
    expect(app.gateway.calls).toMatchObject([{ name: 'notes.delete' }]);
  });

  it('and changes nothing when the user says no (TOOL-008)', async () => {
    await start();
    const { client } = await connect(name, 'decline');
    expect(await client.callTool(remove)).toMatchObject({ isError: true, structuredContent: { reason: 'declined' } });
    expect(app.gateway.calls).toEqual([]);
  });

  it('is notified when a watched note changes', async () => {
    const notes = vaultResources(fakeCatalog, runOver(new FakeGateway()));
    await start({
      features: { resources: notes === null ? [] : [notes] },
    });
    const { client } = await connect(name, 'accept');
    const changed = new Promise<string>((resolve) => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri));
    });
    await client.subscribeResource({ uri: 'vault://a.md' });
    await expect.poll(() => app.noteChanges.hasListeners, soon).toBe(true);
    app.noteChanges.publish({ userId: 1, path: 'a.md', kind: 'changed' });
    expect(await changed).toBe('vault://a.md');
  });
});

describe('a session', () => {
  const begin = (person?: string) => beginSampling(app.url, person);
  const ping = async (id: string, person = 'ann') => {
    const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const response = await post(app.url, body, { person, headers: { 'mcp-session-id': id } });
    await response.text();
    return response.status;
  };

  it('belongs to its user, and ends when its client ends it', async () => {
    await start();
    const id = await begin();
    expect(id).toMatch(/^[\x21-\x7e]{32}$/);
    expect([await ping(id), await ping(id, 'bob'), await ping('nothing')]).toEqual([200, 404, 404]);
    const as = async (method: string, person: string) => {
      const headers = { authorization: `Bearer ${person}`, 'mcp-session-id': id };
      const response = await fetch(new URL('/message', app.url), { method, headers });
      await response.body?.cancel();
      return response.status;
    };
    expect([await as('GET', 'bob'), await as('GET', 'ann')]).toEqual([404, 200]);
    expect([await as('DELETE', 'bob'), await as('DELETE', 'ann'), await ping(id)]).toEqual([404, 204, 404]);
  });

  it('is replaced when its user has too many, the least recently used first (MCP-017)', async () => {
    await start({ sessions: { perUser: 2, all: 10, idleMs: 60_000 } });
    const [first, other, second] = [await begin(), await begin('bob'), await begin()];
    const third = await begin();
    expect([await ping(first), await ping(other, 'bob'), await ping(second), await ping(third)]).toEqual([
      404, 200, 200, 200,
    ]);
  });
});
