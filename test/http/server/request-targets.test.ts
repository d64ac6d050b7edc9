import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { rawRequest, sendRaw } from '#test/support/network/raw-http.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';

let server: WholeServer;
let token: string;

beforeAll(async () => {
  server = await openWholeServer();
  token = await accessToken(server);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

/** The statuses of a message with this target, past Koa, through it with a cookie, and through it with an origin. */
async function statusesOf(target: string, host: string): Promise<ReadonlySet<number>> {
  const shared = [`Host: ${host}`, 'Content-Type: application/json', 'Accept: application/json, text/event-stream'];
  const ways = [
    [`Authorization: Bearer ${token}`],
    [`Cookie: user=${token}`],
    [`Authorization: Bearer ${token}`, `Origin: ${server.origin}`],
  ];
  const answers = await Promise.all(
    ways.map((headers) => {
      const lines = [...shared, ...headers, `Content-Length: ${ping.length}`];
      return sendRaw(server.origin, rawRequest(`POST ${target} HTTP/1.1`, lines, ping));
    }),
  );
  return new Set(answers.map(({ status }) => status));
}

describe('a target in absolute form is answered the same on both mounts (EDGE-012)', () => {
  it.each([
    ['with our own authority', 'http://localhost:{port}/message', 'localhost:{port}', 200],
    ['with our own authority as an https address', 'https://127.0.0.1/message', '127.0.0.1', 200],
    ['in capitals', 'HTTP://LOCALHOST:{port}/message', 'localhost', 200],
    ['with a query', 'http://localhost:{port}/message?services=vault', 'localhost:{port}', 200],
    [
      'with our own authority, and a foreign Host, which does not count',
      'http://localhost/message',
      'evil.example',
      200,
    ],
    ['with a foreign authority and our own Host', 'http://evil.example/message', 'localhost:{port}', 403],
    ['with a foreign authority that begins as ours', 'http://localhost.evil.example/message', 'localhost', 403],
    ['with user info', 'http://localhost@evil.example/message', 'localhost', 400],
    ['with our own authority as user info', 'http://localhost:1@localhost/message', 'localhost', 400],
    ['with a fragment', 'http://localhost/message#x', 'localhost', 400],
    ['without a host', 'http:///message', 'localhost', 400],
    ['of another scheme', 'ftp://localhost/message', 'localhost', 400],
    ['that is no address', 'http://[::1/message', 'localhost', 400],
    ['that is a name alone', 'message', 'localhost', 400],
    ['that is an asterisk', '*', 'localhost', 400],
    ['with a path that leads nowhere', 'http://localhost/nowhere', 'localhost', 404],
  ])('%s: %s', async (_, target, host, status) => {
    const at = (text: string) => text.replace('{port}', String(server.port));
    expect(await statusesOf(at(target), at(host))).toEqual(new Set([status]));
  });
});
