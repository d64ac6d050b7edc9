import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { catalogOf } from '#adapters/services/catalog.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { providersFrom } from '#bootstrap/modules/providers.ts';
import { contractTools } from '#test/support/mcp/contract-tools.ts';
import { post } from '#test/support/mcp/mcp-clients.ts';
import { leastArguments } from '#test/support/mcp/tool-arguments.ts';
import { type AnsweringHarness, openAnsweringHarness } from '#test/support/services/answering-harness.ts';

// Over the whole server: whoever mistypes the name of an argument gets an error, from every tool and every route, and nothing is sent.

let harness: AnsweringHarness;
const catalog = catalogOf(providersFrom(readSettings({})));
const wrong = 'zqxjk_unknown';
/** Names that nothing has; all but the first are found on every object of the language. */
const wrongNames = [wrong, 'constructor', 'toString', '__proto__'];

beforeAll(async () => {
  harness = await openAnsweringHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

const details = z.array(
  z.object({
    path: z.array(z.string()),
    message: z.string(),
    known: z.array(z.string()).optional(),
    nearest: z.string().nullable().optional(),
  }),
);
const resultSchema = z.object({
  result: z.looseObject({
    isError: z.literal(true),
    content: z.tuple([z.looseObject({ text: z.string() })]),
    structuredContent: z.looseObject({ reason: z.string(), details }),
  }),
});
const problemSchema = z.looseObject({ reason: z.literal('invalid_input'), detail: z.string(), details });
const inputsOf = (schema: Readonly<Record<string, unknown>>) =>
  Object.keys(z.looseObject({}).parse(schema['properties']));
const sent = () => Object.values(harness.providers).reduce((sum, { requests }) => sum + requests, 0);

async function call(name: string, args: object, path = '/message') {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const answer = await post(harness.server.origin, message, { path, person: harness.token });
  const { result } = resultSchema.parse(await answer.json());
  return { text: result.content[0].text, ...result.structuredContent };
}

describe('an unknown argument of a tool (TOOL-004)', () => {
  it('is tried with all tools, the 84 planned ones and more', () => {
    const every = catalog.operations.flatMap(({ tool }) => tool ?? []);
    expect(Object.keys(leastArguments).sort()).toEqual(every.toSorted());
    expect(every).toEqual(expect.arrayContaining([...contractTools]));
  });

  it.each(Object.keys(leastArguments))('is reported by %s, with the known ones (OP-001, ERR-011)', async (tool) => {
    const before = sent();
    const { inputSchema } = catalog.operations.find((operation) => operation.tool === tool) ?? { inputSchema: {} };
    for (const name of wrongNames) {
      const { text, reason, details: errors } = await call(tool, { ...leastArguments[tool], [name]: 1 });
      expect([reason, errors.map(({ path }) => path)]).toEqual(['invalid_input', [[name]]]);
      expect(inputsOf(inputSchema)).toEqual(expect.arrayContaining([...(errors[0]?.known ?? [])]));
      expect(text).toContain(`Portolan did not send this: there is no argument \`${name}\``);
      expect(text).not.toContain('What the service answered');
    }
    expect(sent()).toBe(before);
  });

  it.each(Object.keys(leastArguments))('is reported in the catalogue mode, too: %s', async (tool) => {
    const isReading = harness.tools.find(({ name }) => name === tool)?.annotations?.readOnlyHint === true;
    const args = { tool, arguments: { ...leastArguments[tool], [wrong]: 1 } };
    const { details: errors } = await call(
      isReading ? 'run_read_tool' : 'run_write_tool',
      args,
      '/message?mode=catalogue',
    );
    expect(errors.map(({ path }) => path)).toEqual([[wrong]]);
  });

  it.each([
    ['search_tools', { querry: 'deals' }, 'querry', 'query'],
    ['run_read_tool', { tool: 'vault_search', args: {} }, 'args', null],
    ['run_write_tool', { tools: 'vault_note_write' }, 'tools', 'tool'],
  ])('is reported by %s itself', async (tool, args, name, near) => {
    const { details: errors } = await call(tool, args, '/message?mode=catalogue');
    expect(errors).toContainEqual(expect.objectContaining({ path: [name], nearest: near }));
  });
});

const addressed = catalog.operations.flatMap(({ service, route }) =>
  route === null ? [] : `${route.method} /api/${service}${route.path}`,
);

describe('an unknown name for a route (REST-005)', () => {
  it.each(addressed)('is reported by %s in the query', async (address) => {
    const before = sent();
    const { path, method } = requestOf(address);
    for (const name of wrongNames) {
      const answer = await fetch(`${harness.server.origin}${path}?${name}=1`, {
        method,
        headers: { authorization: `Bearer ${harness.token}`, 'content-type': 'application/json' },
        ...(method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }),
      });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
      const { details: errors } = problemSchema.parse(await answer.json());
      expect(errors.map(({ path: place }) => place)).toContainEqual([name]);
    }
    expect(sent()).toBe(before);
  });

  const withBody = addressed.filter((address) => !/^(?:GET|DELETE) /.test(address));

  it.each(withBody)('is reported by %s in the body', async (address) => {
    const before = sent();
    const { path, method } = requestOf(address);
    for (const name of wrongNames) {
      const answer = await fetch(`${harness.server.origin}${path}`, {
        method,
        headers: { authorization: `Bearer ${harness.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ [name]: 1 }),
      });
      const { details: errors } = problemSchema.parse(await answer.json());
      expect([answer.status, errors.map(({ path: place }) => place)]).toEqual([400, expect.arrayContaining([[name]])]);
    }
    expect(sent()).toBe(before);
  });
});

/** The address with something in the place of its parameters. */
function requestOf(address: string): Readonly<{ method: string; path: string }> {
  const [method = '', template = ''] = address.split(' ');
  return { method, path: template.replaceAll(/\{\+?[^}]+\}/g, '1') };
}

describe('an unknown member in the body of an action', () => {
  const send = (path: string, body: object) =>
    harness.person.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it.each([
    ['/save', { service: 'tracker', auth_method: 'api_key', access_tokn: 'key' }, 'access_tokn', 'access_token'],
    ['/disconnect', { servce: 'tracker' }, 'servce', 'service'],
    ['/disconnect', { service: 'tracker', [wrong]: 1 }, wrong, null],
  ])('is reported by %s, with the nearest and the known ones', async (path, body, name, near) => {
    const answer = await send(path, body);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
    const { details: errors } = problemSchema.parse(await answer.json());
    const known = path === '/save' ? ['service', 'auth_method', 'access_token', 'extra'] : ['service'];
    expect(errors).toContainEqual(expect.objectContaining({ path: [name], nearest: near, known }));
  });

  it('leaves the connection unchanged', async () => {
    await send('/disconnect', { service: 'tracker', [wrong]: 1 });
    const answer = await fetch(`${harness.server.origin}/api/connections`, {
      headers: { authorization: `Bearer ${harness.token}` },
    });
    const { data } = z.object({ data: z.array(z.looseObject({})) }).parse(await answer.json());
    expect(data).toContainEqual(expect.objectContaining({ service: 'tracker', state: 'connected' }));
  });
});
