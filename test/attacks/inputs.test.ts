import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openTarget, type Target } from '#test/attacks/target.ts';
import { SignedIn } from '#test/demo/signed-in.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import { leastArguments } from '#test/support/mcp/tool-arguments.ts';

// Names that every object of the language has, and names that change what all objects have.

let target: Target;
let person: SignedIn;
beforeAll(async () => {
  target = await openTarget();
  person = await SignedIn.to(target.origin, ada);
});
afterAll(async () => {
  expect(target.lines.filter(({ level }) => level === 'error')).toEqual([]);
  await target[Symbol.asyncDispose]();
});

const inherited = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', '__proto__', '__defineGetter__'];
const sent = (method: string, path: string, body: string) =>
  person.fetch(path, { method, headers: { 'content-type': 'application/json' }, body });

describe('a property name that every object inherits', () => {
  it.each(inherited)('is not accepted as an argument of any tool: %s (ERR-011)', async (name) => {
    for (const [tool, given] of Object.entries(leastArguments)) {
      const args = Object.fromEntries([...Object.entries(given), [name, 1]]);
      const text = await target.tool(target.admin, tool, args);
      expect([tool, text]).toEqual([tool, expect.stringContaining(`no argument \`${name}\``)]);
      expect(text).toContain('"reason":"invalid_input"');
    }
  });

  it.each(inherited)('is not accepted as a tool, module, permission, switch or service: %s (ERR-011)', async (name) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } };
    expect((await target.call('POST', '/message', { token: target.admin, body })).text).toContain('Unknown tool');
    const refused = await Promise.all([
      sent('POST', '/api/users', `{"email":"a@b.co","permissions":["${name}"]}`),
      sent('PATCH', '/api/users/1', `{"permissions":["vault","${name}"]}`),
      sent('PUT', '/api/switches', `{"off":["${name}"]}`),
      sent('POST', '/save', `{"service":"${name}","auth_method":"api_key","access_token":"k"}`),
      person.fetch(`/api/activity?service=${name}`),
      person.fetch(`/deliveries?state=${name}`),
      target.call('POST', `/message?services=${name}`, { token: target.admin, body }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 400));
  });
});

describe('a member that would change every object', () => {
  it.each([
    ['{"email":"eve@example.com","__proto__":{"admin":true}}'],
    ['{"email":"eve@example.com","constructor":{"prototype":{"admin":true}}}'],
    ['{"__proto__":{"email":"eve@example.com","admin":true}}'],
  ])('does not make a user an administrator: %s (ERR-011)', async (body) => {
    expect((await sent('POST', '/api/users', body)).status).toBe(400);
    const users = z.object({ data: z.array(z.looseObject({})) }).parse(await person.call('GET', '/api/users')).data;
    expect(users).toHaveLength(1);
    expect(Reflect.get({}, 'admin')).toBeUndefined();
  });

  it.each([
    ['tracker_issues_list', { filter: '{"__proto__":{}}' }],
    ['tracker_issues_list', { filter: JSON.parse('{"__proto__":{"id":{"eq":"1"}}}') }],
    ['suite_record_create', { module: 'Leads', data: JSON.parse('{"Last_Name":"A","__proto__":{"a":1}}') }],
    ['vault_search_advanced', { query: JSON.parse('{"__proto__":[1]}') }],
    ['vault_frontmatter_set', { path: 'A.md', key: 'a', value: JSON.parse('{"b":{"__proto__":1}}') }],
  ])('is not dropped silently from a filter or a record: %s %j (ERR-011)', async (tool, args) => {
    const text = await target.tool(target.admin, tool, args);
    expect(text).toContain('"reason":"invalid_input"');
  });

  it('is not dropped silently from a filter in an address', async () => {
    const filter = encodeURIComponent('{"__proto__":{}}');
    const { status, text } = await target.call('GET', `/api/tracker/issues?filter=${filter}`, { token: target.admin });
    expect([status, JSON.parse(text).reason]).toEqual([400, 'invalid_input']);
  });
});
