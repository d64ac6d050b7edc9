import { once } from 'node:events';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type McpApp, startMcpApp } from '#test/support/mcp/mcp-app.ts';
import { allEventsOf, type PostOptions, post, toolsCall } from '#test/support/mcp/mcp-clients.ts';

let app: McpApp;
beforeAll(async () => {
  app = await startMcpApp();
});
afterAll(() => app.close());

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const pong = { jsonrpc: '2.0', id: 1, result: {} };
const send = async (body: unknown, options: PostOptions = {}) => {
  const response = await post(app.url, body, options);
  const text = await response.text();
  const json: unknown = text === '' ? null : JSON.parse(text);
  return { status: response.status, type: response.headers.get('content-type'), json, headers: response.headers };
};
const refusal = (code: number, id: unknown = null) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: expect.any(String) },
});

describe('POST /message answers with JSON (MCP-001)', () => {
  it.each(['*/*', 'application/json', 'application/json, text/event-stream', 'text/html'])(
    'to a client that sends Accept: %s',
    async (accept) => {
      const { status, type, json } = await send(ping, { headers: { accept } });
      expect({ status, type, json }).toEqual({ status: 200, type: 'application/json', json: pong });
    },
  );

  it.each([['a text'], [0], [Number.MAX_SAFE_INTEGER], ['']])('under the id %j, unchanged', async (id) => {
    expect((await send({ ...ping, id })).json).toEqual({ ...pong, id });
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'to a client of protocol %s (MCP-004)',
    async (version) => {
      const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'c', version: '1' } };
      const { json, headers } = await send({ ...ping, method: 'initialize', params });
      expect(json).toMatchObject({ result: { protocolVersion: version, serverInfo: { name: 'portolan' } } });
      expect(headers.get('mcp-session-id')).toBeNull();
      expect((await send(ping, { headers: { 'mcp-protocol-version': version } })).json).toEqual(pong);
    },
  );

  it('to a client of an unknown protocol, offering the newest that it supports (MCP-004)', async () => {
    const params = { protocolVersion: '1999-01-01', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    expect((await send({ ...ping, method: 'initialize', params })).json).toMatchObject({
      result: { protocolVersion: '2025-11-25' },
    });
  });

  it.each([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }],
    [
      'a batch of them',
      [
        { jsonrpc: '2.0', method: 'x' },
        { jsonrpc: '2.0', id: 1, error: { code: 1, message: '' } },
      ],
    ],
  ])('but with 202 and no body to %s', async (_, body) => {
    expect(await send(body)).toMatchObject({ status: 202, json: null });
  });

  it('and ignores a requested task, as a server without tasks does', async () => {
    const { json } = await send(toolsCall(1, 'vault_note_read', { task: { ttl: 1000 } }));
    expect(json).toMatchObject({ result: { content: [{ type: 'text' }] } });
  });
});

describe('POST /message refuses', () => {
  it.each([
    ['what is not JSON', '{"jsonrpc":', -32700, null],
    ['an empty body', '', -32700, null],
    ['a text', '"ping"', -32600, null],
    ['null', 'null', -32600, null],
    ['an object that is no message', '{}', -32600, null],
    ['an empty batch', '[]', -32600, null],
    ['a batch of 101', JSON.stringify(Array.from({ length: 101 }, () => ping)), -32600, null],
    ['positional parameters', '{"jsonrpc":"2.0","id":9,"method":"ping","params":[1]}', -32602, 9],
  ])('%s with 400 and JSON (MCP-007)', async (_, body, code, id) => {
    const { status, type, json } = await send(body);
    expect({ status, type, json }).toEqual({ status: 400, type: 'application/json', json: refusal(code, id) });
  });

  it('a protocol version that it does not support', async () => {
    const { status, json } = await send(ping, { headers: { 'mcp-protocol-version': '1999-01-01' } });
    expect({ status, json }).toEqual({ status: 400, json: refusal(-32000) });
  });

  it('a batch in a protocol without batches', async () => {
    const { status, json } = await send([ping], { headers: { 'mcp-protocol-version': '2025-06-18' } });
    expect({ status, json }).toEqual({ status: 400, json: refusal(-32600) });
  });

  it('another content type, so that a page of another site cannot post here', async () => {
    const { status, json } = await send(ping, { headers: { 'content-type': 'text/plain' } });
    expect({ status, json }).toEqual({ status: 415, json: refusal(-32000) });
  });

  it('a compressed body', async () => {
    const { status } = await send(gzipSync(JSON.stringify(ping)), { headers: { 'content-encoding': 'gzip' } });
    expect(status).toBe(415);
  });

  it('more than 4 MiB, and accepts exactly 4 MiB', async () => {
    const frame = JSON.stringify({ ...ping, params: { pad: '' } }).length;
    const sized = (size: number) => JSON.stringify({ ...ping, params: { pad: 'x'.repeat(size - frame) } });
    expect(await send(sized(4 * 1024 * 1024))).toMatchObject({ status: 200, json: pong });
    const { status, json } = await send(sized(4 * 1024 * 1024 + 1));
    expect({ status, json }).toEqual({ status: 413, json: refusal(-32600) });
  });

  it('a caller without a session, before it reads the body (MCP-001, SESS-010)', async () => {
    const response = await post(app.url, '{broken', { person: 'nobody' });
    expect(response.status).toBe(401);
    await response.body?.cancel();
  });

  it.each(['GET', 'DELETE'])('%s, which it does not offer', async (method) => {
    const response = await fetch(new URL('/message', app.url), { method, headers: { authorization: 'Bearer ann' } });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    expect(await response.json()).toEqual(refusal(-32000));
  });
});

