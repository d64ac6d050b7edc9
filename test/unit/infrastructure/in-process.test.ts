import { describe, expect, it } from 'vitest';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import type { HttpRequest } from '#infrastructure/http/http-messages.ts';
import type { InProcessRequest, InProcessServer } from '#infrastructure/http/in-process.ts';

const origin = 'http://there.invalid';
const request = (more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url: `${origin}/a`,
  headers: {},
  timeoutMs: 60_000,
  maxBytes: 1_000,
  ...more,
});
const answer = { status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from('there') };

function openClient(server: InProcessServer = async () => answer) {
  const http = new HttpClient(() => 0);
  http.answerInProcess(origin, server);
  return http;
}

describe('requests to a server of this process', () => {
  it('get its answer', async () => {
    expect(await openClient().send(request())).toEqual({ kind: 'answer', ...answer });
  });

  it('get it at once, without a promise, from a server that answers at once', () => {
    expect(openClient(() => answer).send(request())).toEqual({ kind: 'answer', ...answer });
  });

  it('get none, and reach no server, when they are cancelled already', () => {
    const reached: string[] = [];
    const http = openClient(({ target }) => {
      reached.push(target);
      return answer;
    });
    expect(http.send(request({ signal: AbortSignal.abort() }))).toMatchObject({ reason: 'aborted' });
    http.abort();
    expect(http.send(request())).toMatchObject({ reason: 'aborted' });
    expect(reached).toEqual([]);
  });

  it('bring what a request over a socket brings', async () => {
    const seen: InProcessRequest[] = [];
    const http = openClient(async (one) => {
      seen.push(one);
      return answer;
    });
    await http.send(
      request({ method: 'PUT', url: `${origin}/a/../b c/%2e?q=1#f`, headers: { 'If-Match': '*' }, body: 'é' }),
    );
    expect(seen).toEqual([
      { method: 'PUT', target: '/b%20c/?q=1', headers: { 'if-match': '*' }, body: Buffer.from('é') },
    ]);
  });

  const paths = [
    '/a/b.md',
    '/a/B%20c.md',
    '/a/.hidden',
    '/a/%2ehidden',
    '/a/%2E%2e/b',
    '/a/.%2e/b',
    '/a/%2e/b',
    '/a/b/..',
    '/a//b/',
    '/a b/ä',
    '/a?q=1#f',
    '',
  ];
  it.each(paths)('ask for %j as over a socket', async (path) => {
    const targets: string[] = [];
    const http = openClient(async ({ target }) => {
      targets.push(target);
      return answer;
    });
    const { pathname, search } = new URL(origin + path);
    await http.send(request({ url: origin + path }));
    expect(targets).toEqual([pathname + search]);
  });

  it('end as too large beyond their bound', async () => {
    expect(await openClient().send(request({ maxBytes: 4 }))).toMatchObject({ kind: 'error', reason: 'too_large' });
  });

  it('end at their deadline', async () => {
    const http = openClient(() => new Promise(() => {}));
    expect(await http.send(request({ timeoutMs: 1 }))).toMatchObject({ kind: 'error', reason: 'timeout' });
  });

  it('end when they are cancelled, before and meanwhile', async () => {
    const http = openClient(() => new Promise(() => {}));
    expect(await http.send(request({ signal: AbortSignal.abort() }))).toMatchObject({ reason: 'aborted' });
    const cancelling = new AbortController();
    const sent = http.send(request({ signal: cancelling.signal }));
    cancelling.abort();
    expect(await sent).toMatchObject({ reason: 'aborted' });
  });

  it('end when the client is told to break off', async () => {
    const http = openClient(() => new Promise(() => {}));
    const sent = http.send(request());
    http.abort();
    expect(await sent).toMatchObject({ reason: 'aborted' });
  });

  it('are tried again as others are', async () => {
    let asked = 0;
    const http = openClient(async () => {
      asked += 1;
      return asked === 1 ? { ...answer, status: 503 } : answer;
    });
    expect(await http.send(request(), { tries: 2, withinMs: 60_000 })).toMatchObject({ status: 200 });
  });

  it('do not get there from addresses that people give', async () => {
    const http = openClient().within('private');
    expect(await http.send(request())).toMatchObject({ kind: 'error' });
  });
});
