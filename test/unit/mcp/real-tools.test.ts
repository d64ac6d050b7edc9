import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toolResult } from '#adapters/mcp/results/tool-result.ts';
import { operationTools } from '#adapters/mcp/tools/operation-tools.ts';
import { searchTools } from '#adapters/mcp/tools/search-tools.ts';
import type { Tool } from '#adapters/mcp/tools/tool.ts';
import { ToolRegistry } from '#adapters/mcp/tools/tool-registry.ts';
import { catalogOf } from '#adapters/services/catalog.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { providersFrom } from '#bootstrap/modules/providers.ts';
import { failed } from '#domain/operations/outcome.ts';
import { FakeGateway, runOver } from '#test/support/mcp/mcp-catalog.ts';
import { showing } from '#test/support/mcp/showing.ts';
import { leastArguments } from '#test/support/mcp/tool-arguments.ts';
import { toolExamples } from '#test/support/mcp/tool-examples.ts';
import { serviceKeys } from '#test/support/services/five-services.ts';

const providers = providersFrom(readSettings({}));
const catalog = catalogOf(providers);
const tools = operationTools(catalog, { run: runOver(new FakeGateway()), baseUrl: 'http://localhost:3000' });
const registry = new ToolRegistry(tools, '1');
const connected = { overview: async () => ({ services: new Set(serviceKeys), isInTeamVault: false }) };
const small = searchTools(registry, connected);
const everyName = [...tools, ...small].map(({ name }) => name);

const propertiesSchema = z.record(
  z.string(),
  z.looseObject({ description: z.string().optional(), format: z.string().optional() }),
);
const inputsOf = (tool: Tool) => propertiesSchema.parse(tool.inputSchema['properties']);

/** By hand: custom fields are next to the others where these records are made. */
const takesCustomFields = [
  'sales_crm_deal_create',
  'sales_crm_deal_update',
  'sales_crm_person_create',
  'sales_crm_person_update',
  'sales_crm_org_create',
  'sales_crm_activity_create',
  'sales_crm_activity_update',
  'sales_crm_org_update',
  'sales_crm_lead_create',
];

describe.each([...tools, ...small].map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  it('has a name that every client accepts', () => {
    expect(name).toMatch(/^[a-z][a-z0-9_]{2,63}$/);
  });

  it('has a short title (TOOL-003)', () => {
    expect(tool.title).toMatch(/^[A-Z][^;:]{4,59}$/);
    expect(tool.title).not.toMatch(/[.\s]$/);
  });

  it('has a description of a few sentences, which mentions only tools that exist (TOOL-003)', () => {
    expect(tool.description.length).toBeGreaterThanOrEqual(60);
    expect(tool.description.length).toBeLessThanOrEqual(300);
    expect(tool.description).not.toMatch(/[.\s]$|\s\s|\n/);
    const named = tool.description.match(/\b(?:sales_crm|signing|suite|tracker|vault|run|search)_[a-z_]+/g) ?? [];
    expect(everyName).toEqual(expect.arrayContaining([...named]));
    expect(named).not.toContain(name);
  });

  it('has an input schema of an object, which rejects unknown members and describes every input (TOOL-003)', () => {
    expect(tool.inputSchema.type).toBe('object');
    expect(tool.inputSchema['additionalProperties']).toBe(false);
    expect(tool.inputSchema['patternProperties'] !== undefined).toBe(takesCustomFields.includes(name));
    for (const [input, { description = '' }] of Object.entries(inputsOf(tool))) {
      expect(description, input).toMatch(/^\S.{4,}[^.\s]$/);
    }
  });

  it('states the format of every date and time that it accepts', () => {
    for (const [input, { format = '', description }] of Object.entries(inputsOf(tool))) {
      if (format.startsWith('date')) expect(description, input).toMatch(/YYYY-MM-DD|\d{4}-\d\d-\d\d/);
    }
  });
});