describe('a well-formed request that is wrong gets an error in 200 (MCP-007)', () => {
  it.each([
    ['an unknown method', { ...ping, method: 'nothing' }, -32601],
    ['a tool without a name', { ...ping, method: 'tools/call', params: {} }, -32602],
    ['a call without parameters', { ...ping, method: 'tools/call' }, -32602],
    ['an unknown tool', toolsCall(1, 'constructor'), -32602],
    ['arguments that are no object', toolsCall(1, 'vault_note_read', { arguments: [1] }), -32602],
    ['a cursor of nobody', { ...ping, method: 'tools/list', params: { cursor: 'x' } }, -32602],
    ['a wrong progress token', toolsCall(1, 'vault_note_read', { _meta: { progressToken: {} } }), -32602],
    ['an initialize without parameters', { ...ping, method: 'initialize' }, -32602],
  ])('%s', async (_, body, code) => {
    const { status, json } = await send(body);
    expect({ status, json }).toMatchObject({ status: 200, json: refusal(code, 1) });
  });
});

describe('a batch', () => {
  it('is answered in order, each under its own id, without notifications (MCP-018)', async () => {
    const { status, json } = await send([
      { ...ping, id: 'b' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 1, method: 'nothing' },
      7,
      { ...ping, method: 'initialize', id: 2 },
      toolsCall(1, 'vault_note_read'),
    ]);
    expect({ status, json }).toEqual({
      status: 200,
      json: [
        { ...pong, id: 'b' },
        refusal(-32601, 1),
        refusal(-32600),
        refusal(-32600, 2),
        { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: '# Acme\n\nA note.' }] } },
      ],
    });
  });

  it('may contain 100 requests (MCP-018)', async () => {
    const { json } = await send(Array.from({ length: 100 }, (_, id) => ({ ...ping, id })));
    expect(json).toEqual(Array.from({ length: 100 }, (_, id) => ({ ...pong, id })));
  });

  it('may cancel its own requests, which then get no answer', async () => {
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'slow' } };
    const { json } = await send([toolsCall('slow', 'vault_search'), cancel, ping]);
    expect(json).toEqual([pong]);
  });
});

describe('progress', () => {
  const slow = toolsCall(4, 'vault_search', { _meta: { progressToken: 'p' } });
  const release = () => {
    void once(app.gateway.events, 'started').then(() => app.gateway.events.emit('go on'));
  };

  it('is sent as events before the answer if the client accepts events', async () => {
    release();
    const response = await post(app.url, slow);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform');
    const seen = await allEventsOf(response);
    expect(seen.map(({ event, data }) => [event, JSON.parse(data)])).toEqual([
      ['message', progress({ progressToken: 'p', progress: 1, total: 3, message: 'one' })],
      ['message', progress({ progressToken: 'p', progress: 2, message: 'two' })],
      ['message', { jsonrpc: '2.0', id: 4, result: expect.objectContaining({ structuredContent: { found: 2 } }) }],
    ]);
  });

  it('is not sent to a client that accepts only JSON', async () => {
    release();
    const { type, json } = await send(slow, { headers: { accept: 'application/json' } });
    expect(type).toBe('application/json');
    expect(json).toMatchObject({ id: 4, result: { structuredContent: { found: 2 } } });
    expect(app.gateway.calls.at(-1)).not.toHaveProperty('onProgress');
  });

  it('and the answer are sent as events to a client that accepts only events', async () => {
    const response = await post(app.url, [ping, { ...ping, id: 2 }], { headers: { accept: 'text/event-stream' } });
    const seen = await allEventsOf(response);
    expect(seen.map(({ data }) => JSON.parse(data))).toEqual([pong, { ...pong, id: 2 }]);
  });

  const progress = (params: object) => ({ jsonrpc: '2.0', method: 'notifications/progress', params });
});

describe('a client that disconnects', () => {
  it.each([
    ['from one request', toolsCall(1, 'vault_search')],
    ['from a batch', [toolsCall(1, 'vault_search')]],
    ['from a stream', toolsCall(1, 'vault_search', { _meta: { progressToken: 1 } })],
  ])('%s aborts its request (MCP-011)', async (_, body) => {
    const started = once(app.gateway.events, 'started');
    const aborted = once(app.gateway.events, 'aborted');
    const controller = new AbortController();
    const gone = post(app.url, body, { signal: controller.signal })
      .then((response) => response.text())
      .catch(() => 'gone');
    await started;
    controller.abort();
    await aborted;
    expect(await gone).toBe('gone');
  });

  it('in the middle of its body does no harm', async () => {
    const { port } = app;
    const headers = { authorization: 'Bearer ann', 'content-type': 'application/json', 'content-length': 1000 };
    const half = request({ port, host: '127.0.0.1', method: 'POST', path: '/message', headers });
    half.on('error', () => {});
    const closed = new Promise((resolve) => {
      half.once('close', resolve);
    });
    half.write('{"jsonrpc"', () => half.destroy());
    await closed;
    expect((await send(ping)).json).toEqual(pong);
    expect(app.faults).toEqual([]);
  });
});
