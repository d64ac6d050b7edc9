import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AnsweringHarness, openAnsweringHarness } from '#test/support/services/answering-harness.ts';
import { usualHead } from '#test/support/services/answering-provider.ts';

// Every error below /api has one shape, whatever refuses: problem JSON (RFC 9457) with a reason. Below /webhooks it is `{error}`.

let harness: AnsweringHarness;

beforeAll(async () => {
  harness = await openAnsweringHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

const problem = z.strictObject({
  type: z.literal('about:blank'),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  reason: z.string(),
  details: z.unknown().optional(),
});

type Sent = Omit<RequestInit, 'headers'> &
  Readonly<{ isSignedIn?: boolean; headers?: Readonly<Record<string, string>> }>;

async function send(path: string, init: Sent = {}) {
  const { isSignedIn = true, headers, ...rest } = init;
  const signedIn = isSignedIn ? { authorization: `Bearer ${harness.token}` } : {};
  return fetch(`${harness.server.origin}${path}`, { ...rest, headers: { ...signedIn, ...headers } });
}

const json = { 'content-type': 'application/json' };
const deals = '/api/sales_crm/deals';

describe('an error below /api is a problem with a reason (ERR-002)', () => {
  it.each<[number, string, string, Parameters<typeof send>[1]]>([
    [401, 'unauthorized', deals, { isSignedIn: false }],
    [401, 'unauthorized', '/api/nothing', { isSignedIn: false, headers: { accept: 'application/json' } }],
    [401, 'invalid_token', deals, { isSignedIn: false, headers: { authorization: 'Bearer wrong' } }],
    [403, 'forbidden', deals, { headers: { origin: 'https://evil.example' } }],
    [404, 'not_found', '/api', {}],
    [404, 'not_found', '/api/nothing', { headers: { accept: 'text/html' } }],
    [404, 'not_found', '/api/sales_crm/nothing', {}],
    [405, 'method_not_allowed', deals, { method: 'PUT' }],
    [405, 'method_not_allowed', '/api/connections', { method: 'POST' }],
    [400, 'invalid_input', deals, { method: 'POST', headers: json, body: '{"title":' }],
    [400, 'invalid_input', deals, { method: 'POST', headers: json, body: '[1,2]' }],
    [400, 'invalid_input', `${deals}?limit=x`, {}],
    [413, 'too_large', deals, { method: 'POST', headers: json, body: `{"title":"${'x'.repeat(1_100_000)}"}` }],
    [415, 'unsupported_media_type', deals, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' }],
  ])('%i %s: %s %j', async (status, reason, path, init) => {
    const answer = await send(path, init);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
    expect(problem.parse(await answer.json())).toMatchObject({ status, reason });
  });

  it('of one who is not signed in, too, but a browser is shown where to sign in', async () => {
    const answer = await send(deals, { isSignedIn: false, headers: { accept: 'text/html,*/*' } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8']);
    expect(await answer.text()).toContain('Authentication Required');
  });

  it('what is wrong with an input is told as details', async () => {
    const answer = await send('/api/tracker/issues?first=0');
    expect(problem.parse(await answer.json())).toMatchObject({
      details: [{ path: ['first'], message: '`first` must be at least 1, not 0.' }],
    });
  });
});

describe('an outcome over REST', () => {
  it('of a limit says when to come again: Retry-After in seconds (ERR-010)', async () => {
    harness.providers.sales_crm.head = { status: 429, headers: { 'retry-after': '3600' } };
    const answer = await send(`${deals}/1`);
    harness.providers.sales_crm.head = usualHead;
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '3600']);
    expect(problem.parse(await answer.json())).toMatchObject({ reason: 'rate_limited' });
  });

  it('that is a file is a download, whatever kind it says it is (REST-008)', async () => {
    harness.providers.sales_crm.head = { status: 200, headers: { 'content-type': 'text/html' } };
    const answer = await send('/api/sales_crm/files/1/download');
    harness.providers.sales_crm.head = usualHead;
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it.each([
    ['a number', `${deals}?limit=2`, `${deals}?limit=two`],
    ['a boolean', '/api/tracker/issues?includeArchived=true', '/api/tracker/issues?includeArchived=perhaps'],
    ['a list', '/api/tracker/issues?fields=title,id', '/api/tracker/issues?fields='],
  ])('takes text of the query as %s where the input wants one (REST-004)', async (_, fits, doesNotFit) => {
    for (const provider of Object.values(harness.providers)) provider.says = { data: [{ id: 'a', title: 'A' }] };
    expect((await send(fits)).status).toBe(200);
    const refused = await send(doesNotFit);
    expect([refused.status, problem.parse(await refused.json()).reason]).toEqual([400, 'invalid_input']);
  });
});

describe('an error below /webhooks is an error by its word (ERR-009)', () => {
  it.each<[number, string, string, Parameters<typeof send>[1]]>([
    [404, 'not_found', '/webhooks/vault', { method: 'POST' }],
    [404, 'not_found', '/webhooks/mail', { isSignedIn: false, headers: { accept: 'text/html' } }],
    [405, 'method_not_allowed', '/webhooks/tracker', { isSignedIn: false }],
    [401, 'unauthorized', '/webhooks/tracker', { method: 'POST', isSignedIn: false, body: '{}' }],
    [413, 'too_large', '/webhooks/tracker', { method: 'POST', body: 'x'.repeat(1_100_000) }],
  ])('%i %s: %s (HOOK-001)', async (status, error, path, init) => {
    const answer = await send(path, init);
    expect([answer.status, await answer.json()]).toEqual([status, { error }]);
  });
});
