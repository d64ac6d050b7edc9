import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type McpApp, startMcpApp } from '#test/support/mcp/mcp-app.ts';
import { post } from '#test/support/mcp/mcp-clients.ts';

let app: McpApp;
beforeAll(async () => {
  app = await startMcpApp();
});
afterAll(() => app.close());

const version = '2026-07-28';
const envelope = (capabilities: object = {}) => ({
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});

type Params = Readonly<Record<string, unknown>>;

/** A request of protocol 2026-07-28 with its headers; `headers` replaces some, and an empty one leaves it out. */
const send = async (
  method: string,
  params: Params = {},
  headers: Readonly<Record<string, string>> = {},
  path = '/message',
) => {
  const { name, uri } = params;
  const named = typeof name === 'string' ? { 'mcp-name': name } : typeof uri === 'string' ? { 'mcp-name': uri } : {};
  const all = { 'mcp-protocol-version': version, 'mcp-method': method, ...named, ...headers };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  const body = { jsonrpc: '2.0', id: 7, method, params: { _meta: envelope(), ...params } };
  const response = await post(app.url, body, { path, headers: sent });
  const json: unknown = await response.json();
  return { status: response.status, json, session: response.headers.get('mcp-session-id') };
};
const error = (code: number, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  error: { code, message: expect.any(String), ...more },
});
const note = { name: 'vault_note_read', arguments: { path: 'a.md' } };

describe('a request of protocol 2026-07-28', () => {
  it('learns without a handshake what the server is and supports (MCP-015)', async () => {
    const { status, json, session } = await send('server/discover');
    expect({ status, session }).toEqual({ status: 200, session: null });
    expect(json).toMatchObject({
      result: {
        resultType: 'complete',
        supportedVersions: [version],
        capabilities: { tools: {} },
        instructions: expect.stringContaining('vault'),
        ttlMs: 60_000,
        cacheScope: 'private',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'portolan', version: '1.2.3' } },
      },
    });
  });

  it('lists tools that only this user may cache, for a minute', async () => {
    const { json } = await send('tools/list');
    expect(json).toMatchObject({ id: 7, result: { resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' } });
  });

  it('runs a tool, whose result is complete (MCP-015)', async () => {
    const { status, json } = await send('tools/call', note);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      result: { resultType: 'complete', content: [{ type: 'text', text: '# Acme\n\nA note.' }] },
    });
  });

  it('may give its name in base64', async () => {
    const encoded = `=?base64?${Buffer.from('vault_note_read').toString('base64')}?=`;
    expect((await send('tools/call', note, { 'mcp-name': encoded })).status).toBe(200);
  });

  it.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'nothing', '__proto__'])(
    'that asks for %s gets 404 with -32601',
    async (method) => {
      expect(await send(method)).toMatchObject({ status: 404, json: error(-32601) });
    },
  );
});

describe('a refused request gets 400', () => {
  it.each([
    ['no method in the headers', { 'mcp-method': '' }],
    ['another method in the headers', { 'mcp-method': 'tools/list' }],
    ['no name in the headers', { 'mcp-name': '' }],
    ['another name in the headers', { 'mcp-name': 'vault_note_delete' }],
    ['no version in the headers', { 'mcp-protocol-version': '' }],
    ['another version in the headers', { 'mcp-protocol-version': '2027-01-01' }],
  ])('and -32020: %s', async (_, headers) => {
    const before = app.gateway.calls.length;
    expect(await send('tools/call', note, headers)).toMatchObject({ status: 400, json: error(-32020) });
    expect(app.gateway.calls).toHaveLength(before);
  });

  it('and -32022 with the supported versions: a later version', async () => {
    const _meta = { ...envelope(), 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const { status, json } = await send('tools/list', { _meta }, { 'mcp-protocol-version': '2099-01-01' });
    const data = { supported: [version], requested: '2099-01-01' };
    expect({ status, json }).toEqual({ status: 400, json: error(-32022, { data }) });
  });

  it.each([
    ['nothing at all', {}],
    ['no version', { 'io.modelcontextprotocol/clientCapabilities': {} }],
    ['no capabilities', { 'io.modelcontextprotocol/protocolVersion': version }],
  ])('and -32602: %s in its envelope', async (_, _meta) => {
    expect(await send('tools/list', { _meta })).toMatchObject({ status: 400, json: error(-32602) });
  });
});

describe('a change that may lose data', () => {
  const remove = { name: 'vault_note_delete', arguments: { path: 'a.md' } };
  const asking = { _meta: envelope({ elicitation: {} }) };
  const accept = { answer: { action: 'accept', content: { confirm: true } } };
  const ask = async (params: Params) => {
    const { json } = await send('tools/call', { ...remove, ...asking, ...params });
    return JSON.parse(JSON.stringify(json));
  };

  it('is confirmed first if the client can ask, and made when the person agrees (TOOL-008)', async () => {
    const before = app.gateway.calls.length;
    const { result } = await ask({});
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { answer: { method: 'elicitation/create', params: { message: expect.stringContaining('a.md') } } },
      requestState: expect.any(String),
    });
    expect(app.gateway.calls).toHaveLength(before);
    await ask({ inputResponses: accept, requestState: result.requestState });
    expect(app.gateway.calls.slice(before)).toMatchObject([{ name: 'notes.delete', input: { path: 'a.md' } }]);
  });

  it.each([{ action: 'decline' }, { action: 'cancel' }, { action: 'accept', content: { confirm: false } }])(
    'is not made when the person says %j',
    async (answer) => {
      const before = app.gateway.calls.length;
      const { requestState } = (await ask({})).result;
      const { result } = await ask({ inputResponses: { answer }, requestState });
      expect(result).toMatchObject({ isError: true, structuredContent: { reason: 'declined', retryable: false } });
      expect(app.gateway.calls).toHaveLength(before);
    },
  );

  it('is not made with an answer to another question, or for other arguments', async () => {
    const before = app.gateway.calls.length;
    expect((await ask({ inputResponses: accept })).result.resultType).toBe('input_required');
    const { requestState } = (await ask({})).result;
    const other = await ask({ inputResponses: accept, requestState, arguments: { path: 'b.md' } });
    expect(other).toMatchObject({ error: { code: -32602 } });
    expect(await ask({ inputResponses: accept, requestState: `${requestState}x` })).toMatchObject({
      error: { code: -32602 },
    });
    expect(app.gateway.calls).toHaveLength(before);
  });

  it('is made at once for a client that cannot ask', async () => {
    const before = app.gateway.calls.length;
    await send('tools/call', remove);
    expect(app.gateway.calls).toHaveLength(before + 1);
  });
});
