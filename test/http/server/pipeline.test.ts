import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import type { AccountChange, NoteChange } from '#adapters/contracts/changes.ts';
import { mcpRoutes } from '#adapters/http/mcp-routes.ts';
import { operationRoutes } from '#adapters/http/rest/operation-routes.ts';
import { openMcpEndpoint } from '#adapters/mcp/open-endpoint.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { EventBus } from '#infrastructure/events/event-bus.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';
import { type AuthApp, openAuthApp } from '#test/support/authorization/auth-app.ts';
import { connectedToAll } from '#test/support/mcp/mcp-app.ts';
import { FakeGateway, fakeCatalog, runOver } from '#test/support/mcp/mcp-catalog.ts';

const readPaths: Readonly<Record<string, string>> = {
  'notes.read': '/notes/{+path}',
  'notes.delete': '/limited/{path}',
  'commands.run': '/broken',
  list: '/notes',
};

/** Operations of the fake catalog as reads over REST, and one of a file, whose path comes first and is not answered beneath Koa. */
const readCatalog = {
  ...fakeCatalog,
  operations: fakeCatalog.operations.flatMap((operation) => {
    const path = readPaths[operation.name];
    if (path === undefined) return [];
    const read = { ...operation, route: { method: 'GET' as const, path } };
    return path === '/notes'
      ? [read, { ...read, isFile: true, route: { ...read.route, path: '/notes/file' } }]
      : [read];
  }),
};

const gateway = new FakeGateway();
const beneath = await open('beneath');
const onKoa = await open('on Koa');

/** The whole edge with the MCP routes and reads over REST, mounted beneath Koa too or on Koa alone. */
async function open(mount: 'beneath' | 'on Koa'): Promise<AuthApp> {
  const logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => logger };
  const endpoint = openMcpEndpoint({
    catalog: fakeCatalog,
    run: runOver(gateway),
    random: systemRandom,
    logger,
    version: '1.2.3',
    clock: systemClock,
    baseUrl: 'https://mcp.example',
    stateKey: new Uint8Array(32),
    connections: connectedToAll,
    users: { find: async () => null },
    noteChanges: new EventBus<NoteChange>(),
    accountChanges: new EventBus<AccountChange>(),
  });
  const routes = [...mcpRoutes(endpoint), ...operationRoutes(readCatalog, runOver(gateway))];
  const mounted = mount === 'beneath' ? routes : routes.map((route) => ({ ...route, isProgram: false }));
  return openAuthApp({
    routes: mounted,
    baseUrl: 'https://mcp.example',
    listensOnLoopback: false,
    oauthMetadata: true,
  });
}

afterAll(async () => {
  await beneath[Symbol.asyncDispose]();
  await onKoa[Symbol.asyncDispose]();
});

type Sent = Readonly<{
  headers?: Readonly<Record<string, string | readonly string[]>>;
  method?: string;
  path?: string;
  body?: string;
}>;

