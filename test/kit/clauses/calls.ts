import { contains, equal, holds, lacks, listAt, matches, member, status, textAt } from '#test/kit/checks.ts';
import { type Clause, contract, portolan, recommended } from '#test/kit/clause.ts';
import type { Received, Reply } from '#test/kit/emulators/emulator.ts';
import { callsIn } from '#test/kit/emulators/emulator.ts';
import type { Kit } from '#test/kit/kit.ts';

const needs = ['login', 'rest', 'service:sales_crm'] as const;
const deal = '/api/sales_crm/deals/41';
const isDeal = ({ path }: Received): boolean => path === '/api/v2/deals/41';

/** Calls while the next requests of the method for the deal are answered so; the emulator's table answers all others. */
async function calledWith(kit: Kit, method: string, body: unknown, ...replies: readonly Reply[]) {
  kit.emulator('sales_crm').script((sent) => isDeal(sent) && sent.method === method, ...replies);
  try {
    return await kit.arriving('sales_crm', () => kit.api(method, deal, body));
  } finally {
    kit.emulator('sales_crm').unscript();
  }
}

const problem = (code: number, message = 'no'): Reply => ({ status: code, body: { success: false, error: message } });
const soon: Reply = { status: 429, headers: { 'retry-after': '1' }, body: { success: false, error: 'slow down' } };

const reasons: readonly (readonly [code: number, reason: string, answered: number])[] = [
  [400, 'rejected', 422],
  [403, 'forbidden', 403],
  [404, 'not_found', 404],
  [409, 'conflict', 409],
];

