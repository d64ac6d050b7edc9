import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sendFailure } from '#adapters/http/answers/problem.ts';
import { refused } from '#adapters/mcp/results/tool-result.ts';
import { failed } from '#domain/operations/outcome.ts';
import { type AnsweringHarness, openAnsweringHarness } from '#test/support/services/answering-harness.ts';
import { usualHead } from '#test/support/services/answering-provider.ts';
import { openApiForm } from '#test/support/services/openapi-form.ts';

// Every error below /api has one shape, whatever refuses: problem JSON (RFC 9457) with a reason. Below /webhooks it is `{error}`.

let harness: AnsweringHarness;

beforeAll(async () => {
  harness = await openAnsweringHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

/** By hand, from the clauses ERR-003 and ERR-014. */
const reasons = `
  invalid_input not_connected forbidden unauthorized not_found gone conflict rate_limited rejected unavailable too_large
  approval_required declined expired
  invalid_token insufficient_scope method_not_allowed unsupported_media_type automation_user email_taken last_admin server_error
`
  .trim()
  .split(/\s+/);

const problem = z.strictObject({
  type: z.literal('about:blank'),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  reason: z.enum(reasons),
  retryAfterMs: z.int().optional(),
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
/** By hand, from RFC 9110 §15. */
const phrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
};
const deals = '/api/sales_crm/deals';

describe('an error below /api is a problem with a reason, titled by its status (ERR-002, ERR-016)', () => {
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
    expect(problem.parse(await answer.json())).toMatchObject({ status, reason, title: phrases[status] });
  });

  it('has one of the documented reasons (ERR-003, ERR-014)', async () => {
    const documented = z.looseObject({ enum: z.array(z.string()) });
    const { components } = openApiForm.parse(await (await send('/openapi.json')).json());
    const { reason } = z
      .looseObject({ properties: z.looseObject({ reason: documented }) })
      .parse(components.schemas['Problem']).properties;
    expect([...reason.enum].sort()).toEqual([...reasons].sort());
  });

  it.each([
    ['/save', '{"service":'],
    ['/save', 'null'],
    ['/save', '{"service":"tracker"}'],
    ['/connections/tracker/test', '{"'],
  ])('is also returned to a program for %s with the body %s (ERR-015)', async (path, body) => {
    const answer = await send(path, { method: 'POST', headers: json, body });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
    expect(problem.parse(await answer.json())).toMatchObject({ reason: 'invalid_input' });
  });

  it('is also returned to an anonymous program, while a browser is shown where to sign in', async () => {
    const answer = await send(deals, { isSignedIn: false, headers: { accept: 'text/html,*/*' } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8']);
    expect(await answer.text()).toContain('Authentication Required');
  });

  it('contains the errors of an input as details', async () => {
    const answer = await send('/api/tracker/issues?first=0');
    expect(problem.parse(await answer.json())).toMatchObject({
      details: [{ path: ['first'], message: '`first` must be at least 1, not 0.' }],
    });
  });
});

describe('a result over REST', () => {
  it('of a rate limit has Retry-After in seconds (ERR-010)', async () => {
    // The others are not asked again for a while after such an answer, so nothing else here asks this one.
    harness.providers.signing.head = { status: 429, headers: { 'retry-after': '3600' } };
    const answer = await send('/api/signing/documents/1');
    harness.providers.signing.head = usualHead;
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '3600']);
    expect(problem.parse(await answer.json())).toMatchObject({ reason: 'rate_limited', retryAfterMs: 3_600_000 });
  });

  it('of a rate limit has Retry-After, even if its service gives none (ERR-004, ERR-010)', async () => {
    const failure = failed('rate_limited', 'Too many.');
    const headers = new Map<string, string>();
    const visit = { set: (name: string, value: string) => void headers.set(name, value), body: '' };
    sendFailure(visit as never, failure);
    expect([headers.get('Retry-After'), JSON.parse(visit.body).retryAfterMs]).toEqual(['8', 8_000]);
    expect(refused(failure).structuredContent).toMatchObject({ reason: 'rate_limited', retryAfterMs: 8_000 });
  });

  it('that is a file is a download, whatever media type it claims (REST-008)', async () => {
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
  ])('reads text of the query as %s if the input requires one (REST-004)', async (_, fits, doesNotFit) => {
    for (const provider of Object.values(harness.providers)) provider.says = { data: [{ id: 'a', title: 'A' }] };
    expect((await send(fits)).status).toBe(200);
    const refused = await send(doesNotFit);
    expect([refused.status, problem.parse(await refused.json()).reason]).toEqual([400, 'invalid_input']);
  });
});

describe('an error below /webhooks has an error code (ERR-009)', () => {
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
