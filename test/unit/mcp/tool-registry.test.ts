import { describe, expect, it } from 'vitest';
import { serverInstructions } from '#adapters/mcp/protocol/server-facts.ts';
import { everyTool } from '#adapters/mcp/protocol/tool-choice.ts';
import { operationTools } from '#adapters/mcp/tools/operation-tools.ts';
import { ToolRegistry } from '#adapters/mcp/tools/tool-registry.ts';
import { catalogOf } from '#adapters/services/catalog.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { providersFrom } from '#bootstrap/modules/providers.ts';
import { limitedTo } from '#domain/oauth/grant.ts';
import { guest, type User } from '#domain/users/user.ts';
import { FakeGateway, fakeCatalog, runOver } from '#test/support/mcp/mcp-catalog.ts';
import { serviceKeys } from '#test/support/services/five-services.ts';

const userWith = (...permissions: User['permissions']): User => ({ ...guest, id: 7, permissions });
const gateway = new FakeGateway();
const tools = operationTools(fakeCatalog, { run: runOver(gateway), baseUrl: 'http://localhost:3000' });
// The text of a result ends with the brace that closes its response.
const all = new Set(serviceKeys);
const listed = (user: User) => registry.listFor(user, all, everyTool);
const shown = (user: User): { tools: unknown[] } => JSON.parse(listed(user).legacy.toString().slice(0, -1));
const registry = new ToolRegistry(tools, '1');

describe('the tool list', () => {
  const namesFor = (user: User) => registry.toolsFor(user, all, everyTool).map(({ name }) => name);

  it('follows the order of the services, then of their tables, and leaves out rows without a tool name', () => {
    expect(namesFor(userWith('vault', 'tracker', 'sales_crm'))).toEqual([
      'sales_crm_deals_list',
      'tracker_teams_list',
      'vault_note_read',
      'vault_note_delete',
      'vault_vault_list',
      'vault_command_run',
      'vault_search',
    ]);
  });

  it('shows only the tools of the services that the user may use (MCP-005)', () => {
    expect(namesFor(userWith('tracker'))).toEqual(['tracker_teams_list']);
  });

  it('is empty for the guest', () => {
    expect(registry.listFor(guest, all, everyTool).legacy.toString().slice(0, -1)).toBe('{"tools":[]}');
  });

  it('is built once for a set of permissions, in any order', () => {
    expect(listed(userWith('vault', 'tracker'))).toBe(listed(userWith('tracker', 'vault')));
    expect(listed(userWith('vault'))).not.toBe(listed(userWith('tracker')));
  });

  it('is the same for a client that wants to read only and a user whose token may only read', () => {
    const user = userWith('vault', 'tracker');
    const limited = limitedTo(new Map([['vault', 'read']]), user);
    const chosen = registry.listFor(user, all, { ...everyTool, services: ['vault'], isReadonly: true });
    expect(registry.listFor(limited, all, everyTool)).toBe(chosen);
    expect(registry.listFor(user, all, everyTool)).not.toBe(chosen);
    expect(namesFor(limited)).toEqual(['vault_note_read', 'vault_vault_list', 'vault_search']);
  });

  it('has name, title, description, input schema and accurate hints, and nothing else', () => {
    const [first] = shown(userWith('sales_crm')).tools;
    expect(first).toEqual({
      name: 'sales_crm_deals_list',
      title: 'Title of deals.list',
      description: 'Summary of deals.list.',
      inputSchema: {
        type: 'object',
        properties: { path: { type: 'string' }, maxTokens: { type: 'integer' } },
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true },
    });
    const [, destroying] = shown(userWith('vault')).tools;
    expect(destroying).toMatchObject({
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    });
  });

  it('has every hint for a client that asks for full schemas', () => {
    const { legacy } = registry.listFor(userWith('sales_crm'), all, { ...everyTool, isFull: true });
    expect(JSON.parse(legacy.toString().slice(0, -1)).tools[0]).toMatchObject({
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    });
  });

  it('has output schemas only for clients that ask for them, or for all if the server is set so', () => {
    const user = userWith('vault');
    const shapesIn = ({ legacy }: ReturnType<ToolRegistry['listFor']>) =>
      JSON.parse(legacy.toString().slice(0, -1)).tools.flatMap(
        ({ outputSchema }: { outputSchema?: object }) => outputSchema ?? [],
      );
    expect(shapesIn(registry.listFor(user, all, everyTool))).toEqual([]);
    expect(shapesIn(registry.listFor(user, all, { ...everyTool, isFull: true }))).toHaveLength(1);
    expect(shapesIn(new ToolRegistry(tools, '1', { hasOutputs: true }).listFor(user, all, everyTool))).toHaveLength(1);
  });

  it('has the output schema that the operation declares', () => {
    const { legacy } = registry.listFor(userWith('vault'), all, { ...everyTool, isFull: true });
    const tools: Record<string, unknown>[] = JSON.parse(legacy.toString().slice(0, -1)).tools;
    expect(tools.filter(({ outputSchema }) => outputSchema !== undefined)).toMatchObject([
      {
        name: 'vault_vault_list',
        outputSchema: { type: 'object', properties: { data: { type: 'array', items: { type: 'string' } } } },
      },
    ]);
  });

  it('shows only the tools of services that the user is connected to (MCP-005)', () => {
    const names = registry
      .toolsFor(userWith('vault', 'tracker'), new Set(['tracker']), everyTool)
      .map(({ name }) => name);
    expect(names).toEqual(['tracker_teams_list']);
  });

  it('shows only what the client chose: services, and what changes nothing', () => {
    const choice = {
      services: ['vault', 'tracker'],
      isReadonly: true,
      isCatalogue: false,
      isPrograms: false,
      isFull: false,
    } as const;
    const names = registry.toolsFor(userWith('vault', 'sales_crm'), all, choice).map(({ name }) => name);
    expect(names).toEqual(['vault_note_read', 'vault_vault_list', 'vault_search']);
  });

  it("also informs a modern client that it is complete, the user's own, and how long it may be cached", () => {
    expect(JSON.parse(listed(userWith('vault')).modern.toString().slice(0, -1))).toEqual({
      ...shown(userWith('vault')),
      resultType: 'complete',
      ttlMs: 60_000,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'portolan', title: 'Portolan', version: '1' } },
    });
  });
});

