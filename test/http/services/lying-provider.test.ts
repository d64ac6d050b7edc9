import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Provider } from '#adapters/services/definitions/provider.ts';
import { ConnectionLimits } from '#adapters/services/limits/connection-limits.ts';
import type { RequestRow } from '#adapters/services/requests/operation-table.ts';
import { isFileContent } from '#domain/operations/file-content.ts';
import { failed, type Outcome } from '#domain/operations/outcome.ts';
import { err, ok } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';
import { type Credentials, operationsOver } from '#test/support/services/operations-over.ts';
import { salesCrmProvider } from '#test/support/services/providers.ts';

const accessToken = 'the-access-token-of-the-user';
const refreshToken = 'the-refresh-token-of-the-user';
const maxBytes = 100_000;
const getDeal = { userId: 1, service: 'sales_crm', name: 'deals.get', input: { id: 1 } } as const;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

describe('a misbehaving provider', () => {
  let servers: LoopbackServer[];
  let requests: IncomingMessage[];
  let http: HttpClient;
  let kept: TokenRecord;
  let renewals: number;
  let produced: string[];

  beforeEach(() => {
    servers = [];
    requests = [];
    renewals = 0;
    produced = [];
    http = new HttpClient(() => 0);
    kept = tokenRecord('sales_crm', { authMethod: 'oauth', accessToken, refreshToken });
  });

  afterEach(async () => {
    http.close();
    for (const server of servers) await server.close();
    // Nothing that was produced in any of these tests has a token in it.
    const everything = produced.join('\n');
    for (const secret of [accessToken, refreshToken]) expect(everything).not.toContain(secret);
  });

  async function serve(listener: RequestListener): Promise<string> {
    const server = await serveOnLoopback(listener);
    servers.push(server);
    return server.url;
  }

  /** Where a foreign server is, and what it has been sent. */
  async function stranger(): Promise<Readonly<{ url: string; seen: string[] }>> {
    const seen: string[] = [];
    const url = await serve((request, response) => {
      seen.push(`${request.url ?? ''} ${JSON.stringify(request.headers)}`);
      response.writeHead(200, { 'content-type': 'application/pdf' }).end('the file');
    });
    return { url, seen };
  }

  const tokens = (renewed = 'the-renewed-token'): Credentials => ({
    find: async () => ok(kept),
    renew: async () => {
      renewals += 1;
      if (renewed === '') return err(failed('unauthorized', 'Connect it again.'));
      kept = { ...kept, accessToken: renewed };
      return ok(kept);
    },
  });

  /** Calls one operation of a server that answers so; the outcome, also written to a log with everything in it. */
  async function ask(
    answer: Answer,
    { name = 'deals.get', input = { id: 1 }, timeoutMs = 60_000, source = tokens(), signal }: Partial<Asking> = {},
  ): Promise<Outcome> {
    const url = await serve((request, response) => {
      requests.push(request);
      answer(request, response);
    });
    const provider = {
      ...salesCrmProvider({ dialect: 'neutral', url, authorizeUrl: null, tokenUrl: null }),
      timeoutMs,
      maxBytes,
      retries: { tries: 3, withinMs: 60_000 },
    };
    const operations = operationsOver({ providers: [provider], http, tokens: source });
    const call = { userId: 1, service: 'sales_crm', name, input } as const;
    const outcome = await operations.call(signal === undefined ? call : { ...call, signal });
    const logger = openLogger('trace', { write: (line: string) => void produced.push(line) });
    logger.info({ outcome }, 'An outcome');
    produced.push(JSON.stringify(outcome));
    return outcome;
  }
  type Asking = Readonly<{
    name: string;
    input: Readonly<Record<string, unknown>>;
    timeoutMs: number;
    source: Credentials;
    signal: AbortSignal;
  }>;

  const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  const unavailable = { ok: false, reason: 'unavailable' };

  describe('a misbehaving provider leads to a reason why there is no usable answer (OP-006)', () => {
    it.each<[string, Answer, string, number?]>([
      ['hangs', () => undefined, 'no whole answer within 200 ms', 200],
      [
        'drips',
        (_, response) => {
          const drip = setInterval(() => response.write(' '), 20);
          response.on('close', () => clearInterval(drip));
        },
        'no whole answer within 200 ms',
        200,
      ],
      [
        'announces more than it sends',
        (_, response) => {
          response.writeHead(200, { 'content-length': '5000' }).write('{"success":');
          setImmediate(() => response.destroy());
        },
        'The connection failed',
      ],
      ['closes without an answer', (request) => request.socket.destroy(), 'The connection failed'],
      [
        'answers with HTML',
        (_, response) => response.writeHead(200).end('<html>Sign in</html>'),
        'something that is not JSON',
      ],
      [
        'answers with half JSON',
        (_, response) => response.writeHead(200).end('{"success":true,"data":'),
        'something that is not JSON',
      ],
      ['sends what is no HTTP', (request) => request.socket.end('SSH-2.0-OpenSSH_9.2\r\n'), 'The connection failed'],
      [
        'floods with headers',
        (_, response) => response.writeHead(200, { 'x-flood': 'x'.repeat(200_000) }).end('{}'),
        'The connection failed',
      ],
      [
        'says gzip and sends something else',
        (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain'),
        'The connection failed',
      ],
    ])('%s', async (_, answer, said, timeoutMs) => {
      const outcome = await ask(answer, timeoutMs === undefined ? {} : { timeoutMs });
      expect(outcome).toMatchObject({ ...unavailable, message: expect.stringContaining(said) });
    });
  });

  it('is read up to the announced length of an answer', async () => {
    const outcome = await ask((request) => {
      request.socket.end(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 14\r\n\r\n{"data":[1,2]}{"data":"smuggled"}',
      );
    });
    expect(JSON.stringify(outcome)).not.toContain('smuggled');
  });

  it.each(['deals.get', 'deals.list'])(
    'cannot exceed the bound by a gzip bomb, by its decompressed size: %s (OP-011)',
    async (name) => {
      const input = name === 'deals.get' ? { id: 1 } : {};
      const unpackingTo = (bytes: number) => {
        const text = `{"success":true,"data":${name === 'deals.get' ? '{}' : '[]'}}`;
        const bomb = gzipSync(text.padEnd(bytes));
        expect(bomb.byteLength).toBeLessThan(maxBytes);
        return ask((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb), { name, input });
      };
      expect(await unpackingTo(maxBytes)).toMatchObject({ ok: true });
      expect(await unpackingTo(maxBytes + 1)).toMatchObject({ ok: false, reason: 'too_large' });
      expect(await unpackingTo(200 * maxBytes)).toMatchObject({ ok: false, reason: 'too_large' });
    },
  );

  describe("a misbehaving provider never gets another provider's token (OP-010)", () => {
    it.each([301, 302, 303, 307, 308])('because a redirect (%i) is not followed, but reported', async (status) => {
      const other = await stranger();
      const outcome = await ask((_, response) => response.writeHead(status, { location: `${other.url}/steal` }).end());
      expect(outcome).toMatchObject({ ok: false, reason: 'rejected', message: expect.stringContaining('redirect') });
      expect(other.seen).toEqual([]);
    });

    it('because a file elsewhere over plain http is not fetched (OP-015)', async () => {
      const other = await stranger();
      const outcome = await ask((_, response) => response.writeHead(302, { location: `${other.url}/file` }).end(), {
        name: 'files.download',
      });
      expect(outcome).toMatchObject({ ok: false, reason: 'rejected' });
      expect(other.seen).toEqual([]);
    });

    it('because a file at the provider’s own address is fetched without credentials, with one redirect at most (OP-015)', async () => {
      const seen: string[] = [];
      const outcome = await ask(
        (request, response) => {
          seen.push(`${request.url ?? ''} ${request.headers.authorization ?? 'nothing'}`);
          if (request.url === '/stored/7') response.end('the file');
          else response.writeHead(302, { location: '/stored/7' }).end();
        },
        { name: 'files.download' },
      );
      if (!outcome.ok || !isFileContent(outcome.data)) throw new Error(JSON.stringify(outcome));
      expect(seen).toEqual([`/v1/files/1/download Bearer ${accessToken}`, '/stored/7 nothing']);
      for await (const _ of outcome.data.bytes);
      const loop = await ask((_, response) => response.writeHead(302, { location: '/again' }).end(), {
        name: 'files.download',
      });
      expect(loop).toMatchObject({ ok: false, reason: 'rejected' });
      expect(requests.filter(({ url }) => url === '/again')).toHaveLength(1);
    });
  });

  describe('a 401', () => {
    it('leads to one renewal and one repetition (OP-005)', async () => {
      const outcome = await ask((request, response) => {
        const isNew = request.headers.authorization === 'Bearer the-renewed-token';
        json(response, isNew ? 200 : 401, isNew ? { success: true, data: { id: 1 } } : { success: false });
      });
      expect([outcome.ok, renewals, requests.length]).toEqual([true, 1, 2]);
    });

    it('that persists is `unauthorized` after one renewal, and the next calls cost no renewal (OP-005)', async () => {
      const url = await serve((_, response) => json(response, 401, { success: false }));
      const provider = salesCrmProvider({ dialect: 'neutral', url, authorizeUrl: null, tokenUrl: null });
      let now = 0;
      const operations = operationsOver({ providers: [provider], http, tokens: tokens(), clock: { now: () => now } });
      const call = () => operations.call(getDeal);
      for (let count = 0; count < 4; count += 1)
        expect(await call()).toMatchObject({ ok: false, reason: 'unauthorized' });
      expect(renewals).toBe(1);
      now += 60_000;
      await call();
      expect(renewals).toBe(2);
    });

    it('after a success leads to another renewal, however soon', async () => {
      let takes: readonly string[] = [];
      const url = await serve((request, response) => {
        const isGood = takes.includes(request.headers.authorization ?? '');
        json(response, isGood ? 200 : 401, { success: isGood, data: { id: 1 } });
      });
      const provider = salesCrmProvider({ dialect: 'neutral', url, authorizeUrl: null, tokenUrl: null });
      const refused: string[] = [];
      const source: Credentials = { ...tokens(), refused: async ({ accessToken: token }) => void refused.push(token) };
      const operations = operationsOver({ providers: [provider], http, tokens: source, clock: { now: () => 0 } });
      const call = () => operations.call(getDeal);
      expect(await call()).toMatchObject({ ok: false, reason: 'unauthorized' });
      expect(refused).toEqual(['the-renewed-token']);
      takes = ['Bearer the-renewed-token'];
      expect(await call()).toMatchObject({ ok: true });
      takes = [];
      await call();
      expect(renewals).toBe(2);
    });

    it('for a connection that cannot be renewed says what to do', async () => {
      const outcome = await ask((_, response) => json(response, 401, {}), { source: tokens('') });
      expect(outcome).toMatchObject({ ok: false, reason: 'unauthorized', message: 'Connect it again.' });
    });

    it('for a streamed file is not answered with half a file', async () => {
      const file = {
        kind: 'file',
        name: 'a.txt',
        mediaType: 'text/plain',
        size: 4,
        bytes: (async function* () {
          yield Buffer.from('once');
        })(),
      };
      const outcome = await ask(
        (request, response) => {
          request.resume().on('end', () => json(response, 401, {}));
        },
        { name: 'files.upload', input: { file } },
      );
      expect(outcome).toMatchObject({ ...unavailable, message: expect.stringContaining('upload it again') });
      expect([requests.length, renewals]).toEqual([1, 1]);
    });
  });

  describe('a 429, 5xx or 410', () => {
    it.each([
      ['with Retry-After', { 'retry-after': '0' }],
      ['without', {}],
    ])('is retried a bounded number of times: 429 %s', async (_, headers) => {
      const outcome = await ask((_request, response) => json(response, 429, {}, headers), {
        name: 'deals.create',
        input: { title: 'A' },
      });
      expect(outcome).toMatchObject({ ok: false, reason: 'rate_limited' });
      expect(requests).toHaveLength(3);
    });

    it('with a long Retry-After is reported at once, with the wait (ERR-004)', async () => {
      const outcome = await ask((_, response) => json(response, 429, {}, { 'retry-after': '3600' }));
      expect(outcome).toMatchObject({ ok: false, reason: 'rate_limited', retryAfterMs: 3_600_000 });
      expect(requests).toHaveLength(1);
    });

    it.each([
      ['deals.create', { title: 'A' }, 1],
      ['deals.update', { id: 1, title: 'A' }, 1],
      ['deals.get', { id: 1 }, 3],
      ['deals.delete', { id: 1 }, 3],
    ] as const)('is retried if it may be: 503 to %s: %j is sent %i times (OP-004)', async (name, input, times) => {
      const outcome = await ask((_, response) => json(response, 503, {}), { name, input });
      expect(outcome).toMatchObject(unavailable);
      expect(requests).toHaveLength(times);
    });

    it('is not a broken connection after a POST was sent, which is not repeated (OP-004)', async () => {
      const outcome = await ask((request) => request.socket.destroy(), { name: 'deals.create', input: { title: 'A' } });
      expect(outcome).toMatchObject(unavailable);
      expect(requests).toHaveLength(1);
    });

    it('is `gone` if it is 410', async () => {
      expect(await ask((_, response) => json(response, 410, {}))).toMatchObject({ ok: false, reason: 'gone' });
    });
  });

  describe('a token does not occur in a result (OP-014)', () => {
    it.each([400, 403, 404, 500])('if an error (%i) repeats it', async (status) => {
      const outcome = await ask((request, response) => {
        const sent = String(request.headers.authorization);
        json(response, status, {
          success: false,
          error: `bad ${sent}`,
          error_info: encodeURIComponent(sent),
          data: sent,
        });
      });
      expect(outcome.ok).toBe(false);
      expect(JSON.stringify(outcome)).toContain('[redacted]');
    });

    it('if a success repeats it', async () => {
      const outcome = await ask((request, response) =>
        json(response, 200, {
          success: true,
          data: { id: 1, note: `you sent ${String(request.headers.authorization)}` },
        }),
      );
      expect(outcome).toMatchObject({ ok: true, data: { note: 'you sent Bearer [redacted]' } });
    });

    it('if the answer is not JSON, or a redirect to an address with it', async () => {
      await ask((request, response) => response.end(`<p>${String(request.headers.authorization)}`));
      await ask((request, response) =>
        response.writeHead(302, { location: `/?t=${String(request.headers.authorization)}` }).end(),
      );
    });

    it('if it is the personal token in the address', async () => {
      kept = { ...kept, authMethod: 'personal_token' };
      const outcome = await ask((request, response) =>
        json(response, 400, { success: false, error: `GET ${request.url}` }),
      );
      expect(JSON.stringify(outcome)).toContain('api_token=[redacted]');
      await ask((request) => request.socket.destroy());
    });
  });

  it('a call that is cancelled while it waits for the provider ends (MCP-011)', async () => {
    const cancel = new AbortController();
    const outcome = await ask(() => cancel.abort(), { signal: cancel.signal });
    expect(outcome).toMatchObject({ ...unavailable, message: expect.stringContaining('cancelled') });
  });

  it('an exhausted rate limit is reported with the wait, and nothing is sent (LIMIT-001)', async () => {
    const url = await serve((request, response) => {
      requests.push(request);
      json(response, 200, { success: true, data: {} }, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '60' });
    });
    const provider = salesCrmProvider({ dialect: 'neutral', url, authorizeUrl: null, tokenUrl: null });
    const limits = new ConnectionLimits({ maxWaitMs: 0 });
    const operations = operationsOver({ providers: [provider], http, tokens: tokens(), limits });
    const call = () => operations.call(getDeal);
    expect(await call()).toMatchObject({ ok: true });
    expect(await call()).toMatchObject({ ok: false, reason: 'rate_limited', retryAfterMs: expect.any(Number) });
    expect(requests).toHaveLength(1);
  });

  it('an unknown plan refuses nothing for a day, but the provider’s own refusal does, with its wait (LIMIT-013, OP-003)', async () => {
    let isRefusing = false;
    const url = await serve((request, response) => {
      requests.push(request);
      if (isRefusing) json(response, 429, { success: false }, { 'retry-after': '86400' });
      else json(response, 200, { success: true, data: [] });
    });
    const provider = salesCrmProvider({ dialect: 'pipedrive', url, authorizeUrl: null, tokenUrl: null });
    kept = { ...kept, authMethod: 'personal_token' };
    const limits = new ConnectionLimits({ pause: async () => {} });
    const budgets = provider.dialect.budgets?.(rowOf(provider, 'deals.merge'), kept, {}) ?? [];
    const daily = budgets.filter(({ windowMs }) => windowMs >= 3_600_000);
    for (let count = 0; count < 2_000; count += 1) expect(await limits.take('1:sales_crm', daily)).toBeNull();

    const operations = operationsOver({ providers: [provider], http, tokens: tokens(), limits });
    const call = () => operations.call(getDeal);
    expect(await call()).toMatchObject({ ok: true });
    isRefusing = true;
    expect(await call()).toMatchObject({ ok: false, reason: 'rate_limited', retryAfterMs: 86_400_000 });
    expect(requests).toHaveLength(2);
  });
});

function rowOf({ operations }: Provider, name: string): RequestRow {
  const row = operations[name];
  if (row?.kind !== 'request') throw new Error(`${name} is no row.`);
  return row;
}
