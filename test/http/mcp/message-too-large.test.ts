import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
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

const chunk = Buffer.alloc(65_536, 32);
const chunked = Buffer.concat([
  ...Array.from({ length: 80 }, () => Buffer.concat([Buffer.from('10000\r\n'), chunk, Buffer.from('\r\n')])),
  Buffer.from('0\r\n\r\n'),
]);
const whole = Buffer.alloc(5 << 20, 32);

/** The statuses that come back on one connection: of a message that is too large, and of a small request behind it where there may be one. */
function statusesOf(headers: readonly string[], body: Buffer): Promise<readonly string[]> {
  const { hostname, port, host } = new URL(server.origin);
  const head = ['POST /message HTTP/1.1', `Host: ${host}`, 'Content-Type: application/json', ...headers];
  const next = ['GET /healthz HTTP/1.1', `Host: ${host}`, 'Connection: close'];
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
    });
    // What was answered before the connection broke is what counts.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve([...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status ?? '')));
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(body);
    if (!headers.includes('Connection: close')) socket.write(`${next.join('\r\n')}\r\n\r\n`);
  });
}

const ways = {
  'past Koa, with a token': () => [`Authorization: Bearer ${token}`],
  'through Koa, with a cookie': () => [`Cookie: user=${token}`],
  'through Koa, with a token and an origin': () => [`Authorization: Bearer ${token}`, `Origin: ${server.origin}`],
};

describe.each(Object.entries(ways))('a message of 5 MB, %s', (_, headers) => {
  it('is answered 413 when sent in chunks, and the connection stays open (EDGE-011)', async () => {
    expect(await statusesOf([...headers(), 'Transfer-Encoding: chunked'], chunked)).toEqual(['413', '200']);
  });

  it('is answered 413 when sent with its length, and the connection stays open (EDGE-011)', async () => {
    expect(await statusesOf([...headers(), `Content-Length: ${whole.length}`], whole)).toEqual(['413', '200']);
  });

  it('is answered 413 when the client asks to close the connection', async () => {
    const close = [...headers(), 'Transfer-Encoding: chunked', 'Connection: close'];
    expect(await statusesOf(close, chunked)).toEqual(['413']);
  });
});
