import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ada } from '#test/support/authorization/auth-app.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';

const names = ['/message', '/mcp', '/'];
const events = { accept: 'text/event-stream' };
const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { sampling: {} },
    clientInfo: { name: 'astrolabe', version: '1.0.0' },
  },
});

type Asking = Readonly<{ method?: string; headers?: Readonly<Record<string, string>>; body?: string }>;

describe('MCP at its other addresses', () => {
  let server: WholeServer;
  let token: string;

  beforeAll(async () => {
    server = await openWholeServer({ OAUTH_METADATA: 'on', ALLOWED_ORIGINS: 'https://app.example' });
    token = await accessToken(server);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const asStranger = (path: string, { method = 'POST', headers = {}, body }: Asking = {}) =>
    fetch(`${server.origin}${path}`, {
      method,
      redirect: 'manual',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      ...(body === undefined ? {} : { body }),
    });
  const ask = (path: string, { headers = {}, ...more }: Asking = {}) =>
    asStranger(path, { ...more, headers: { authorization: `Bearer ${token}`, ...headers } });
  const begin = async (path: string) => {
    const response = await ask(path, { body: initialize });
    await response.text();
    return response.headers.get('mcp-session-id') ?? '';
  };

  it.each(names)('answers at %s like at /message, including the choice of tools (MCP-029)', async (path) => {
    const [here, there] = await Promise.all(
      [path, '/message'].map(async (name) => (await ask(`${name}?services=vault`, { body: list })).json()),
    );
    expect(here).toEqual(there);
    expect(JSON.stringify(here)).toContain('vault_note_read');
    expect(await (await ask(path, { body: '{"jsonrpc": "2.0",' })).json()).toMatchObject({ error: { code: -32700 } });
    expect((await ask(path, { body: initialize, headers: { origin: 'https://evil.example' } })).status).toBe(403);
  });

  it.each(names)(
    'names the metadata of %s itself to an anonymous caller, and serves it (MCP-029, META-003)',
    async (path) => {
      const refused = await asStranger(path, { body: list });
      expect(refused.status).toBe(401);
      const place = path === '/' ? '' : path;
      const address = `${server.baseUrl}/.well-known/oauth-protected-resource${place}`;
      expect(refused.headers.get('www-authenticate')).toContain(`resource_metadata="${address}"`);
      const metadata = await fetch(`${server.origin}/.well-known/oauth-protected-resource${place}`);
      expect(await metadata.json()).toMatchObject({ resource: `${server.baseUrl}${place}` });
    },
  );

  it.each(names)('can be called at %s by allowed origins (MCP-029, EDGE-003)', async (path) => {
    const origin = 'https://app.example';
    const asked = { origin, 'access-control-request-method': 'POST' };
    const preflight = await asStranger(path, { method: 'OPTIONS', headers: asked });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Mcp-Session-Id');
    for (const response of [
      await ask(path, { body: list, headers: { origin } }),
      await asStranger(path, { body: list, headers: { origin } }),
    ])
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
  });

  it.each(names)('limits a message to 4 MiB at %s (MCP-029, EDGE-011)', async (path) => {
    const text = (length: number) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { text: '' } });
      return body.replace('""', `"${'x'.repeat(length - body.length)}"`);
    };
    expect((await ask(path, { body: text(4_194_304) })).status).toBe(200);
    expect((await ask(path, { body: text(4_194_305) })).status).toBe(413);
  });

  it.each([
    ['/message', '/mcp'],
    ['/mcp', '/'],
    ['/', '/message'],
  ])('continues a session at another address that was started at %s: %s (MCP-029)', async (first, second) => {
    const session = { 'mcp-session-id': await begin(first) };
    expect(session['mcp-session-id']).not.toBe('');
    const stream = await ask(second, { method: 'GET', headers: { ...session, ...events } });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    await stream.body?.cancel();
    expect((await ask(second, { body: list, headers: session })).status).toBe(200);
    expect((await ask(second, { method: 'DELETE', headers: session })).status).toBe(204);
    expect((await ask(first, { body: list, headers: session })).status).toBe(404);
  });

  it.each(names)('opens no stream without a session at %s (MCP-029)', async (path) => {
    const refused = await ask(path, { method: 'GET', headers: events });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('the root address', () => {
  let server: WholeServer;
  let token: string;

  beforeAll(async () => {
    server = await openWholeServer();
    token = await accessToken(server);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const ask = (path: string, method: string, headers: Readonly<Record<string, string>>, body?: string) =>
    fetch(`${server.origin}${path}`, {
      method,
      redirect: 'manual',
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body === undefined ? {} : { body }),
    });

  it.each([
    ['JSON', 'application/json', '{"method": "tools/list"}'],
    ['a form', 'application/x-www-form-urlencoded', `email=${ada.email}`],
    ['text', 'text/plain', list],
    ['nothing', 'application/json', ''],
  ])('refuses a POST of %s, because it has no such method (MCP-030)', async (_, type, body) => {
    const refused = await ask('/', 'POST', { 'content-type': type, accept: 'application/json' }, body);
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await fetch(server.origin, { method: 'POST', headers: { 'content-type': type }, body })).status).toBe(401);
  });

  it.each(['text/html', '*/*', 'text/html, text/event-stream'])(
    'redirects to the home page: %s (PAGE-011)',
    async (accept) => {
      for (const method of ['GET', 'HEAD']) {
        const answer = await ask('/', method, { accept });
        expect([answer.status, answer.headers.get('location')]).toEqual([303, '/floki/index']);
      }
      expect((await ask('/', 'DELETE', {})).status).toBe(405);
    },
  );

  it.each(['/mcp/', '/v1/mcp', '/api/mcp', '/messages'])(
    'answers a message to %s with the right address (MCP-031)',
    async (path) => {
      const accept = 'application/json, text/event-stream';
      const answer = await ask(path, 'POST', { 'content-type': 'application/json', accept }, list);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain(`MCP is at ${server.baseUrl}/message.`);
    },
  );
});
