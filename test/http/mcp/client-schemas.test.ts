import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claudeRefuses, geminiRefuses, openAiRefuses, vsCodeRefuses } from '#test/support/mcp/client-schema-rules.ts';
import { type ListedTool, openToolLists, type ToolLists } from '#test/support/mcp/listed-tools.ts';
import { serviceKeys } from '#test/support/services/five-services.ts';

/** The lists in which tools appear: of all services, of each alone, of tools that only read, and of the catalogue mode. */
const brief = ['?mode=all', '?readonly=1', '?mode=catalogue', ...serviceKeys.map((service) => `?services=${service}`)];
const queries = brief.flatMap((query) => [query, `${query}&schemas=full`]);

const clients = { 'VS Code': vsCodeRefuses, OpenAI: openAiRefuses, Claude: claudeRefuses };

describe('tools/list', () => {
  let lists: ToolLists;

  beforeAll(async () => {
    lists = await openToolLists();
  });
  afterAll(() => lists[Symbol.asyncDispose]());

  const listOf = async (query: string): Promise<readonly ListedTool[]> => {
    const tools = await lists.list(query);
    expect(tools.length).toBeGreaterThan(2);
    return tools;
  };

  it.each(queries)('sends tools that VS Code, OpenAI and Claude accept: %s (MCP-028)', async (query) => {
    const tools = await listOf(query);
    for (const [client, refuses] of Object.entries(clients)) expect(tools.flatMap(refuses), client).toEqual([]);
  });

  it.each(brief)('sends tools that Gemini accepts: %s (MCP-028)', async (query) => {
    expect((await listOf(query)).flatMap(geminiRefuses)).toEqual([]);
  });

  it('sends output schemas whose arrays have items (MCP-028)', async () => {
    const outputs = (await listOf('?schemas=full')).flatMap(({ name, description, outputSchema }) =>
      outputSchema === undefined ? [] : [{ name, description, inputSchema: outputSchema }],
    );
    expect(outputs.length).toBeGreaterThan(70);
    expect(outputs.flatMap(openAiRefuses)).toEqual([]);
  });

  it.each(['vault frontmatter', 'deal create', 'record update'])(
    'of the catalogue mode finds tools that every client accepts: %s (MCP-028)',
    async (query) => {
      // Operations without a tool are run by another tool: no client has them as functions.
      const tools = (await lists.search(query)).filter(({ name }) => !name.includes('.'));
      expect(tools.length).toBeGreaterThan(0);
      for (const refuses of [...Object.values(clients), geminiRefuses]) expect(tools.flatMap(refuses)).toEqual([]);
    },
  );
});

describe('the rules of clients', () => {
  const refused = (tool: Partial<ListedTool>) => {
    const given = { name: 'a_tool', description: 'A tool', inputSchema: {}, ...tool };
    const listed = { ...given, inputSchema: { type: 'object', properties: {}, ...given.inputSchema } };
    return [...Object.values(clients), geminiRefuses].map((refuses) => refuses(listed).length > 0);
  };

  it.each<[object, boolean, boolean, boolean, boolean]>([
    [{ properties: { a: { type: 'array' } } }, true, true, false, true],
    [{ properties: { a: { anyOf: [{ type: 'string' }, { type: 'array' }] } } }, true, true, false, true],
    [{ properties: { a: { type: 'array', items: {} } } }, false, false, false, true],
    [{ properties: { a: { type: 'array', items: { type: 'string' } } } }, false, false, false, false],
    [{ anyOf: [{ required: ['a'] }] }, true, true, true, true],
    [{ properties: { a: { enum: [1, 2], type: 'integer' } } }, false, false, false, true],
    [{ properties: { a: { type: 'string', format: 'uri' } } }, false, false, false, true],
    [{ properties: { a: { type: 'nothing' } } }, true, false, false, false],
    [{ patternProperties: { '^a': { type: 'string' } } }, false, false, false, true],
    [{ properties: { 'a b': { type: 'string' } } }, false, false, true, false],
  ])('refuse the schema %j: VS Code %s, OpenAI %s, Claude %s, Gemini %s', (inputSchema, ...expected) => {
    expect(refused({ inputSchema: { ...inputSchema } })).toEqual(expected);
  });

  it.each<[string, Partial<ListedTool>, boolean, boolean, boolean, boolean]>([
    ['50 characters', { name: 'a'.repeat(50) }, false, false, true, false],
    ['a digit first', { name: '1st' }, false, false, false, true],
    ['a dot', { name: 'a.b' }, false, true, true, false],
    ['no description', { description: '' }, true, false, false, false],
    ['a description of 1,025 characters', { description: 'a'.repeat(1025) }, false, true, false, false],
    ['a description of 2,049 characters', { description: 'a'.repeat(2049) }, false, true, true, false],
  ])('refuse a tool with %s', (_, tool, ...expected) => {
    expect(refused(tool)).toEqual(expected);
  });
});
