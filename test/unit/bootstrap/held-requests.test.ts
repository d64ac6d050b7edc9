import { once } from 'node:events';
import { createServer, type RequestListener, Server, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Listening, listen } from '#bootstrap/listen.ts';
import { HeldRequests } from '#bootstrap/start/held-requests.ts';

const app: RequestListener = (request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += String(chunk);
  });
  request.on('end', () => response.end(`${request.method} ${request.url} ${body}`));
};

describe('a server that starts', () => {
  let listening: Listening;
  const ask = (path: string, body?: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${listening.port}${path}`, body === undefined ? {} : { method: 'POST', body });

  afterEach(() => listening.close(100));

  it('answers what arrives meanwhile once it has started, and probes at once by 503 (RUN-049)', async () => {
    listening = await listen('127.0.0.1', 0, 100);
    const arrived = once(listening.server, 'request');
    const asked = ask('/message', 'a call');
    await arrived;
    for (const path of ['/readyz', '/healthz', '/readyz?verbose']) {
      const probe = await ask(path);
      expect([probe.status, probe.headers.get('retry-after')]).toEqual([503, '1']);
    }
    listening.serve(app);
    expect(await (await asked).text()).toBe('POST /message a call');
    expect(await (await ask('/readyz')).text()).toBe('GET /readyz ');
  });

  it('answers it by 503 when the start is stopped (RUN-049)', async () => {
    listening = await listen('127.0.0.1', 0, 100);
    const arrived = once(listening.server, 'request');
    const asked = ask('/message', 'a call');
    await arrived;
    await listening.close(60_000);
    expect((await asked).status).toBe(503);
  });
});

it('a server holds as many connections as the system allows until it accepts them', async () => {
  const asked = vi.spyOn(Server.prototype, 'listen');
  const listening = await listen('127.0.0.1', 0, 100);
  expect(asked).toHaveBeenCalledWith(0, '127.0.0.1', 4_096, expect.any(Function));
  asked.mockRestore();
  await listening.close(100);
});

it('a server that stops looks at its connections once for all streams that end together', async () => {
  const listening = await listen('127.0.0.1', 0, 100);
  const streams: ServerResponse[] = [];
  listening.serve((_, response) => {
    response.flushHeaders();
    streams.push(response);
  });
  const url = `http://127.0.0.1:${listening.port}/`;
  const open = await Promise.all(Array.from({ length: 30 }, () => fetch(url)));
  const sweeps = vi.spyOn(listening.server, 'closeIdleConnections');
  const closed = listening.close(60_000);
  for (const stream of streams) stream.end();
  await closed;
  expect(sweeps.mock.calls.length).toBeLessThan(20);
  expect(await Promise.all(open.map((response) => response.text()))).toEqual(Array.from({ length: 30 }, () => ''));
});

it('a start that takes too long answers what waits by 503, and a caller who is gone is forgotten (RUN-049)', async () => {
  const held = new HeldRequests(50);
  const server = createServer(held.listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/message`;
  const answered = await fetch(url);
  expect([answered.status, await answered.json()]).toMatchObject([503, { error: 'unavailable' }]);
  const gone = new AbortController();
  const closed = new Promise((resolve) => {
    server.once('request', (_, response) => response.once('close', resolve));
  });
  const arrived = once(server, 'request');
  const asked = fetch(url, { signal: gone.signal }).catch(() => 'gone');
  await arrived;
  gone.abort();
  expect(await asked).toBe('gone');
  await closed;
  let passed = 0;
  held.passTo(() => {
    passed += 1;
  });
  expect(passed).toBe(0);
  server.close();
});
