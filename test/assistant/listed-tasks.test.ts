import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { serverInstructions } from '#adapters/mcp/protocol/server-facts.ts';
import { everyTool } from '#adapters/mcp/protocol/tool-choice.ts';
import { operationTools } from '#adapters/mcp/tools/operation-tools.ts';
import { ToolRegistry } from '#adapters/mcp/tools/tool-registry.ts';
import { catalogOf } from '#adapters/services/catalog.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { providersFrom } from '#bootstrap/modules/providers.ts';
import { guest } from '#domain/users/user.ts';
import { tasks } from '#test/assistant/listed-tasks.ts';
import { FakeGateway, runOver } from '#test/support/mcp/mcp-catalog.ts';
import { leastArguments } from '#test/support/mcp/tool-arguments.ts';
import { toolExamples } from '#test/support/mcp/tool-examples.ts';
import { serviceKeys } from '#test/support/services/five-services.ts';

const providers = providersFrom(readSettings({}));
const catalog = catalogOf(providers);
const registry = new ToolRegistry(
  operationTools(catalog, { run: runOver(new FakeGateway()), baseUrl: 'http://localhost:3000' }),
  '1',
);
const listSchema = z.object({
  tools: z.array(
    z.looseObject({
      name: z.string(),
      description: z.string(),
      inputSchema: z.looseObject({
        type: z.literal('object'),
        properties: z.record(z.string(), z.looseObject({ description: z.string().optional() })),
      }),
    }),
  ),
});
const user = { ...guest, id: 1, permissions: serviceKeys };
const { legacy } = registry.listFor(user, new Set(serviceKeys), everyTool);
const listed = new Map(
  listSchema.parse(JSON.parse(legacy.toString().slice(0, -1))).tools.map((tool) => [tool.name, tool]),
);
const instructions = serverInstructions(catalog.instructions ?? []);
const ajv = new AjvJsonSchemaValidator();

/** By hand: inputs that the instructions describe once for all lists, and those whose name and values say all. */
const describedOnce = [
  'approval',
  'dry',
  'explain',
  'fields',
  'include_labels',
  'include_option_labels',
  'maxTokens',
  'orderBy',
];
const selfEvident = ['includeArchived', 'sort_direction', 'sort_order'];

const inputOf = (name: string) =>
  providers.flatMap(({ operations }) => Object.values(operations)).find(({ options }) => options.tool === name)?.input;

function fits(name: string, args: Readonly<Record<string, unknown>>): void {
  const schema = JSON.parse(JSON.stringify(listed.get(name)?.inputSchema ?? {}));
  expect(ajv.getValidator(schema)(args), name).toMatchObject({ valid: true });
  expect(inputOf(name)?.safeParse(args), name).toMatchObject({ success: true });
}

describe.each([...listed.values()].map((tool) => [tool.name, tool] as const))(
  'the entry of %s in the list',
  (name, tool) => {
    it('describes each input, in the entry or once for all tools (MCP-022)', () => {
      for (const [input, { description }] of Object.entries(tool.inputSchema.properties)) {
        if (description !== undefined) expect(description, input).toMatch(/^\S.{3,}[^.\s]$/);
        else if (!selfEvident.includes(input)) {
          expect(describedOnce).toContain(input);
          expect(instructions).toContain(input);
        }
      }
    });

    it('accepts the required inputs of the tool (MCP-022)', () => {
      fits(name, leastArguments[name] ?? {});
    });
  },
);

it.each(toolExamples)('the list accepts the example of %s, %s: %j', (name, input, value) => {
  if (listed.get(name)?.inputSchema.properties[input] === undefined) return;
  fits(name, { ...leastArguments[name], [input]: value });
});

describe('an assistant that knows only the tool list', () => {
  it('is given twenty tasks', () => {
    expect(tasks).toHaveLength(20);
  });

  it.each(tasks.map((task) => [task.ask, task] as const))('can do the task: %s', (_, { calls }) => {
    for (const { tool, args, shown } of calls) {
      const entry = listed.get(tool);
      expect(entry, tool).toBeDefined();
      expect(Object.keys(entry?.inputSchema.properties ?? {}), tool).toEqual(expect.arrayContaining(Object.keys(args)));
      fits(tool, args);
      const text = JSON.stringify(entry).replaceAll('\\"', '"');
      for (const words of shown) expect(text, tool).toContain(words);
    }
  });
});
