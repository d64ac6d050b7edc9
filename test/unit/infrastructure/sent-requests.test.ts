import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import type { HttpDeparture, HttpRequest } from '#infrastructure/http/http-messages.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';
import { certificates } from '#test/support/network/throw-away-certificates.ts';

const servers: Pick<LoopbackServer, 'close'>[] = [];
let client = new HttpClient(() => 0);

afterEach(async () => {
  client.abort();
  client.close();
  client = new HttpClient(() => 0);
  for (const server of servers.splice(0)) await server.close();
});

/** A server that counts what reaches it, and answers, is silent or breaks the connection. */
async function serve(how: 'answers' | 'is silent' | 'breaks' | 'fails') {
  const server = await serveOnLoopback((incoming, response) => {
    seen.requests += 1;
    onRequest();
    if (how === 'answers') response.end('{}');
    if (how === 'breaks') incoming.socket.destroy();
    if (how === 'fails') response.writeHead(502).end();
  });
  servers.push(server);
  let onRequest = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    onRequest = resolve;
  });
  const seen = { url: server.url, requests: 0, arrived };
  return seen;
}

async function serveOverTls() {
  const { cert, key } = certificates.first;
  const seen = { url: '', requests: 0, bytes: 0 };
  const server = createTlsServer({ cert, key }, (_, response) => {
    seen.requests += 1;
    response.end('{}');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  servers.push({
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
  const { port }: Pick<AddressInfo, 'port'> = Object(server.address());
  seen.url = `https://127.0.0.1:${port}`;
  return seen;
}

/** A server in a thread of its own, and how to stand still until it has answered a request, for three seconds at least. */
async function serveInThread() {
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(
    `const { createServer } = require('node:http');
     const { parentPort, workerData } = require('node:worker_threads');
     const server = createServer((_, response) => {
       response.end('{}', () => {
         Atomics.store(workerData, 0, 1);
         Atomics.notify(workerData, 0);
       });
     });
     server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
    { eval: true, workerData: answered },
  );
  const [port] = await once(worker, 'message');
  servers.push({ close: async () => void (await worker.terminate()) });
  const standStill = () => {
    Atomics.wait(answered, 0, 0);
    Atomics.wait(answered, 0, 1, 3_000);
  };
  return { url: `http://127.0.0.1:${port}`, standStill };
}

const request = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'POST',
  url,
  headers: {},
  body: 'x',
  timeoutMs: 60_000,
  maxBytes: 1_000,
  trust: false,
  ...more,
});

/** Names are looked up for ever: no connection is ever made. */
const lost = new HttpClient(() => 0, { resolve: () => {} });
const never = new AbortController().signal;
const forbidding: HttpDeparture = { begin: () => false, cut: never };

describe('a request that ends in an error reports whether it was sent (OP-018)', () => {
  it('as no, if its server refuses the connection or has no address', async () => {
    const unknown = new HttpClient(() => 0, { resolve: (_, give) => give(null, []) });
    expect(await client.send(request('http://127.0.0.1:1/'))).toMatchObject({ reason: 'network', sent: 'no' });
    expect(await unknown.send(request('http://there.invalid/'))).toMatchObject({ reason: 'network', sent: 'no' });
    expect(await client.within('public').send(request('http://127.0.0.1:1/'))).toMatchObject({ sent: 'no' });
  });

  it('as no, if it was cancelled or timed out before there was a connection', async () => {
    const cancel = new AbortController();
    const sending = lost.send(request('http://there.invalid/', { signal: cancel.signal }));
    setImmediate(() => cancel.abort());
    expect(await sending).toMatchObject({ reason: 'aborted', sent: 'no' });
    expect(await lost.send(request('http://there.invalid/', { timeoutMs: 1 }))).toMatchObject({
      reason: 'timeout',
      sent: 'no',
    });
    expect(await client.send(request('http://127.0.0.1:1/', { signal: AbortSignal.abort() }))).toMatchObject({
      sent: 'no',
    });
  });

  it('as unknown, if the connection broke, or the answer is missing, too large, or late', async () => {
    const breaking = await serve('breaks');
    expect(await client.send(request(breaking.url))).toMatchObject({ reason: 'network', sent: 'unknown' });
    const silent = await serve('is silent');
    expect(await client.send(request(silent.url, { timeoutMs: 100 }))).toMatchObject({
      reason: 'timeout',
      sent: 'unknown',
    });
    const cancel = new AbortController();
    const another = await serve('is silent');
    const sending = client.send(request(another.url, { signal: cancel.signal }));
    await another.arrived;
    cancel.abort();
    expect(await sending).toMatchObject({ reason: 'aborted', sent: 'unknown' });
    const answering = await serve('answers');
    expect(await client.send(request(answering.url, { maxBytes: 1 }))).toMatchObject({
      reason: 'too_large',
      sent: 'unknown',
    });
  });

  it('as unknown, if an earlier attempt may have taken effect, although the last one was not sent', async () => {
    for (const how of ['breaks', 'fails'] as const) {
      const server = await serve(how);
      const begun: boolean[] = [];
      const departure = { begin: () => begun.push(true) === 1, cut: never };
      const put = request(server.url, { method: 'PUT', departure });
      expect(await client.send(put, { tries: 2, withinMs: 60_000 })).toMatchObject({ kind: 'error', sent: 'unknown' });
      expect([begun.length, server.requests]).toEqual([2, 1]);
    }
  });
});

describe('a request that may no longer be sent', () => {
  it('reaches no server, over a new connection or an open one (INBOX-019)', async () => {
    const server = await serve('answers');
    const forbidden = request(server.url, { departure: forbidding });
    expect(await client.send(forbidden)).toMatchObject({ reason: 'aborted', sent: 'no' });
    expect(await client.send(request(server.url))).toMatchObject({ status: 200 });
    expect(await client.send(forbidden)).toMatchObject({ reason: 'aborted', sent: 'no' });
    expect(await client.open(forbidden)).toMatchObject({ reason: 'aborted', sent: 'no' });
    expect(await client.send(request(server.url))).toMatchObject({ status: 200 });
    expect(server.requests).toBe(2);
  });

  it('reaches no server over TLS (INBOX-019)', async () => {
    const server = await serveOverTls();
    const forbidden = request(server.url, { departure: forbidding });
    expect(await client.send(forbidden)).toMatchObject({ reason: 'aborted', sent: 'no' });
    expect(await client.send(request(server.url))).toMatchObject({ status: 200 });
    expect(await client.send(forbidden)).toMatchObject({ reason: 'aborted', sent: 'no' });
    expect(server.requests).toBe(1);
  });
});

describe('a request that has been sent', () => {
  it('is completed although it is cancelled, and ends when it is cut off (INBOX-019)', async () => {
    let answer = (): void => {};
    const server = await serveOnLoopback((_, response) => {
      answer = () => void response.end('{}');
      arrive();
    });
    servers.push(server);
    let arrive = (): void => {};
    const send = async () => {
      const [cancel, cut] = [new AbortController(), new AbortController()];
      const arrived = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      const departure = { begin: () => true, cut: cut.signal };
      const sending = client.send(request(server.url, { signal: cancel.signal, departure }));
      await arrived;
      cancel.abort();
      return { sending, cut };
    };
    const completed = await send();
    answer();
    expect(await completed.sending).toMatchObject({ kind: 'answer', status: 200 });
    const broken = await send();
    broken.cut.abort();
    expect(await broken.sending).toMatchObject({ reason: 'aborted', sent: 'unknown' });
  });

  it('gets an answer that arrived while the process was frozen, although its time is over', async () => {
    const { url, standStill } = await serveInThread();
    const begun = Promise.withResolvers<void>();
    const begin = () => {
      // The request is written in this turn of the loop.
      setImmediate(begun.resolve);
      return true;
    };
    const sending = client.send(request(url, { timeoutMs: 2_000, departure: { begin, cut: never } }));
    await begun.promise;
    standStill();
    expect(await sending).toMatchObject({ kind: 'answer', status: 200 });
  });
});