/** Clauses on the outcome of calls: retries, refusals and failures. */
export const calls: readonly Clause[] = [
  contract(
    'OP-003/read',
    'after 429 a read is sent again when Retry-After has passed',
    async (kit) => {
      const { value, received } = await calledWith(kit, 'GET', undefined, soon);
      status(value, 200);
      equal(callsIn(received).length, 2, 'the number of calls');
      const pauseMs = (received[1]?.at ?? 0) - (received[0]?.at ?? 0);
      holds(pauseMs >= 950, 'a pause of the second that Retry-After names', `${Math.round(pauseMs)} ms`);
    },
    needs,
  ),
  contract(
    'OP-003/write',
    'after 429 a change is sent again, too',
    async (kit) => {
      const { value, received } = await calledWith(kit, 'PATCH', { status: 'won' }, soon);
      status(value, 200);
      equal(received.filter(({ method }) => method === 'PATCH').length, 2, 'the number of requests');
    },
    needs,
  ),
  contract(
    'OP-003/backoff',
    'after 429 without Retry-After the call is sent again with a growing pause',
    async (kit) => {
      const { value, received } = await calledWith(kit, 'GET', undefined, problem(429), problem(429));
      status(value, 200);
      equal(callsIn(received).length, 3, 'the number of calls');
    },
    needs,
  ),
  contract(
    'OP-003/bound',
    'a call that is answered 429 again and again ends, after a few requests',
    async (kit) => {
      const { value, received } = await calledWith(
        kit,
        'GET',
        undefined,
        ...Array.from({ length: 60 }, () => problem(429)),
      );
      holds(value.status >= 400, 'a failure', `${value.status} ${value.text}`);
      const most = kit.level === 'portolan' ? 5 : 20;
      const { length } = callsIn(received);
      holds(length <= most, `at most ${most} requests`, length);
    },
    needs,
  ),
  portolan(
    'OP-004/read',
    'after 503 a read is sent again',
    async (kit) => {
      const { value, received } = await calledWith(kit, 'GET', undefined, problem(503));
      status(value, 200);
      equal(callsIn(received).length, 2, 'the number of calls');
    },
    needs,
  ),
  portolan(
    'OP-004/write',
    'after 503 a change is not sent again',
    async (kit) => {
      const { value, received } = await calledWith(kit, 'PATCH', { status: 'won' }, problem(503));
      equal(member(value.json, 'reason'), 'unavailable', 'reason');
      equal(received.filter(({ method }) => method === 'PATCH').length, 1, 'the number of requests');
    },
    needs,
  ),
  portolan(
    'ERR-010',
    'a pause that is too long to wait for is rate_limited, with Retry-After',
    async (kit) => {
      const { value } = await calledWith(kit, 'GET', undefined, { ...soon, headers: { 'retry-after': '3600' } });
      status(value, 429);
      equal(member(value.json, 'reason'), 'rate_limited', 'reason');
      matches(value.header('retry-after'), /^(3600|35\d\d)$/, 'Retry-After');
    },
    needs,
  ),
  ...reasons.map(([code, reason, answered]) =>
    portolan(
      `ERR-003/${code}`,
      `${code} of a provider is ${answered} with the reason ${reason}`,
      async (kit) => {
        const { value } = await calledWith(kit, 'GET', undefined, problem(code));
        status(value, answered);
        equal(member(value.json, 'reason'), reason, 'reason');
      },
      needs,
    ),
  ),
  portolan(
    'ERR-002',
    'errors below /api are problem JSON with reason',
    async (kit) => {
      const answers = [
        await kit.api('GET', '/api/no_such_service/x'),
        await kit.api('GET', '/api/sales_crm/deals?no_such_input=1'),
        (await calledWith(kit, 'GET', undefined, problem(404))).value,
      ];
      for (const answer of answers) {
        matches(answer.header('content-type'), /^application\/problem\+json\b/, `${answer.asked}: the content type`);
        textAt(answer.json, 'reason');
      }
    },
    needs,
  ),
  portolan(
    'OP-001/input',
    'a call without what it needs sends nothing',
    async (kit) => {
      const { value, received } = await kit.arriving('sales_crm', () => kit.api('POST', '/api/sales_crm/deals', {}));
      equal(member(value.json, 'reason'), 'invalid_input', 'reason');
      contains(value.text, 'title', 'the answer');
      equal(callsIn(received), [], 'the calls:');
    },
    needs,
  ),
  portolan(
    'OP-006/no-json',
    'an answer that is no JSON breaks nothing',
    async (kit) => {
      const reply = { headers: { 'content-type': 'application/json' }, body: '<html>{"success":' };
      const { value } = await calledWith(kit, 'GET', undefined, reply, reply, reply, reply, reply);
      holds(value.status !== 500, 'no 500', value.text);
      status(await kit.api('GET', deal), 200);
    },
    needs,
  ),
  portolan(
    'OP-006/shape',
    'an answer of another shape breaks nothing',
    async (kit) => {
      for (const body of ['[]', 'null', '7', '{"success":true,"data":7}', '{"data":{"id":{"deep":[]}}}']) {
        const reply = { headers: { 'content-type': 'application/json' }, body };
        const { value } = await calledWith(kit, 'GET', undefined, reply);
        holds(value.status !== 500, `no 500 for ${body}`, value.text);
      }
    },
    needs,
  ),
  recommended(
    'OP-010',
    'a redirect of a provider is not followed with a credential',
    async (kit) => {
      const location = `${kit.emulator('signing').url}/stolen`;
      kit.emulator('sales_crm').script(isDeal, { status: 302, headers: { location } });
      const { received } = await kit.arriving('signing', () => kit.api('GET', deal));
      kit.emulator('sales_crm').unscript();
      const brought = received.map(
        ({ headers, query }) => `${headers['authorization'] ?? ''}${query.get('api_token') ?? ''}`,
      );
      equal(
        brought.filter((text) => text !== ''),
        [],
        'the credentials that went elsewhere',
      );
    },
    [...needs, 'service:signing'],
  ),
  portolan(
    'OP-010/outcome',
    'a redirect of a provider is no success',
    async (kit) => {
      const { value } = await calledWith(kit, 'GET', undefined, {
        status: 302,
        headers: { location: '/elsewhere' },
        body: { success: true, data: { id: 41 } },
      });
      equal(member(value.json, 'reason'), 'rejected', 'reason');
    },
    needs,
  ),
  portolan(
    'OP-012',
    'inputs nested more than 100 levels deep are refused',
    async (kit) => {
      const deep = JSON.parse(`${'{"a":'.repeat(150)}1${'}'.repeat(150)}`) as unknown;
      const { value, received } = await kit.arriving('sales_crm', () =>
        kit.api('POST', '/api/sales_crm/deals', { title: 'x', custom_fields: deep }),
      );
      holds(value.status >= 400 && value.status < 500, 'a refusal', `${value.status} ${value.text}`);
      equal(callsIn(received), [], 'the calls:');
    },
    needs,
  ),
  portolan(
    'OP-013',
    'text with half of a surrogate pair is refused by its place',
    async (kit) => {
      const headers = { authorization: `Bearer ${await kit.token()}`, 'content-type': 'application/json' };
      const body = '{"title":"half \\ud800"}';
      const { value, received } = await kit.arriving('sales_crm', () =>
        kit.send({ ...kit.routed('POST', '/api/sales_crm/deals'), headers, body }),
      );
      status(value, [400, 422]);
      contains(value.text, 'title', 'the answer');
      equal(callsIn(received), [], 'the calls:');
    },
    needs,
  ),
  recommended(
    'OP-014',
    'no outcome repeats a token, whatever the provider says',
    async (kit) => {
      const { accessToken } = kit.emulators.cloud.sales_crm.oauth;
      const { value } = await calledWith(kit, 'GET', undefined, problem(400, `Bad token ${accessToken} given`));
      lacks(value.text, accessToken, 'the answer');
    },
    needs,
  ),
  portolan(
    'OP-016',
    'fields of a list narrows its items',
    async (kit) => {
      const answer = await kit.api('GET', '/api/sales_crm/deals?fields=id,title');
      status(answer, 200);
      equal(Object.keys(Object(listAt(answer.json, 'data')[0])).sort(), ['id', 'title'], 'the members of an item');
    },
    needs,
  ),
  contract(
    'OP-002',
    'a list answers pagination with next and hasMore, and next goes back in',
    async (kit) => {
      const body = { success: true, data: [{ id: 1 }], additional_data: { pagination: { next_cursor: 'one' } } };
      kit.emulator('sales_crm').script(({ path }) => path === '/api/v2/products', { body });
      const first = await kit.api('GET', '/api/sales_crm/products?limit=1');
      const next = textAt(first.json, 'pagination', 'next');
      const last = await kit.api('GET', `/api/sales_crm/products?limit=1&cursor=${next}`);
      equal(member(last.json, 'pagination', 'hasMore'), false, 'hasMore');
    },
    needs,
  ),
];
