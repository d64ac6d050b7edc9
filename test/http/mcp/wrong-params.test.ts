import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { workPrompts } from '#adapters/mcp/prompts/prompts.ts';
import { recordNames } from '#adapters/mcp/prompts/record-names.ts';
import { vaultResources } from '#adapters/mcp/resources/vault-resources.ts';
import { type McpApp, startMcpApp } from '#test/support/mcp/mcp-app.ts';
import { FakeGateway, fakeCatalog, runOver } from '#test/support/mcp/mcp-catalog.ts';
import { post } from '#test/support/mcp/mcp-clients.ts';

let app: McpApp;
beforeAll(async () => {
  const notes = vaultResources(fakeCatalog, runOver(new FakeGateway()));
  app = await startMcpApp({
    features: {
      resources: notes === null ? [] : [notes],
      prompts: workPrompts(notes, recordNames(fakeCatalog, runOver(new FakeGateway()))),
    },
  });
});
afterAll(() => app.close());

const answerSchema = z.looseObject({
  error: z.looseObject({ code: z.number() }).optional(),
  result: z.looseObject({}).optional(),
});

async function call(method: string, params: object, options: Readonly<{ person?: string; path?: string }> = {}) {
  const answer = await post(app.url, { jsonrpc: '2.0', id: 1, method, params }, options);
  return answerSchema.parse(await answer.json());
}

/** Values of types that no parameter has, one of which no text can be made of. */
const wrong: readonly unknown[] = [null, 7, true, [], {}, { toString: 1, valueOf: 1 }, [{ toString: null }], ''];
const methods: readonly (readonly [string, readonly string[]])[] = [
  ['prompts/get', ['name', 'arguments']],
  ['prompts/list', ['cursor']],
  ['tools/call', ['name', 'arguments']],
  ['tools/list', ['cursor']],
  ['resources/list', ['cursor']],
  ['resources/templates/list', ['cursor']],
  ['resources/read', ['uri']],
  ['completion/complete', ['ref', 'argument']],
];

describe.each(methods)('%s', (method, names) => {
  it.each(names)('survives a value of another type as its %s (MCP-008)', async (name) => {
    for (const value of wrong) {
      const usual = {
        name: 'weekly_review',
        ref: { type: 'ref/prompt', name: value },
        argument: { name: 'note', value: '' },
      };
      const { error } = await call(method, { ...usual, [name]: value });
      expect(error?.code, JSON.stringify(value)).not.toBe(-32603);
    }
  });
});

it('a prompt whose name is an object is an invalid parameter', async () => {
  expect((await call('prompts/get', { name: { toString: 1 } })).error?.code).toBe(-32602);
});

describe('the resource template of notes', () => {
  const templates = async (options: Parameters<typeof call>[2]) =>
    (await call('resources/templates/list', {}, options)).result?.['resourceTemplates'];

  it('is listed for users who may use the vault', async () => {
    expect(await templates({ person: 'noter' })).toMatchObject([{ uriTemplate: 'vault://{+path}' }]);
  });

  it('is not listed for an app without access to the vault, or which did not choose it', async () => {
    expect(await templates({ person: 'teller' })).toEqual([]);
    expect(await templates({ path: '/message?services=tracker' })).toEqual([]);
  });
});