// By hand, from what each does: nothing changes; something is added or changed; with some inputs, what was there before
// may be lost, or others are reached.
const destroying = [
  'run_write_tool',
  'sales_crm_activity_create',
  'sales_crm_activity_update',
  'sales_crm_deal_update',
  'sales_crm_lead_convert',
  'sales_crm_org_update',
  'sales_crm_orgs_merge',
  'sales_crm_person_update',
  'sales_crm_persons_merge',
  'signing_document_revert',
  'signing_document_send',
  'signing_document_status',
  'suite_lead_convert',
  'suite_record_delete',
  'suite_tag_add',
  'suite_tag_remove',
  'tracker_document_update',
  'tracker_issue_archive',
  'tracker_issue_update',
  'tracker_project_update',
  'vault_command_run',
  'vault_frontmatter_set',
  'vault_note_delete',
  'vault_note_patch',
  'vault_note_replace',
  'vault_note_restore',
  'vault_note_write',
  'vault_periodic_write',
  'vault_tags_remove',
];
const changing =
  /_(?:create|update|send|archive|add|convert|merge|remove|delete|write|patch|replace|set|run|from_file|revert|link|move|rename|restore)$|_status$|^run_write/;
const repeatable = /_(?:update|archive|add|remove|delete|set|revert|attachment_create)$|_status$/;

describe('the hints of tools (TOOL-003)', () => {
  const named = (is: (tool: Tool) => boolean) =>
    [...tools, ...small]
      .filter(is)
      .map(({ name }) => name)
      .sort();

  it('say that a tool only reads, if it does', () => {
    const expected = everyName.filter((name) => !changing.test(name)).sort();
    expect(named(({ annotations }) => annotations.readOnlyHint)).toEqual(expected);
    expect(expected).toHaveLength(53);
  });

  it('say that a tool may lose something or reach others, if it may', () => {
    expect(named(({ annotations }) => annotations.destructiveHint)).toEqual(destroying);
  });

  it('say that repeating changes nothing more, if it does not', () => {
    const writing = ({ annotations }: Tool) => !annotations.readOnlyHint && annotations.idempotentHint;
    const expected = everyName.filter((name) => repeatable.test(name)).sort();
    expect(named(writing)).toEqual(expected);
  });

  it('say of the vault and the search for tools alone that they stay inside', () => {
    const inside = everyName.filter((name) => name.startsWith('vault_') || name === 'search_tools').sort();
    expect(named(({ annotations }) => !annotations.openWorldHint)).toEqual(inside);
  });

  it('are always present', () => {
    for (const { annotations } of [...tools, ...small]) {
      expect(Object.values(annotations).map((hint) => typeof hint)).toEqual(Array(4).fill('boolean'));
    }
  });
});

describe('the example in a description', () => {
  const withoutBlanks = (text: string) => text.replaceAll(/\s/g, '');

  it.each(toolExamples)('of %s, %s is accepted: %j', (name, input, value) => {
    const tool = tools.find((candidate) => candidate.name === name);
    const description = tool === undefined ? '' : (inputsOf(tool)[input]?.description ?? '');
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    expect(withoutBlanks(description)).toContain(withoutBlanks(shown));
    const row = providers
      .flatMap(({ operations }) => Object.values(operations))
      .find(({ options }) => options.tool === name);
    expect(row?.input.safeParse({ ...leastArguments[name], [input]: value })).toMatchObject({ success: true });
  });
});

describe('the output schema', () => {
  it('is declared by every tool except those that answer text or a file, and those that run another', () => {
    const without = [...tools, ...small].filter(({ outputSchema }) => outputSchema === undefined);
    expect(without.map(({ name }) => name).sort()).toEqual([
      'run_read_tool',
      'run_write_tool',
      'signing_document_download',
      'vault_note_read',
      'vault_periodic_read',
    ]);
  });

  it.each(
    catalog.operations.flatMap(({ tool, output }) =>
      tool === null || output === null ? [] : [[tool, output] as const],
    ),
  )('leaves room for a failure: %s', (_, output) => {
    const failure = failed('rejected', 'No.', { retryAfterMs: 5, details: [{ code: 'A' }] });
    const { structuredContent } = toolResult(failure, showing(output));
    const validate = new AjvJsonSchemaValidator().getValidator({ ...output.contentSchema });
    expect(validate(structuredContent)).toMatchObject({ valid: true });
    expect(structuredContent).toMatchObject({ reason: 'rejected', message: 'No.' });
  });
});
