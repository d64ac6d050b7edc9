import type { IncomingMessage, RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import type { HttpRequest } from '#infrastructure/http/http-messages.ts';
import { multipart } from '#infrastructure/http/multipart.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';

const servers: LoopbackServer[] = [];
const client = new HttpClient(() => 0);

async function serve(listener: RequestListener): Promise<string> {
  const server = await serveOnLoopback(listener);
  servers.push(server);
  return server.url;
}

const request = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  headers: {},
  timeoutMs: 60_000,
  maxBytes: 1_000,
  ...more,
});

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

describe('the shared HTTP client', () => {
  it('returns status, headers and the whole body', async () => {
    const url = await serve((_, response) => response.writeHead(201, { 'X-Left': '3' }).end('text'));
    const answer = await client.send(request(url));
    expect(answer).toMatchObject({ kind: 'answer', status: 201, headers: { 'x-left': '3' } });
    expect(answer.kind === 'answer' && Buffer.from(answer.body).toString()).toBe('text');
  });

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)('sends a %s without a body', async (method) => {
    const url = await serve((incoming, response) =>
      response.end(`${String(incoming.method)} ${incoming.headers['transfer-encoding'] ?? 'no body'}`),
    );
    const answer = await client.send(request(url, { method }));
    expect(answer.kind === 'answer' && Buffer.from(answer.body).toString()).toBe(`${method} no body`);
  });

  it('follows no redirect, so that a token reaches only its own host', async () => {
    let strangers = 0;
    const stranger = await serve((_, response) => {
      strangers += 1;
      response.end();
    });
    const url = await serve((_, response) => response.writeHead(302, { location: stranger }).end());
    expect(await client.send(request(url, { headers: { authorization: 'Bearer secret' } }))).toMatchObject({
      status: 302,
    });
    expect(strangers).toBe(0);
  });

  it('stops at the size bound', async () => {
    const url = await serve((_, response) => response.end('x'.repeat(1_001)));
    expect(await client.send(request(url))).toMatchObject({ kind: 'error', reason: 'too_large' });
  });

  it('stops at the time bound when a server sends byte by byte', async () => {
    const url = await serve((_, response) => {
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    expect(await client.send(request(url, { timeoutMs: 150 }))).toMatchObject({ kind: 'error', reason: 'timeout' });
  });

  it('reports a body that ends before its announced length', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('short');
      setImmediate(() => response.destroy());
    });
    expect(await client.send(request(url))).toMatchObject({ kind: 'error', reason: 'network' });
  });

  it('reports a server that does not exist', async () => {
    expect(await client.send(request('http://127.0.0.1:1/'))).toMatchObject({ kind: 'error', reason: 'network' });
  });

  it('repeats after 429 and 503, up to the bound', async () => {
    const statuses = [429, 503, 200];
    const url = await serve((_, response) => response.writeHead(statuses.shift() ?? 500).end());
    expect(await client.send(request(url), { tries: 5, withinMs: 60_000 })).toMatchObject({ status: 200 });
  });

  it('does not repeat a POST when the connection breaks', async () => {
    let calls = 0;
    const url = await serve((incoming) => {
      calls += 1;
      incoming.socket.destroy();
    });
    const result = await client.send(request(url, { method: 'POST', body: 'x' }), { tries: 5, withinMs: 60_000 });
    expect(result).toMatchObject({ kind: 'error', reason: 'network' });
    expect(calls).toBe(1);
  });

  it('does not wait longer than the bound for a Retry-After', async () => {
    let calls = 0;
    const url = await serve((_, response) => {
      calls += 1;
      response.writeHead(429, { 'retry-after': '3600' }).end();
    });
    expect(await client.send(request(url), { tries: 5, withinMs: 60_000 })).toMatchObject({ status: 429 });
    expect(calls).toBe(1);
  });

  it('ends when it is cancelled', async () => {
    const cancel = new AbortController();
    const url = await serve(() => cancel.abort());
    expect(await client.send(request(url, { signal: cancel.signal }))).toMatchObject({
      kind: 'error',
      reason: 'aborted',
    });
  });

  it('streams a large answer without buffering it', async () => {
    const piece = Buffer.alloc(64 * 1024, 1);
    const url = await serve((_, response) => {
      let left = 320;
      const more = () => {
        while (left > 0 && response.write(piece)) left -= 1;
        if (left > 0) response.once('drain', more);
        else response.end();
        left -= 1;
      };
      more();
    });
    const answer = await client.open(request(url));
    if (answer.kind !== 'stream') throw new Error(answer.kind);
    let size = 0;
    for await (const bytes of answer.body) size += bytes.byteLength;
    expect(size).toBeGreaterThan(20_000_000);
  });

  it('reports an error status of a streamed answer as a whole answer', async () => {
    const url = await serve((_, response) => response.writeHead(404).end('{"error":"gone"}'));
    expect(await client.open(request(url))).toMatchObject({ kind: 'answer', status: 404 });
  });

  it('uploads a form with a file as a stream, with its length when it is known', async () => {
    let seen = { length: '', body: '' };
    const receive = async (incoming: IncomingMessage) => {
      const bytes = await buffer(incoming);
      seen = { length: incoming.headers['content-length'] ?? '', body: bytes.toString() };
    };
    const url = await serve((incoming, response) => {
      void receive(incoming).finally(() => response.end());
    });
    const bytes = Buffer.from('file bytes');
    const form = multipart(
      { deal_id: '7' },
      {
        field: 'file',
        name: 'a "b".txt',
        mediaType: 'text/plain',
        size: bytes.byteLength,
        bytes: (async function* () {
          yield bytes;
        })(),
      },
    );
    const headers = { 'content-type': form.contentType, 'content-length': String(form.length) };
    await client.send(request(url, { method: 'POST', headers, body: form.bytes }));
    expect(seen.length).toBe(String(Buffer.byteLength(seen.body)));
    expect(seen.body).toContain('name="deal_id"\r\n\r\n7\r\n');
    expect(seen.body).toContain(
      'name="file"; filename="a %22b%22.txt"\r\ncontent-type: text/plain\r\n\r\nfile bytes\r\n',
    );
  });
});
