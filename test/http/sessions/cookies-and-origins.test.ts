import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ada } from '#test/support/authorization/auth-app.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';
import { signedInAt } from '#test/support/server/signed-in.ts';

let server: WholeServer;
let cookie: string;
let bearer: string;

beforeAll(async () => {
  server = await openWholeServer({ ALLOWED_ORIGINS: 'https://app.example' });
  cookie = `user=${(await signedInAt(server.origin, ada)).cookies.get('user')}`;
  bearer = `Bearer ${await accessToken(server)}`;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

type Headers = Readonly<Record<string, string>>;

/** The status of a request that names where it comes from. */
async function statusOf(method: string, path: string, headers: Headers, body: string | null = null): Promise<number> {
  const answer = await fetch(`${server.origin}${path}`, { method, headers, body, redirect: 'manual' });
  await answer.arrayBuffer();
  return answer.status;
}

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const foreign: readonly Headers[] = [
  { origin: 'http://localhost:5173' },
  { origin: 'http://127.0.0.1:8080' },
  { origin: 'http://[::1]:8080' },
  { origin: 'https://app.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-origin, cross-site' },
  { origin: 'http://localhost:5173', 'sec-fetch-site': 'same-origin' },
  { origin: 'http://localhost:5173', 'sec-fetch-site': 'none' },
];

describe.each(foreign.map((headers) => [JSON.stringify(headers), headers] as const))('a page from %s', (_, from) => {
  it.each([
    ['POST', '/message'],
    ['DELETE', '/message'],
    ['POST', '/connections/vault/test'],
    ['POST', '/api/signing/documents/d1/send'],
    ['POST', '/api/signing/documents/d1/draft'],
    ['PUT', '/api/vault/vault/Note.md'],
    ['PATCH', '/api/sales_crm/deals/1'],
    ['DELETE', '/api/vault/vault/Note.md'],
    ['POST', '/login'],
    ['POST', '/nowhere'],
  ])('may not %s %s with the cookie, without a body (EDGE-004)', async (method, path) => {
    expect(await statusOf(method, path, { cookie, ...from })).toBe(403);
  });

  it('may not upload with the cookie', async () => {
    const headers = { cookie, ...from, 'content-type': 'text/plain' };
    expect(await statusOf('POST', '/api/sales_crm/files', headers, 'hello')).toBe(403);
  });
});

it.each([
  ['our own origin', () => ({ origin: server.origin })],
  ['our own origin, and says so twice', () => ({ origin: server.origin, 'sec-fetch-site': 'same-origin' })],
  ['the base URL', () => ({ origin: server.baseUrl })],
  ['nowhere, by the user', () => ({ 'sec-fetch-site': 'none' })],
  ['our own site', () => ({ 'sec-fetch-site': 'same-origin' })],
  ['no browser', () => ({})],
])('a request from %s may use the cookie (EDGE-004)', async (_, from) => {
  expect(await statusOf('POST', '/message', { cookie, ...json, ...from() }, ping)).toBe(200);
});

it.each(['http://localhost:5173', 'http://127.0.0.1:8080', 'https://app.example'])(
  'a program in a browser at %s may use a bearer token, even if the browser adds a cookie',
  async (origin) => {
    const from = { origin, 'sec-fetch-site': 'same-site', ...json };
    expect(await statusOf('POST', '/message', { ...from, authorization: bearer }, ping)).toBe(200);
    expect(await statusOf('POST', '/message', { ...from, authorization: bearer, cookie }, ping)).toBe(200);
  },
);

it('a program in a browser may register and request tokens, whatever cookie is sent along', async () => {
  const headers = { origin: 'http://localhost:5173', cookie, 'content-type': 'application/json' };
  expect(await statusOf('POST', '/register', headers, '{}')).toBe(201);
  expect(await statusOf('POST', '/token', headers, '{}')).toBe(400);
});

it.each(['GET', 'HEAD'])('%s changes nothing, and a link from another site leads to the pages', async (method) => {
  const headers = { cookie, 'sec-fetch-site': 'cross-site' };
  expect(await statusOf(method, '/page', headers)).toBe(200);
  // Those that begin something ask where the browser comes from.
  for (const site of ['cross-site', 'same-site']) {
    expect(await statusOf(method, '/connect/tracker', { cookie, 'sec-fetch-site': site })).toBe(403);
  }
  // Signing out takes a form of ours.
  expect(await statusOf(method, '/logout', headers)).toBe(200);
  expect(await statusOf('POST', '/message', { cookie, ...json }, ping)).toBe(200);
});