describe('a tool', () => {
  const call = { signal: new AbortController().signal };

  it('is found by its name, and null for an unknown name', () => {
    expect(registry.tools.get('vault_note_read')?.title).toBe('Title of notes.read');
    expect(registry.tools.get('hidden')).toBeUndefined();
    expect(registry.tools.get('constructor')).toBeUndefined();
  });

  it('runs its operation for the user, with the arguments unchanged', async () => {
    await registry.tools.get('vault_note_read')?.run(userWith('vault'), { path: 'a.md' }, call);
    expect(gateway.calls.at(-1)).toEqual({
      userId: 7,
      service: 'vault',
      name: 'notes.read',
      input: { path: 'a.md' },
      signal: call.signal,
      isUsers: true,
    });
  });

  it('is refused, and never run, without the permission (MCP-006)', async () => {
    const before = gateway.calls.length;
    const result = await registry.tools.get('vault_note_read')?.run(userWith('tracker'), {}, call);
    expect(result).toMatchObject({ isError: true, structuredContent: { reason: 'forbidden' } });
    expect(gateway.calls).toHaveLength(before);
  });

  it('shares its name with no other', () => {
    expect(() => new ToolRegistry([...tools, ...tools], '1')).toThrow('sales_crm_deals_list');
  });
});

describe('the instructions', () => {
  const services = catalogOf(providersFrom(readSettings({}))).instructions ?? [];
  const textOf = (isReadonly: boolean, isCatalogue: boolean) =>
    serverInstructions(services, { isReadonly, isCatalogue, isPrograms: false });

  it('are smaller than 2 KB, and name the tools over all services (WORK-018)', () => {
    const text = serverInstructions(services);
    expect(text).toBe(textOf(false, false));
    for (const name of ['workspace_search', 'workspace_brief', 'workspace_reactions']) expect(text).toContain(name);
    for (const [isReadonly, isCatalogue] of [
      [false, false],
      [false, true],
      [true, false],
      [true, true],
    ] as const) {
      expect(Buffer.byteLength(textOf(isReadonly, isCatalogue))).toBeLessThan(2048);
    }
  });

  it('describe what changing tools take besides their own inputs, where tools change something (ASK-021)', () => {
    for (const isCatalogue of [false, true]) {
      expect(textOf(false, isCatalogue)).toMatch(/Changing tools take dry \(.+\), explain \(.+\), approval \(.+\)\./);
      expect(textOf(true, isCatalogue)).not.toContain('explain (');
    }
  });

  it('are those of the mode that the connection lists its tools in (MCP-034)', () => {
    const runners = ['search_tools', 'run_read_tool', 'run_write_tool'];
    const namedIn = (text: string) => runners.filter((name) => text.includes(name));
    expect(namedIn(textOf(false, false))).toEqual([]);
    expect(namedIn(textOf(false, true))).toEqual(runners);
    expect(namedIn(textOf(true, true))).toEqual(['search_tools', 'run_read_tool']);
    for (const isCatalogue of [false, true]) {
      expect(textOf(true, isCatalogue)).toContain('This connection only reads');
      expect(textOf(true, isCatalogue)).not.toMatch(/destructiveHint|after a write/);
      expect(textOf(false, isCatalogue)).toContain('destructiveHint may lose data');
    }
  });
});
