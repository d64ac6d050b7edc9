import { once } from 'node:events';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { EmptyResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type McpApp, startMcpApp } from '#test/support/mcp/mcp-app.ts';
import { sseClient, streamableClient } from '#test/support/mcp/mcp-clients.ts';

let app: McpApp;
const clients: Client[] = [];
beforeAll(async () => {
  app = await startMcpApp();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(() => app.close());

describe.each([
  ['Streamable HTTP', streamableClient, { tools: {} }],
  // A session hears of changes; a client that cannot be asked has none over Streamable HTTP.
  ['HTTP with SSE', sseClient, { tools: { listChanged: true } }],
])("the SDK's own client over %s", (_, open, capabilities) => {
  const connect = async (person: string) => {
    const client = await open(app.url, person);
    clients.push(client);
    return client;
  };

  it('learns who the server is and what it can do', async () => {
    const client = await connect('ann');
    expect(client.getServerVersion()).toEqual({ name: 'portolan', title: 'Portolan', version: '1.2.3' });
    expect(client.getServerCapabilities()).toEqual(capabilities);
    expect(client.getInstructions()).toContain('vault');
  });

  it('is refused without a session', async () => {
    await expect(open(app.url, 'nobody')).rejects.toMatchObject({ code: 401 });
  });

  it('answers a ping', async () => {
    const client = await connect('guest');
    expect(await client.ping()).toEqual({});
  });

  it.each([
    ['ann', 7],
    ['bob', 5],
    ['guest', 0],
  ])('lists %s the tools of the permissions: %i (MCP-005)', async (person, count) => {
    const client = await connect(person);
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(count);
  });

  it('runs a tool as the signed-in user', async () => {
    const client = await connect('bob');
    const result = await client.callTool({ name: 'vault_note_read', arguments: { path: 'Deals/Acme.md' } });
    expect(result).toEqual({ content: [{ type: 'text', text: '# Acme\n\nA note.' }] });
    expect(app.gateway.calls.at(-1)).toMatchObject({ userId: 2, name: 'notes.read', input: { path: 'Deals/Acme.md' } });
  });

  it('returns structured content', async () => {
    const client = await connect('ann');
    const result = await client.callTool({ name: 'vault_vault_list' });
    expect(result['structuredContent']).toEqual({ data: ['a.md', 'b.md'], pagination: { next: 'c2', hasMore: true } });
  });

  it("returns an operation's failure as an error of the tool", async () => {
    const client = await connect('ann');
    const result = await client.callTool({ name: 'vault_note_delete' });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { reason: 'rate_limited', message: 'Too many calls.', retryAfterMs: 1500 },
    });
  });

  it('refuses a tool that the user may not use, and does not run it (MCP-006, USER-003)', async () => {
    const client = await connect('bob');
    const before = app.gateway.calls.length;
    const result = await client.callTool({ name: 'tracker_teams_list' });
    expect(result).toMatchObject({ isError: true, structuredContent: { reason: 'forbidden' } });
    expect(app.gateway.calls).toHaveLength(before);
  });

  it('answers an unknown tool with -32602', async () => {
    const client = await connect('ann');
    await expect(client.callTool({ name: 'nothing' })).rejects.toMatchObject({
      code: -32602,
      message: 'MCP error -32602: Unknown tool: nothing',
    });
  });

  it('answers an unknown method with -32601', async () => {
    const client = await connect('ann');
    await expect(client.request({ method: 'prompts/list' }, EmptyResultSchema)).rejects.toMatchObject({ code: -32601 });
  });

  it('hides an internal error from the client and logs it once', async () => {
    const client = await connect('ann');
    const before = app.log.errors.length;
    await expect(client.callTool({ name: 'vault_command_run' })).rejects.toMatchObject({
      code: -32603,
      message: 'MCP error -32603: Internal error',
    });
    expect(app.log.errors.slice(before)).toMatchObject([{ tool: 'vault_command_run', userId: 1 }]);
  });

  it('reports increasing progress on request', async () => {
    const client = await connect('ann');
    const seen: unknown[] = [];
    const result = await client.callTool({ name: 'vault_search' }, undefined, {
      onprogress: (progress) => {
        seen.push(progress);
        if (seen.length === 2) app.gateway.events.emit('go on');
      },
    });
    expect(seen).toEqual([
      { progress: 1, total: 3, message: 'one' },
      { progress: 2, message: 'two' },
    ]);
    expect(result['structuredContent']).toEqual({ found: 2 });
  });
});

it('a call that its client cancels is aborted, over HTTP with SSE (MCP-011)', async () => {
  const client = await sseClient(app.url, 'ann');
  clients.push(client);
  const controller = new AbortController();
  const started = once(app.gateway.events, 'started');
  const aborted = once(app.gateway.events, 'aborted');
  const call = client.callTool({ name: 'vault_search' }, undefined, { signal: controller.signal });
  const refused = expect(call).rejects.toThrow('enough');
  await started;
  controller.abort('enough');
  await Promise.all([refused, aborted]);
  expect(await client.ping()).toEqual({});
});

it('many clients with the same ids each get their own answers at the same time', async () => {
  const people = ['ann', 'bob', 'guest', 'ann', 'bob'];
  const opened = await Promise.all(
    people.map((person, n) => (n % 2 === 0 ? sseClient : streamableClient)(app.url, person)),
  );
  clients.push(...opened);
  const counts = await Promise.all(
    opened.flatMap((client) => Array.from({ length: 20 }, async () => (await client.listTools()).tools.length)),
  );
  expect(counts).toEqual([7, 5, 0, 7, 5].flatMap((count) => Array.from({ length: 20 }, () => count)));
});
