import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SignedIn } from '#test/demo/signed-in.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { post } from '#test/support/mcp/mcp-clients.ts';
import { openWholeServer } from '#test/support/server/auth-server.ts';

// The whole server with a deadline of one second, before a provider that hangs, or asks to wait for longer than that.

const answers = {
  hangs: () => {},
  'is down': (response: ServerResponse) => response.writeHead(503, { 'retry-after': '30' }).end(),
  'wants fewer requests': (response: ServerResponse) => response.writeHead(429, { 'retry-after': '30' }).end(),
};
let answer: (response: ServerResponse) => unknown = answers.hangs;
let requests: string[] = [];
const provider = createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`);
  answer(response);
});

let server: Awaited<ReturnType<typeof openWholeServer>>;
let person: SignedIn;
let token: string;

beforeAll(async () => {
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const address = z.custom<AddressInfo>().parse(provider.address());
  const SALES_CRM_URL = `http://127.0.0.1:${address.port}`;
  server = await openWholeServer({ TOOL_DEADLINE_MS: '1000', WEBHOOK_REGISTRATION: 'off', SALES_CRM_URL });
  person = await SignedIn.to(server.origin, ada);
  const extra = { plan: 'ultimate', seats: 100 };
  await person.call('POST', '/save', { service: 'sales_crm', auth_method: 'personal_token', access_token: 'k', extra });
  token = await accessToken(server);
});
beforeEach(() => {
  requests = [];
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  provider.closeAllConnections();
  provider.close();
});

const failureSchema = z.looseObject({ reason: z.string(), message: z.string() });

async function call(name: string, args: object) {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const { result } = z
    .object({ result: z.object({ isError: z.literal(true), structuredContent: failureSchema }) })
    .parse(await (await post(server.origin, message, { person: token })).json());
  return result.structuredContent;
}

describe('a call that somebody waits for', () => {
  it('ends at its deadline when the provider hangs, after one request (OP-019)', async () => {
    answer = answers.hangs;
    const message = expect.stringMatching(/did not answer within 1 s/);
    expect(await call('sales_crm_deals_list', {})).toMatchObject({ reason: 'unavailable', message });
    expect(requests).toHaveLength(1);
  });

  it('says of a change that it may have been made (OP-018, OP-019)', async () => {
    answer = answers.hangs;
    const failure = await call('sales_crm_deal_create', { title: 'A deal' });
    expect(failure).toMatchObject({ reason: 'unavailable', sent: 'unknown' });
    expect(requests).toHaveLength(1);
  });

  it('ends at its deadline over REST too (OP-019)', async () => {
    answer = answers.hangs;
    const call = person.call('POST', '/api/sales_crm/deals', { title: 'A deal' });
    await expect(call).rejects.toThrow(/502.*did not answer within 1 s.*"reason":"unavailable","sent":"unknown"/);
    expect(requests).toHaveLength(1);
  });

  it('does not begin a wait that would end after the deadline, and says what the provider answered (OP-019)', async () => {
    answer = answers['is down'];
    expect(await call('sales_crm_deals_list', {})).toMatchObject({ reason: 'unavailable', retryAfterMs: 30_000 });
    answer = answers['wants fewer requests'];
    expect(await call('sales_crm_deals_list', {})).toMatchObject({ reason: 'rate_limited', retryAfterMs: 30_000 });
    expect(requests).toHaveLength(2);
  });
});
