import * as v2 from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignedIn } from '#test/demo/signed-in.ts';
import { post, toolsCall } from '#test/support/mcp/mcp-clients.ts';
import { beginSession, ears, everything, hearSession, listen, plain } from '#test/support/mcp/mcp-ears.ts';
import { type Cluster, openCluster } from '#test/support/server/cluster.ts';

const info = { name: 'test', version: '1' };
const askable = { capabilities: { elicitation: {} } };

let cluster: Cluster;
let person: SignedIn;
let token: string;
let requestInit: Readonly<{ headers: Record<string, string> }>;
beforeAll(async () => {
  cluster = await openCluster({ env: { RATE_LIMITS: 'off' } });
  person = await cluster.signIn(cluster.servers[0]?.origin);
  token = person.cookie('user');
  requestInit = { headers: { authorization: `Bearer ${token}` } };
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

const at = (path: string) => new URL(path, cluster.baseUrl);
const place = (index: number) => ({ url: cluster.servers[index]?.origin ?? '' });
const note = (path: string, content: string) => ({ name: 'vault_note_write', arguments: { path, content } });

describe('clients of three servers behind a proxy that alternates between them', () => {
  const clients = {
    'SDK 1, streamable': async () => {
      const client = new Client(info, askable);
      await client.connect(new StreamableHTTPClientTransport(at('/message'), { requestInit }));
      return client;
    },
    'SDK 1, HTTP with SSE': async () => {
      const client = new Client(info, askable);
      await client.connect(new SSEClientTransport(at('/sse'), { requestInit }));
      return client;
    },
    'SDK 2, streamable': async () => {
      const client = new v2.Client(info, askable);
      await client.connect(new v2.StreamableHTTPClientTransport(at('/message'), { requestInit }));
      return client;
    },
    'SDK 2, HTTP with SSE': async () => {
      const client = new v2.Client(info, askable);
      await client.connect(new v2.SSEClientTransport(at('/sse'), { requestInit }));
      return client;
    },
  };

  it.each(Object.entries(clients))(
    '%s lists and calls tools, many times and concurrently (MCP-026, MCP-027)',
    async (name, open) => {
      const client = await open();
      for (let times = 0; times < 4; times++) expect((await client.listTools()).tools.length).toBeGreaterThan(5);
      const path = `${name.replaceAll(/\W/g, '-')}.md`;
      const big = 'x'.repeat(20_000);
      await client.callTool(note(path, big));
      const read = { name: 'vault_note_read', arguments: { path } };
      const answers = await Promise.all(Array.from({ length: 12 }, () => client.callTool(read)));
      for (const { isError } of answers) expect(isError ?? false).toBe(false);
      await client.close();
    },
  );

  it('can use no session on any server after it has ended (MCP-026)', async () => {
    const id = await beginSession(place(0), token);
    const headers = { 'mcp-session-id': id };
    const call = async (index: number) =>
      (await post(place(index).url, { jsonrpc: '2.0', id: 1, method: 'ping' }, { person: token, headers })).status;
    expect([await call(0), await call(1), await call(2)]).toEqual([200, 200, 200]);
    const ended = await fetch(`${place(1).url}/message`, {
      method: 'DELETE',
      headers: { ...requestInit.headers, ...headers },
    });
    expect(ended.status).toBe(204);
    expect(await call(1)).toBe(404);
    // The others have been sent word by then, and hear it in their own time.
    for (const index of [2, 0]) await expect.poll(() => call(index), { timeout: 60_000 }).toBe(404);
  });

  it('get 404 for a message to a stream that no server has (MCP-027)', async () => {
    for (const path of ['/message?sessionId=gone.abcdefgh', '/message?sessionId=gone']) {
      const answer = await post(place(0).url, { jsonrpc: '2.0', id: 1, method: 'ping' }, { person: token, path });
      expect(answer.status).toBe(404);
    }
  });

  it.each(Object.keys(ears))('hear by %s of a note that another server changes (PEER-001)', async (kind) => {
    const path = `heard-${kind.replaceAll(/\W/g, '-')}.md`;
    await post(place(1).url, toolsCall(1, 'vault_note_write', { arguments: { path, content: 'first' } }), {
      person: token,
    });
    const ear = await ears[kind]?.(place(0), token, { uris: [`vault://${path}`] });
    await post(
      place(1).url,
      toolsCall(2, 'vault_note_write', { arguments: { path, content: 'second', mode: 'overwrite' } }),
      {
        person: token,
      },
    );
    const updated = JSON.stringify(['notifications/resources/updated', { uri: `vault://${path}` }]);
    let heard: unknown = null;
    while (JSON.stringify(heard) !== updated) heard = plain((await ear?.next()) ?? null);
    await ear?.close();
  });

  it('hear by a session on one server of what they watch through another (MCP-026)', async () => {
    const path = 'watched.md';
    await post(place(1).url, toolsCall(1, 'vault_note_write', { arguments: { path, content: 'first' } }), {
      person: token,
    });
    const id = await beginSession(place(0), token);
    const ear = await hearSession(place(1), token, id);
    const watch = { jsonrpc: '2.0', id: 2, method: 'resources/subscribe', params: { uri: `vault://${path}` } };
    await post(place(2).url, watch, { person: token, headers: { 'mcp-session-id': id } });
    await post(
      place(0).url,
      toolsCall(3, 'vault_note_write', { arguments: { path, content: 'second', mode: 'overwrite' } }),
      {
        person: token,
      },
    );
    await expect
      .poll(async () => plain(await ear.next()))
      .toEqual(['notifications/resources/updated', { uri: `vault://${path}` }]);
    await ear.close();
  });

  it('are notified on one server of tools that are connected on another (PEER-001)', async () => {
    const heard = await listen(place(2), token, everything());
    const reader = heard.body?.getReader();
    await cluster.services.connectByKeys(await cluster.signIn(cluster.servers[1]?.origin));
    let text = '';
    while (!text.includes('notifications/tools/list_changed')) {
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
      if (done) break;
      text += Buffer.from(value ?? []).toString();
    }
    expect(text).toContain('notifications/tools/list_changed');
    await reader?.cancel();
  });

  describe('clients whose server has stopped', () => {
    const heard: string[] = [];
    let id: string;
    let byStreamable: Client;
    let bySse: Client;
    beforeAll(async () => {
      for (const index of [1, 2]) cluster.proxy.use(index, false);
      id = await beginSession(place(0), token);
      byStreamable = await clients['SDK 1, streamable']();
      byStreamable.setNotificationHandler(
        ResourceUpdatedNotificationSchema,
        ({ params }) => void heard.push(params.uri),
      );
      await byStreamable.callTool(note('cut.md', 'first'));
      await byStreamable.subscribeResource({ uri: 'vault://cut.md' });
      bySse = await clients['SDK 1, HTTP with SSE']();
      for (const index of [1, 2]) cluster.proxy.use(index, true);
      await cluster.servers[0]?.stop();
    });
    afterAll(async () => {
      await byStreamable.close();
      await bySse.close();
    });

    const call = async (index: number) => {
      const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
      return (await post(place(index).url, ping, { person: token, headers: { 'mcp-session-id': id } })).status;
    };

    it('continue their session at the others (MCP-026)', async () => {
      expect([await call(1), await call(2)]).toEqual([200, 200]);
    });

    it('get the stream of a session at another, with what it watched (MCP-026, PEER-001)', async () => {
      const overwrite = { path: 'cut.md', content: 'second', mode: 'overwrite' };
      // Nobody is notified of what changed while the stream was away.
      await expect
        .poll(async () => {
          await post(place(1).url, toolsCall(2, 'vault_note_write', { arguments: overwrite }), { person: token });
          return heard;
        })
        .toContain('vault://cut.md');
    });

    it('open their HTTP+SSE stream at another, and continue (MCP-027)', async () => {
      const listed = () =>
        bySse.listTools(undefined, { timeout: 5_000 }).then(
          ({ tools }) => tools.length,
          () => 0,
        );
      await expect.poll(listed, { timeout: 100_000 }).toBeGreaterThan(5);
    });

    it('can use the session there once it is started again (MCP-026)', async () => {
      await cluster.servers[0]?.start();
      expect(await call(0)).toBe(200);
    });
  });
});
