import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

let server: WholeServer;
let admin: PlainBrowser;
let token: string;

beforeAll(async () => {
  server = await startWholeServer({});
  admin = await server.signedIn();
  token = await grantToken(server.origin, admin, { name: 'Agent' });
});
afterAll(() => server[Symbol.asyncDispose]());

/** Sends the beginning of a request, and leaves: in order, or by a reset. */
async function leave(path: string, how: 'end' | 'reset'): Promise<void> {
  const { hostname, port } = new URL(server.origin);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  const head = [`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${token}`];
  socket.write(`${[...head, 'Content-Type: application/json', 'Content-Length: 100'].join('\r\n')}\r\n\r\n{"begun":`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  if (how === 'end') socket.end();
  else socket.resetAndDestroy();
}

const counted = async () =>
  Number(/^portolan_http_aborted_requests_total (\d+)$/m.exec(await (await admin.get('/metrics')).text())?.[1]);

describe('a client that disconnects during its request', () => {
  it('is counted, and logged at debug level with its request and without a stack (RUN-034)', async () => {
    const paths = ['/register', '/message', '/save', '/api/vault/search/simple/', '/webhooks/tracker'];
    const before = await counted();
    for (const path of paths) {
      await leave(path, 'end');
      await leave(path, 'reset');
    }
    await expect.poll(counted, { timeout: 30_000 }).toBe(before + 2 * paths.length);
    const lines: Record<string, unknown>[] = server
      .log()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const gone = lines.filter(({ msg }) => msg === 'Client disconnected');
    for (const path of paths) {
      const own = gone.filter((line) => line['path'] === path);
      expect(own.length, path).toBeGreaterThanOrEqual(2);
      for (const line of own) expect(line).toMatchObject({ level: 'debug', requestId: expect.any(String) });
    }
    expect(gone.filter((line) => 'err' in line)).toEqual([]);
    expect(lines.filter(({ msg }) => msg === 'Connection failed')).toEqual([]);
  });
});
