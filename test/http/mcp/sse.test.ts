import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type McpApp, startMcpApp } from '#test/support/mcp/mcp-app.ts';
import { eventsOf, post, sseClient, toolsCall } from '#test/support/mcp/mcp-clients.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const pong = { jsonrpc: '2.0', id: 1, result: {} };
const refusal = (code: number) => ({ jsonrpc: '2.0', id: null, error: { code, message: expect.any(String) } });

let app: McpApp;
const start = async (options: Parameters<typeof startMcpApp>[0] = {}) => {
  await app.close();
  app = await startMcpApp(options);
};
beforeEach(async () => {
  app = await startMcpApp();
});
afterEach(() => app.close());

const sse = (person = 'ann') => fetch(new URL('/sse', app.url), { headers: { authorization: `Bearer ${person}` } });

/** An open stream: its address to post to, and its next message. */
const open = async (person = 'ann') => {
  const response = await sse(person);
  const events = eventsOf(response);
  const next = async () => {
    const { value } = await events.next();
    return value === undefined ? null : value;
  };
  const path = (await next())?.data ?? '';
  const message = async (): Promise<unknown> => JSON.parse((await next())?.data ?? 'null');
  return { response, path, next, message };
};

describe('GET /sse', () => {
  it('opens a stream that no proxy may buffer or cache, and says where to post (MCP-002)', async () => {
    const response = await sse();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    const { value } = await eventsOf(response).next();
    expect(value).toEqual({ event: 'endpoint', data: expect.stringMatching(/^\/message\?sessionId=[\w-]{32}$/) });
  });

  it('sends comments to keep the connection open (MCP-013)', async () => {
    await start({ streams: { heartbeatMs: 5 } });
    const response = await sse();
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (/(: still here\n\n){2}/.test(text)) break;
    }
    expect(text).toMatch(/^event: endpoint\n/);
  });

  it('is refused without a session', async () => {
    expect((await sse('nobody')).status).toBe(401);
  });

  it('returns 405 to POST, so that newer clients fall back to GET', async () => {
    const response = await post(app.url, ping, { path: '/sse' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET');
  });
});

describe('POST /message?sessionId=', () => {
  it('returns 202, and the answer comes on the stream (MCP-002)', async () => {
    const stream = await open();
    const response = await post(app.url, ping, { path: stream.path });
    expect([response.status, await response.text()]).toEqual([202, '']);
    expect(await stream.next()).toEqual({ event: 'message', data: JSON.stringify(pong) });
  });

  it('answers each message of a batch on the stream', async () => {
    const stream = await open();
    await post(app.url, [ping, 7, { ...ping, id: 2 }], { path: stream.path });
    const answers = [await stream.message(), await stream.message(), await stream.message()];
    expect(answers).toEqual(expect.arrayContaining([pong, refusal(-32600), { ...pong, id: 2 }]));
  });

  it.each([
    ['not JSON', '{', 400, -32700],
    ['no message', '{}', 400, -32600],
  ])('refuses what is %s in its own answer', async (_, body, status, code) => {
    const { path } = await open();
    const response = await post(app.url, body, { path });
    expect([response.status, await response.json()]).toEqual([status, refusal(code)]);
  });

  it.each([
    ['unknown', () => '/message?sessionId=unknown'],
    ['given twice', () => '/message?sessionId=a&sessionId=b'],
    ['empty', () => '/message?sessionId='],
  ])('returns 404 if the session is %s', async (_, path) => {
    const response = await post(app.url, ping, { path: path() });
    expect([response.status, await response.json()]).toEqual([404, refusal(-32001)]);
  });

  it("returns 404 for another user's session, which receives nothing (MCP-003)", async () => {
    const { path, message } = await open('ann');
    const response = await post(app.url, toolsCall(9, 'vault_note_read'), { path, person: 'bob' });
    expect([response.status, await response.json()]).toEqual([404, refusal(-32001)]);
    expect(app.gateway.calls).toEqual([]);
    await post(app.url, ping, { path });
    expect(await message()).toEqual(pong);
  });

  it('refuses more concurrent requests than a session may have', async () => {
    await start({ bounds: { perUser: 16, all: 100, requests: 2 } });
    const { path } = await open();
    for (const id of [1, 2]) {
      const started = once(app.gateway.events, 'started');
      await post(app.url, toolsCall(id, 'vault_search'), { path });
      await started;
    }
    const response = await post(app.url, ping, { path });
    const data = { reason: 'rate_limited', retryAfterMs: 15_000 };
    expect([response.status, await response.json()]).toMatchObject([429, { error: { code: -32000, data } }]);
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    expect((await post(app.url, [cancelled], { path })).status).toBe(202);
  });
});

describe('a stream', () => {
  it('is one of a limited number for a user (MCP-017)', async () => {
    await start({ bounds: { perUser: 2, all: 100, requests: 9 } });
    const first = await open('ann');
    await open('ann');
    const refused = await sse('ann');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '15']);
    expect(await refused.json()).toMatchObject({ error: { code: -32000, data: { retryAfterMs: 15_000 } } });
    expect((await sse('bob')).status).toBe(200);
    await first.response.body?.cancel().catch(() => {});
  });

  it('is one of a limited number for all (MCP-017)', async () => {
    await start({ bounds: { perUser: 2, all: 1, requests: 9 } });
    await open('ann');
    expect((await sse('bob')).status).toBe(503);
  });

  it('leaves its place to the next of its user, whose number the streams of others do not change (MCP-036)', async () => {
    await start({ bounds: { perUser: 2, all: 100, requests: 9 } });
    const opened = [await sse('ann'), await sse('bob'), await sse('ann'), await sse('bob')];
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await sse('ann')).status).toBe(429);
    await opened[0]?.body?.cancel();
    await vi.waitFor(async () => {
      expect((await sse('ann')).status).toBe(200);
    });
    expect([(await sse('ann')).status, (await sse('bob')).status]).toEqual([429, 429]);
    await opened[1]?.body?.cancel();
    await opened[3]?.body?.cancel();
    await vi.waitFor(async () => {
      expect((await sse('bob')).status).toBe(200);
    });
  });

  it('frees its place and aborts its requests when its client closes it', async () => {
    await start({ bounds: { perUser: 1, all: 1, requests: 9 } });
    const client = await sseClient(app.url, 'ann');
    const [started, aborted] = [once(app.gateway.events, 'started'), once(app.gateway.events, 'aborted')];
    const call = client.callTool({ name: 'vault_search' }).catch(() => 'closed');
    await started;
    await client.close();
    await aborted;
    expect(await call).toBe('closed');
    expect((await sse('ann')).status).toBe(200);
  });

  it('is cut off with its session when its reader leaves too much unread (MCP-016)', async () => {
    await start({ streams: { maxBacklogBytes: 64 * 1024 } });
    const { path, response } = await openWithoutReading();
    const closed = new Promise((resolve) => {
      response.once('close', resolve);
    });
    const batch = Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }));
    let status = 202;
    while (status === 202) status = (await post(app.url, batch, { path })).status;
    expect(status).toBe(404);
    response.on('error', () => {}).resume();
    await closed;
  });

  it('ends at shutdown, after which none is opened', async () => {
    const stream = await open();
    app.endpoint.close();
    expect(await stream.next()).toBeNull();
    const refused = await sse();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '15']);
    expect((await post(app.url, ping, { path: stream.path })).status).toBe(404);
    expect(await (await post(app.url, ping)).json()).toEqual(pong);
  });
});

/** A stream of which only the first event is read; the rest stays in the buffers. */
async function openWithoutReading(): Promise<Readonly<{ path: string; response: IncomingMessage }>> {
  const asked = request(new URL('/sse', app.url), { headers: { authorization: 'Bearer ann' } });
  asked.on('error', () => {}).end();
  const response = await new Promise<IncomingMessage>((resolve) => {
    asked.once('response', resolve);
  });
  const first = await new Promise<string>((resolve) => {
    response.once('data', (chunk: Buffer) => {
      response.pause();
      resolve(chunk.toString());
    });
  });
  return { path: /data: (.*)\n/.exec(first)?.[1] ?? '', response };
}
