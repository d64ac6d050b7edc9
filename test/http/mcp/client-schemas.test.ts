import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  geminiRefuses,
  type ListedTool,
  listedTool,
  openAiRefuses,
  vsCodeRefuses,
} from '#test/support/mcp/client-schema-rules.ts';
import { type AnsweringHarness, openAnsweringHarness } from '#test/support/services/answering-harness.ts';

const listSchema = z.object({ result: z.object({ tools: z.array(listedTool) }) });
const foundSchema = z.object({ result: z.object({ structuredContent: z.object({ tools: z.array(listedTool) }) }) });

describe('what tools/list sends', () => {
  let harness: AnsweringHarness;

  beforeAll(async () => {
    harness = await openAnsweringHarness();
  });
  afterAll(() => harness[Symbol.asyncDispose]());

  const ask = async (query: string, method: string, params: object = {}): Promise<unknown> => {
    const response = await fetch(`${harness.server.origin}/message${query}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${harness.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return response.json();
  };
  const listOf = async (query: string): Promise<readonly ListedTool[]> => {
    const { tools } = listSchema.parse(await ask(query, 'tools/list')).result;
    expect(tools.length).toBeGreaterThan(2);
    return tools;
  };

  it.each(['', '?readonly=1', '?services=vault', '?mode=catalogue', '?schemas=full', '?mode=catalogue&schemas=full'])(
    'is taken by VS Code and OpenAI: %s (MCP-028)',
    async (query) => {
      const tools = await listOf(query);
      expect(tools.flatMap(vsCodeRefuses)).toEqual([]);
      expect(tools.flatMap(openAiRefuses)).toEqual([]);
    },
  );

  it.each(['', '?readonly=1', '?services=vault', '?mode=catalogue'])(
    'is taken by Gemini: %s (MCP-028)',
    async (query) => {
      expect((await listOf(query)).flatMap(geminiRefuses)).toEqual([]);
    },
  );

  it.each(['vault frontmatter', 'deal create', 'record update'])(
    'and what the catalogue finds is, too: %s',
    async (query) => {
      const call = { name: 'search_tools', arguments: { query } };
      const { tools } = foundSchema.parse(await ask('?mode=catalogue', 'tools/call', call)).result.structuredContent;
      expect(tools.length).toBeGreaterThan(0);
      expect(tools.flatMap((tool) => [...vsCodeRefuses(tool), ...openAiRefuses(tool), ...geminiRefuses(tool)])).toEqual(
        [],
      );
    },
  );

  it('has output schemas whose arrays have items, where it has them (MCP-028)', async () => {
    const outputs = (await listOf('?schemas=full')).flatMap(({ name, description, outputSchema }) =>
      outputSchema === undefined ? [] : [listedTool.parse({ name, description, inputSchema: outputSchema })],
    );
    expect(outputs.length).toBeGreaterThan(70);
    expect(outputs.flatMap(openAiRefuses)).toEqual([]);
  });
});

describe('the rules of clients', () => {
  const refused = (schema: object) =>
    [vsCodeRefuses, openAiRefuses, geminiRefuses].map(
      (refuses) =>
        refuses({ name: 'a_tool', description: 'A tool', inputSchema: { type: 'object', ...schema } }).length > 0,
    );

  it.each<[object, boolean, boolean, boolean]>([
    [{ properties: { a: { type: 'array' } } }, true, true, true],
    [{ properties: { a: { anyOf: [{ type: 'string' }, { type: 'array' }] } } }, true, true, true],
    [{ properties: { a: { type: 'array', items: {} } } }, false, false, true],
    [{ properties: { a: { type: 'array', items: { type: 'string' } } } }, false, false, false],
    [{ properties: {}, anyOf: [{ required: ['a'] }] }, true, true, true],
    [{ properties: { a: { enum: [1, 2], type: 'integer' } } }, false, false, true],
    [{ properties: { a: { type: 'string', format: 'uri' } } }, false, false, true],
    [{ properties: { a: { type: 'nothing' } } }, true, false, false],
    [{ properties: {}, patternProperties: { '^a': { type: 'string' } } }, false, false, true],
  ])('refuse %j: VS Code %s, OpenAI %s, Gemini %s', (schema, ...expected) => {
    expect(refused(schema)).toEqual(expected);
  });
});
