import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LiveCheck, limitHeaders } from '#adapters/services/credentials/live-check.ts';
import { liveResults } from '#adapters/services/credentials/live-checks.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';
import { salesCrmProvider } from '#test/support/services/providers.ts';

const record = tokenRecord('sales_crm', { accessToken: 'the-secret-token-of-ada', authMethod: 'personal_token' });

describe('a live check', () => {
  let server: LoopbackServer;
  let http: HttpClient;
  let seen: (readonly [string | undefined, string | undefined, string])[];
  let answer: Readonly<{ status?: number; headers?: Readonly<Record<string, string>>; body?: string }>;

  beforeEach(async () => {
    seen = [];
    answer = {};
    const take = async (request: IncomingMessage, response: ServerResponse) => {
      const { method, url, headers } = request;
      seen.push([`${method ?? ''} ${url ?? ''}`, String(headers['x-api-token'] ?? ''), await text(request)]);
      response.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? '{}');
    };
    server = await serveOnLoopback((request, response) => void take(request, response));
    http = new HttpClient();
  });
  afterEach(async () => {
    http.close();
    await server.close();
  });

  const asked = (...checks: readonly LiveCheck[]) => {
    const addresses = { authorizeUrl: null, tokenUrl: null };
    const provider = salesCrmProvider({ dialect: 'pipedrive', url: server.url, ...addresses });
    return liveResults({ ...provider, checks }, record, http);
  };
  const question = 'Is it so?';

  it('asks with the credentials of the connection, or with its token elsewhere, and only reads (CLI-006)', async () => {
    const token = record.accessToken;
    const ask: LiveCheck['ask'] = async (send, { authMethod }) => {
      const { status } = await send({ path: '/v1/users/me?a=1' });
      await send({ path: '/v1/users/me', tokenIn: 'api_token' });
      await send({ path: '/graphql', document: 'query { viewer { id } }' });
      return `yes (${status}, ${authMethod})`;
    };
    expect(await asked({ question, ask })).toEqual([{ question, answer: 'yes (200, personal_token)' }]);
    expect(seen).toEqual([
      ['GET /v1/users/me?a=1', token, ''],
      [`GET /v1/users/me?api_token=${token}`, '', ''],
      ['POST /graphql', token, '{"query":"query { viewer { id } }"}'],
    ]);
    const change: LiveCheck['ask'] = async (send) =>
      `${(await send({ path: '/', document: 'mutation { a }' })).status}`;
    expect(await asked({ question, ask: change })).toEqual([{ question, answer: 'unknown: A live check only reads.' }]);
    expect(seen).toHaveLength(3);
  });

  it('answers without secrets and control characters, in one line of limited length (CLI-006)', async () => {
    answer = { body: JSON.stringify({ said: `\u001b[31m${record.accessToken}\n${'x'.repeat(1_000)}` }) };
    const ask: LiveCheck['ask'] = async (send) => JSON.stringify(Object((await send({ path: '/' })).body).said);
    const [result] = await asked({ question, ask: async (send) => JSON.parse(await ask(send, record)) });
    expect(result?.answer).toMatch(/^ \[31m\[redacted\] x+$/);
    expect(result?.answer.length).toBe(300);
  });

  it('is unknown without an answer, and the others are asked all the same (CLI-006)', async () => {
    const broken = { question: 'Broken?', ask: () => Promise.reject(new Error('It is broken.')) };
    const results = await asked(broken, { question, ask: async (send) => `${(await send({ path: '/' })).status}` });
    expect(results).toEqual([
      { question: 'Broken?', answer: 'unknown: It is broken.' },
      { question, answer: '200' },
    ]);
  });

  it('lists the headers that state limits, with numbers only', async () => {
    answer = { status: 429, headers: { 'X-RateLimit-Reset': '2', 'Retry-After': 'a-secret', Date: 'today' } };
    expect(await asked(limitHeaders({ path: '/' }))).toMatchObject([
      { answer: 'retry-after: …, x-ratelimit-reset: 2 (it answered 429)' },
    ]);
    answer = {};
    expect(await asked(limitHeaders({ path: '/' }))).toMatchObject([{ answer: 'none (it answered 200)' }]);
  });
});