/** What an app answers, and what it logs; with marks in place of what is never the same twice. */
async function answered(app: AuthApp, { headers = {}, method = 'POST', path = '/message', body = '' }: Sent) {
  const token = await app.ports.tokens.seal({ userId: 1, issuedAt: app.time.now });
  app.lines.length = 0;
  const outgoing = request(app.origin, {
    path,
    method,
    headers: {
      host: 'mcp.example',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  });
  outgoing.end(body);
  const [answer] = await once(outgoing, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of answer) {
    chunks.push(chunk);
    // A stream that stays open is recognized by its first event.
    if (method === 'GET' && answer.statusCode === 200) break;
  }
  const { date, 'x-request-id': requestId, ...others } = answer.headers;
  const lines = app.lines.map(({ level, message, fields }) => ({
    level,
    message,
    fields: { ...fields, requestId: fields['requestId'] === requestId, ms: typeof fields['ms'] },
  }));
  const answered = Buffer.concat(chunks).toString().replaceAll(requestId, 'the id');
  const text = answered.replace(/(?<=sessionId=)[\w-]{32}/, 'the session');
  return { status: answer.statusCode, headers: others, hasDate: date !== undefined, text, lines };
}

const rpc = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
const call = rpc('tools/call', { name: 'vault_note_read', arguments: { path: 'Deals/Acme.md' } });
const withProgress = rpc('tools/call', {
  name: 'vault_note_read',
  arguments: { path: 'Deals/Acme.md' },
  _meta: { progressToken: 1 },
});

describe('a request below Koa is answered and logged like one on Koa', () => {
  it.each<[string, number, Sent]>([
    ['a call', 200, { body: call }],
    ['a list', 200, { body: rpc('tools/list') }],
    ['a list of what the query leaves', 200, { path: '/message?services=vault&readonly=1', body: rpc('tools/list') }],
    ['an answer as a stream', 200, { body: withProgress }],
    ['a notification', 202, { body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' }],
    ['no JSON', 400, { body: '{' }],
    ['another media type', 415, { headers: { 'content-type': 'text/plain' }, body: call }],
    ['a body that is too large', 413, { body: ' '.repeat((4 << 20) + 1) }],
    ['a session that is not there', 404, { headers: { 'mcp-session-id': 'x' }, body: call }],
    ['a stream that is not there', 404, { path: '/message?sessionId=x', body: call }],
    ['a path that ends otherwise', 404, { path: '/message/', body: call }],
    ['a token that is none of ours', 401, { headers: { authorization: 'Bearer x' }, body: call }],
    ['an empty token', 401, { headers: { authorization: 'Bearer ' }, body: call }],
    ['another scheme', 401, { headers: { authorization: 'Basic YTpi' }, body: call }],
    ['a host that is not ours', 403, { headers: { host: 'evil.example' }, body: call }],
    ['an origin that is not ours', 403, { headers: { origin: 'https://evil.example' }, body: call }],
    ['an origin that is ours', 200, { headers: { origin: 'https://mcp.example' }, body: call }],
    ['two tokens', 400, { headers: { authorization: ['Bearer a', 'Bearer b'] }, body: call }],
    ['a stream of the older transport', 200, { method: 'GET', path: '/sse?services=vault' }],
    ['a stream for services that there are not', 400, { method: 'GET', path: '/sse?services=x' }],
    ['a stream without a session', 405, { method: 'GET' }],
    ['a stream of a session that is not there', 404, { method: 'GET', headers: { 'mcp-session-id': 'x' } }],
    ['a target in absolute form', 200, { path: 'https://mcp.example/message', body: call }],
    ['a read over REST', 200, { method: 'GET', path: '/api/vault/notes/Deals/Acme%20%26%20Co.md' }],
    ['a read with a query', 200, { method: 'GET', path: '/api/vault/notes?limit=2&limit=3' }],
    ['a read whose path has a bad escape', 200, { method: 'GET', path: '/api/vault/notes/%E0%A4%A' }],
    ['a read that another route comes before', 200, { method: 'GET', path: '/api/vault/notes/file' }],
    ['a read whose path has a fragment', 200, { method: 'GET', path: '/api/vault/notes/Acme.md#more' }],
    ['a read whose path is empty', 404, { method: 'GET', path: '/api/vault/notes/' }],
    ['a read that the service limits', 429, { method: 'GET', path: '/api/vault/limited/x' }],
    ['a read that breaks', 500, { method: 'GET', path: '/api/vault/broken' }],
    ['the head of a read', 200, { method: 'HEAD', path: '/api/vault/notes' }],
    ['a change where there is a read', 405, { path: '/api/vault/notes' }],
    ['a read by a stranger', 401, { method: 'GET', path: '/api/vault/notes', headers: { authorization: 'Bearer x' } }],
    [
      'a read by a stranger in a browser',
      401,
      { method: 'GET', path: '/api/vault/notes', headers: { authorization: 'Bearer x', accept: 'text/html' } },
    ],
    ['a read in absolute form', 200, { method: 'GET', path: 'https://mcp.example/api/vault/notes' }],
  ])('%s: %i', async (_, status, sent) => {
    const way = await answered(onKoa, sent);
    expect(way.status).toBe(status);
    expect(await answered(beneath, sent)).toEqual(way);
  });

  it('also for a user who has signed out everywhere: 401', async () => {
    for (const app of [onKoa, beneath]) {
      const token = await app.ports.tokens.seal({ userId: 1, issuedAt: app.time.now - 10_000 });
      await app.ports.users.change(1, { signedOutBefore: app.time.now - 5000 });
      expect((await answered(app, { headers: { authorization: `Bearer ${token}` }, body: call })).status).toBe(401);
    }
  });
});
