import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { catalogOf } from '#adapters/services/catalog.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { providersFrom } from '#bootstrap/modules/providers.ts';
import { contractTools } from '#test/support/mcp/contract-tools.ts';
import { post } from '#test/support/mcp/mcp-clients.ts';
import { leastArguments } from '#test/support/mcp/tool-arguments.ts';
import { type AnsweringHarness, openAnsweringHarness } from '#test/support/services/answering-harness.ts';

// What does not fit is refused in one way, wherever it is given: by its place, with what is accepted and what was probably meant.

let harness: AnsweringHarness;
beforeAll(async () => {
  harness = await openAnsweringHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

const problem = z.looseObject({
  status: z.literal(400),
  reason: z.literal('invalid_input'),
  detail: z.string(),
  details: z.array(
    z.looseObject({
      path: z.array(z.string()),
      message: z.string(),
      known: z.array(z.string()).optional(),
      nearest: z.string().nullish(),
    }),
  ),
});

/** Sends JSON as the administrator in a browser. */
async function send(method: string, path: string, body?: string) {
  const answer = await harness.person.fetch(path, {
    method,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: body ?? null,
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

const users = ['POST', '/api/users'] as const;
const ada = ['PATCH', '/api/users/1'] as const;
const switches = ['PUT', '/api/switches'] as const;
const setup = ['PUT', '/api/setup/tracker'] as const;
const tokens = ['POST', '/api/account/tokens'] as const;
const save = ['POST', '/save'] as const;
const permissions = ['sales_crm', 'signing', 'suite_crm', 'tracker', 'vault'];

describe('the body of a JSON route', () => {
  /** By hand: the route, its body, the place that is named, and the nearest name. */
  it.each<[readonly [string, string], string, string, string | null]>([
    [users, '{}', 'email', null],
    [users, '{"email":"a@b.co","permissions":["nope"]}', 'permissions.0', null],
    [users, '{"email":"a@b.co","permissions":["vault","trackr"]}', 'permissions.1', 'tracker'],
    [users, '{"email":"a@b.co","permissions":["constructor"]}', 'permissions.0', null],
    [users, '{"email":"a@b.co","permissions":["__proto__"]}', 'permissions.0', null],
    [users, '{"email":"a@b.co","permissions":"vault"}', 'permissions', null],
    [users, '{"email":"a@b.co","permission":["vault"]}', 'permission', 'permissions'],
    [users, '{"email":"nobody"}', 'email', null],
    [users, '{"email":""}', 'email', null],
    [users, '{"email":["a@b.co"]}', 'email', null],
    [users, '{"email":"a@b.co","admin":"yes"}', 'admin', null],
    [users, '{"email":"a@b.co","__proto__":{"admin":true}}', '__proto__', null],
    [users, '{"email":"a@b.co","toString":1}', 'toString', null],
    [users, '{"email":"a\\ud800@b.co"}', 'email', null],
    [ada, '{"permissions":["vault","trackr"]}', 'permissions.1', 'tracker'],
    [ada, '{"isAdmin":false}', 'isAdmin', 'admin'],
    [ada, '{"constructor":1}', 'constructor', null],
    [ada, '{"active":1}', 'active', null],
    [switches, '{"off":["nope"]}', 'off.0', null],
    [switches, '{"off":["vault:*read","vault:*rite"]}', 'off.1', 'vault:*write'],
    [switches, '{"off":["constructor"]}', 'off.0', null],
    [switches, '{"off":[""]}', 'off.0', null],
    [switches, '{"off":[1]}', 'off.0', null],
    [switches, '{"off":"vault:*read"}', 'off', null],
    [switches, '{"on":[]}', 'on', 'off'],
    [switches, '{}', 'off', null],
    [switches, '{"off":[],"__proto__":1}', '__proto__', null],
    [tokens, '{}', 'name', null],
    [tokens, '{"name":""}', 'name', null],
    [tokens, '{"name":"a","days":31}', 'days', null],
    [tokens, '{"name":"a","days":0}', 'days', null],
    [tokens, '{"name":"a","services":["trackr"]}', 'services.0', 'tracker'],
    [tokens, '{"name":"a","access":"x"}', 'access', null],
    [tokens, '{"name":"a","service":[]}', 'service', 'services'],
    [tokens, '{"name":"a","__proto__":1}', '__proto__', null],
    [setup, '{"client_secrt":"x"}', 'client_secrt', 'client_secret'],
    [setup, '{"client_id":1}', 'client_id', null],
    [setup, '{"client_id":""}', 'client_id', null],
    [setup, '{"client_id":"a","__proto__":1}', '__proto__', null],
    [setup, '{"url":"http://127.0.0.1"}', 'url', null],
    [save, '{"service":"mail","auth_method":"api_key","access_token":"k"}', 'service', null],
    [save, '{"service":"trackr","auth_method":"api_key","access_token":"k"}', 'service', 'tracker'],
    [save, '{"service":"tracker","auth_method":"key","access_token":"k"}', 'auth_method', null],
    [save, '{"service":"tracker","auth_method":"api_key","access_token":"k","__proto__":1}', '__proto__', null],
    [save, '{"service":"tracker","auth_method":"api_key"}', 'access_token', null],
    [['POST', '/disconnect'], '{"service":"toString"}', 'service', null],
    [['POST', '/disconnect'], '[]', '', null],
  ])('%j %s is rejected with the name %s (ERR-011)', async ([method, path], body, place, near) => {
    const answer = await send(method, path, body);
    const { details, detail } = problem.parse(answer.body);
    const named = details.find((one) => one.path.join('.') === place);
    expect([answer.status, details.map((one) => one.path.join('.'))]).toEqual([400, expect.arrayContaining([place])]);
    expect(named?.nearest ?? null).toBe(near);
    if (near !== null) expect(named?.message).toContain(near);
    expect(detail).not.toMatch(/Invalid input|Unrecognized|✖/);
  });

  it('is rejected with the known permissions and switches (ERR-011)', async () => {
    const { details } = problem.parse((await send(...ada, '{"permissions":["nope"]}')).body);
    expect(details[0]?.known).toEqual(permissions);
    const { details: ofSwitches } = problem.parse((await send(...switches, '{"off":["nope"]}')).body);
    expect(ofSwitches[0]?.known).toEqual(expect.arrayContaining(['vault:*read', 'tracker:*write']));
  });

  it('changes nothing if a part of it is invalid (USER-018)', async () => {
    const before = (await send('GET', '/api/users')).body;
    const answers = [
      await send(...ada, '{"permissions":["vault","trackr"]}'),
      await send(...users, '{"email":"carl@example.com","permissions":["vault","nope"]}'),
      await send(...switches, '{"off":["vault:*read","nope"]}'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect((await send('GET', '/api/users')).body).toEqual(before);
    expect((await send('GET', '/api/switches')).body).toEqual({ off: [] });
  });

  it('treats null as not given (ERR-013)', async () => {
    expect(await send(...ada, '{"permissions":null,"admin":null,"active":true}')).toMatchObject({
      status: 200,
      body: { permissions, admin: true, active: true },
    });
  });
});

describe('an id in a path, which has one spelling', () => {
  it.each(['01', '1e0', '+1', '%201', '1.0', '0x1', 'constructor'])('%s is not a user (USER-019)', async (id) => {
    expect(await send('PATCH', `/api/users/${id}`, '{"admin":false}')).toMatchObject({
      status: 404,
      body: { reason: 'not_found' },
    });
  });

  it.each(['01', '1e0', '+1', '0x1', '1.0', 'toString'])('%s is not a record of a service (REST-015)', async (id) => {
    const before = sent();
    const answer = await fetch(`${harness.server.origin}/api/sales_crm/deals/${id}`, {
      headers: { authorization: `Bearer ${harness.token}` },
    });
    expect(problem.parse(await answer.json()).details.map(({ path }) => path)).toEqual([['id']]);
    expect(sent()).toBe(before);
  });
});

describe('the query of a JSON route', () => {
  it.each([
    ['/api/activity?day=garbage', 'day', null],
    ['/api/activity?day=2026-02-30', 'day', null],
    ['/api/activity?servce=tracker', 'servce', 'service'],
    ['/api/activity?service=trackr', 'service', 'tracker'],
    ['/api/activity?service=', 'service', null],
    ['/api/activity?service=constructor', 'service', null],
    ['/api/activity?service=vault&service=tracker', 'service', null],
    ['/api/activity?limit=abc', 'limit', null],
    ['/api/activity?before=abc', 'before', null],
    ['/api/activity?before=01', 'before', null],
    ['/api/activity?before=1e3', 'before', null],
    ['/api/activity?before=-1', 'before', null],
    ['/api/activity?of=al', 'of', 'all'],
    ['/api/activity?of=all&user=99', 'user', null],
    ['/api/activity?user=99', 'user', null],
    ['/api/activity?app=nobody', 'app', null],
    ['/api/activity?app=', 'app', null],
    ['/api/activity?__proto__=1', '__proto__', null],
    ['/api/activity?constructor=1', 'constructor', null],
    ['/api/users?email=ada', 'email', null],
    ['/api/switches?service=vault', 'service', null],
    ['/api/apps?toString=1', 'toString', null],
    ['/api/connections?service=tracker', 'service', null],
  ])('%s is refused, and names %s (ERR-011, REST-013)', async (path, place, near) => {
    const { status, body } = await send('GET', path);
    const { details } = problem.parse(body);
    expect([status, details.map((one) => one.path.join('.'))]).toEqual([400, [place]]);
    expect(details[0]?.nearest ?? null).toBe(near);
  });

  it.each([
    ['POST', '/api/users?x=1', '{"email":"eve@example.com"}'],
    ['PATCH', '/api/users/1?admin=false', '{}'],
    ['PUT', '/api/switches?x=1', '{"off":["vault:*read"]}'],
  ])('of %s %s accepts no parameters, and does nothing with them (REST-013)', async (method, path, body) => {
    const before = [await send('GET', '/api/users'), await send('GET', '/api/switches')];
    expect((await send(method, path, body)).status).toBe(400);
    expect([await send('GET', '/api/users'), await send('GET', '/api/switches')]).toEqual(before);
  });
});

describe('the query of a page', () => {
  it.each([
    ['/activity?day=garbage', '“day” must be a day like 2026-01-31, not the text &quot;garbage&quot;.'],
    ['/activity?servce=tracker', 'There is no argument “servce”; did you mean “service”?'],
    ['/activity?service=trackr', 'Did you mean &quot;tracker&quot;?'],
    ['/activity?app=nobody', 'There is no activity of an app &quot;nobody&quot;.'],
    ['/activity?of=all&user=99', 'There is no user 99.'],
    ['/activity?service=vault&service=tracker', '“service” is given 2 times: give it once.'],
    ['/activity?servce=', 'There is no argument “servce”; did you mean “service”?'],
    ['/deliveries?stat=', 'did you mean “state”?'],
    ['/connect/sales_crm?foo=', 'There is no argument “foo”.'],
    ['/audit?action=user.invted', 'Did you mean &quot;user.invited&quot;?'],
    ['/audit?usr=1', 'There is no argument “usr”; did you mean “user”?'],
    ['/activity?constructor=1', 'There is no argument “constructor”.'],
    ['/deliveries?state=nonsense', '“state” must be one of'],
    ['/deliveries?from=soon', '“from” must be a day like 2026-01-31'],
    ['/deliveries?service=toString', '“service” must be one of'],
    ['/deliveries?before=0x10', '“before” must be a whole number, not the text &quot;0x10&quot;'],
    ['/deliveries?__proto__=1', 'There is no argument “__proto__”.'],
    ['/deliveries?stat=dead', 'did you mean “state”?'],
    ['/connect/sales_crm?foo=1', 'There is no argument “foo”. It takes “company_domain”'],
    ['/connect/sales_crm?constructor=1', 'There is no argument “constructor”.'],
    ['/connect/sales_crm?seats=1&seats=2', 'is given 2 times: give it once.'],
    ['/connect/sales_crm?seats=many', 'The number of seats must be a whole number'],
  ])('%s is refused in a sentence, and lists nothing (ERR-012)', async (path, line) => {
    const answer = await harness.person.fetch(path, { headers: { accept: 'text/html' }, redirect: 'manual' });
    const html = await answer.text();
    expect([answer.status, html]).toEqual([400, expect.stringContaining(line)]);
    expect(html).not.toContain('<tbody>');
  });

  it('may leave fields empty, as a form does (ERR-012)', async () => {
    for (const path of ['/activity?of=all&user=&service=&app=&day=', '/deliveries?q=&service=&from=&to=']) {
      expect((await harness.person.fetch(path, { headers: { accept: 'text/html' } })).status, path).toBe(200);
    }
  });
});

const catalog = catalogOf(providersFrom(readSettings({})));
const sent = () => Object.values(harness.providers).reduce((sum, { requests }) => sum + requests, 0);
const ajv = new AjvJsonSchemaValidator();

/** The full schema of a tool's arguments. */
function schemaOf(tool: string) {
  const { inputSchema = {} } = catalog.operations.find((operation) => operation.tool === tool) ?? {};
  return z.object({ properties: z.record(z.string(), z.looseObject({})) }).parse(inputSchema).properties;
}

/** The inputs of a tool, each with a value that its schema does not take; those that take anything are left out. */
function wrongValues(tool: string): readonly (readonly [string, unknown])[] {
  return Object.entries(schemaOf(tool)).flatMap(([name, schema]) => {
    const fits = ajv.getValidator(schema);
    const wrong = [{ zqxjk: 1 }, ['zqxjk', 7], 'zqxjk', 1.5, true].find((value) => !fits(value).valid);
    return wrong === undefined ? [] : [[name, wrong]];
  });
}

async function call(name: string, args: object) {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const answer = await post(harness.server.origin, message, { person: harness.token });
  return z
    .looseObject({ result: z.unknown(), error: z.unknown() })
    .partial()
    .parse(await answer.json());
}

describe('an argument of another type', () => {
  it.each(Object.keys(leastArguments))('is reported by %s under the name it was sent with (ERR-011)', async (tool) => {
    const before = sent();
    for (const [name, value] of wrongValues(tool)) {
      const { result } = await call(tool, { ...leastArguments[tool], [name]: value });
      const { structuredContent } = z
        .looseObject({ structuredContent: z.looseObject({ details: problem.shape.details }) })
        .parse(result);
      const named = structuredContent.details.map(({ path }) => path[0]);
      expect([tool, structuredContent['reason'], named]).toEqual([
        tool,
        'invalid_input',
        expect.arrayContaining([name]),
      ]);
    }
    expect(sent()).toBe(before);
  });
});

describe('a body that is not an object', () => {
  it.each(['null', '[]', '1', '"text"'])('is rejected everywhere, and nothing is sent: %s (ERR-011)', async (body) => {
    const before = sent();
    const headers = { authorization: `Bearer ${harness.token}`, 'content-type': 'application/json' };
    for (const path of [
      '/api/signing/documents',
      '/api/sales_crm/files',
      '/api/sales_crm/deals',
      '/api/tracker/issues',
    ]) {
      const answer = await fetch(`${harness.server.origin}${path}`, { method: 'POST', headers, body });
      expect([path, answer.status]).toEqual([path, 400]);
      expect(Object(await answer.json()).detail).toMatch(/must be (?:an|a JSON) object/);
    }
    expect(sent()).toBe(before);
  });
});

describe('an argument under its alternative name', () => {
  it.each([
    ['tracker_issue_create', { title: 'A', teamId: 1 }, 'teamId'],
    ['tracker_project_create', { name: 'A', teamIds: 'ENG' }, 'teamIds'],
    ['tracker_issue_update', { id: 1, title: 'A' }, 'id'],
    ['tracker_document_create', { title: 'A', projectId: [] }, 'projectId'],
    ['tracker_project_update', { id: 'p', leadId: {} }, 'leadId'],
  ])('is reported by %s %j under the name it was sent with (ERR-011)', async (tool, args, name) => {
    const { result } = await call(tool, args);
    const { details } = problem.pick({ details: true }).parse(Object(Object(result).structuredContent));
    expect(details.map(({ path }) => path)).toEqual([[name]]);
    expect(details[0]?.message).toMatch(new RegExp(`^\\\`${name}\\\` `));
  });

  it('is accepted if the other one is null (ERR-013)', async () => {
    const { result } = await call('tracker_issue_create', { title: 'A', team: 'ENG', teamId: null });
    expect(Object(Object(result).structuredContent).reason).not.toBe('invalid_input');
  });
});

describe('an optional argument that is null', () => {
  it.each(Object.keys(leastArguments))('counts as absent for %s (ERR-013)', async (tool) => {
    const given = leastArguments[tool] ?? {};
    const names = Object.keys(schemaOf(tool)).filter((name) => !Object.hasOwn(given, name));
    const nulls = Object.fromEntries(names.map((name) => [name, null]));
    const { result } = await call(tool, { ...given, ...nulls });
    const details = z
      .array(problem.shape.details.element)
      .parse(Object(Object(result).structuredContent).details ?? []);
    expect(details.filter(({ path: [input] }) => names.includes(String(input)))).toEqual([]);
  });
});

describe('an unknown tool', () => {
  it.each([
    ['sales_crm_deals_lst', 'sales_crm_deals_list'],
    ['Vault_Note_Read', 'vault_note_read'],
    ['constructor', null],
    ['__proto__', null],
    ['', null],
  ])('%s is rejected with the nearest one, %s (MCP-032)', async (name, near) => {
    const { error } = await call(name, {});
    const { message, data } = z
      .looseObject({ message: z.string(), data: z.looseObject({ known: z.array(z.string()), nearest: z.unknown() }) })
      .parse(error);
    expect(message).toBe(near === null ? `Unknown tool: ${name}` : `Unknown tool: ${name}. Did you mean ${near}?`);
    expect(data.nearest).toBe(near);
    expect(data.known).toEqual(expect.arrayContaining([...contractTools]));
  });
});

describe('a choice of unknown tools', () => {
  const list = { jsonrpc: '2.0', id: 7, method: 'tools/list' };

  it.each([
    ['?service=tracker', {}, 'service', 'services'],
    ['?services=trackr', {}, 'services', 'tracker'],
    ['?services=', {}, 'services', null],
    ['?services=constructor', {}, 'services', null],
    ['?mode=catalog', {}, 'mode', 'catalogue'],
    ['?readonly=maybe', {}, 'readonly', null],
    ['?schemas=ful', {}, 'schemas', 'full'],
    ['?__proto__=1', {}, '__proto__', null],
    ['', { 'x-portolan-service': 'vault' }, 'x-portolan-service', 'x-portolan-services'],
    ['', { 'x-portolan-readonly': 'tru' }, 'x-portolan-readonly', 'true'],
  ])('/message%s %j is refused (MCP-033)', async (query, headers, place, near) => {
    const answer = await fetch(`${harness.server.origin}/message${query}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${harness.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(list),
    });
    const { error, id } = z
      .looseObject({ id: z.number(), error: z.looseObject({ data: problem.pick({ details: true }) }) })
      .parse(await answer.json());
    expect([answer.status, id, error.data.details.map(({ path }) => path.join('.'))]).toEqual([400, 7, [place]]);
    expect(error.data.details[0]?.nearest ?? null).toBe(near);
  });
});
