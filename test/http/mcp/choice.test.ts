import { afterEach, describe, expect, it } from 'vitest';
import { type McpApp, type McpAppOptions, startMcpApp } from '#test/support/mcp/mcp-app.ts';
import { post, toolsCall } from '#test/support/mcp/mcp-clients.ts';

let app: McpApp;
const start = async (options: McpAppOptions = {}) => {
  app = await startMcpApp(options);
};
afterEach(() => app.close());

const ask = async (path: string, body: object, headers: Readonly<Record<string, string>> = {}, person = 'ann') => {
  const response = await post(app.url, body, { path, headers, person });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    json: JSON.parse(await response.text()),
  };
};
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const names = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<string[]> =>
  (await ask(path, list, headers)).json.result.tools.map(({ name }: { name: string }) => name);

describe('a client may choose', () => {
  it.each([
    ['?services=tracker', {}, ['tracker_teams_list']],
    ['?services=tracker,sales_crm', {}, ['sales_crm_deals_list', 'tracker_teams_list']],
    ['', { 'x-portolan-services': 'tracker' }, ['tracker_teams_list']],
    ['?services=tracker,vault', { 'x-portolan-services': 'tracker,sales_crm' }, ['tracker_teams_list']],
    ['?services=vault&readonly=1', {}, ['vault_note_read', 'vault_vault_list', 'vault_search']],
    ['?services=vault', { 'x-portolan-readonly': 'true' }, ['vault_note_read', 'vault_vault_list', 'vault_search']],
  ])('its tools: /message%s %j (MCP-012)', async (query, headers, expected) => {
    await start();
    expect(await names(`/message${query}`, headers)).toEqual(expected);
  });

  it('and what it left out is refused when called, too (MCP-006)', async () => {
    await start();
    const { json } = await ask('/message?readonly=1', toolsCall(1, 'vault_note_delete'));
    expect(json).toMatchObject({ error: { code: -32602 } });
    expect(app.gateway.calls).toEqual([]);
  });

  it.each(['?services=vault,typo', '?mode=small'])('but no unknown tools: %s', async (query) => {
    await start();
    expect(await ask(`/message${query}`, list)).toMatchObject({ status: 400, json: { error: { code: -32000 } } });
  });
});

describe('the catalogue', () => {
  const path = '/message?mode=catalogue';
  const run = (tool: string, name: string, more: string = path) =>
    ask(more, toolsCall(1, tool, { arguments: { tool: name, arguments: { path: 'a.md' } } }));

  it('lists a search, two runners with accurate hints, and a few tools directly (MCP-012)', async () => {
    await start();
    const { tools } = (await ask(path, list)).json.result;
    expect(
      tools.map((tool: { name: string; annotations: { readOnlyHint: boolean } }) => [
        tool.name,
        tool.annotations.readOnlyHint,
      ]),
    ).toEqual([
      ['search_tools', true],
      ['run_read_tool', true],
      ['run_write_tool', false],
      ['vault_note_read', true],
      ['vault_search', true],
    ]);
  });

  it('finds tools by words, in the services that the user may use', async () => {
    await start();
    const search = toolsCall(1, 'search_tools', { arguments: { query: 'delete notes' } });
    const { structuredContent } = (await ask(path, search)).json.result;
    expect(structuredContent.tools[0]).toMatchObject({
      name: 'vault_note_delete',
      run: 'run_write_tool',
      inputs: 'path',
    });
    const bobs = (await ask(path, toolsCall(1, 'search_tools'), {}, 'bob')).json.result;
    expect(bobs.structuredContent).toMatchObject({ found: 5 });
  });

  it('shows inputs and not outputs: the runners promise no schema', async () => {
    await start();
    const search = (full: boolean) => toolsCall(1, 'search_tools', { arguments: { query: 'vault list', full } });
    const [brief] = (await ask(path, search(false))).json.result.structuredContent.tools;
    expect(Object.keys(brief)).toEqual(['name', 'title', 'run', 'inputs']);
    const [found] = JSON.parse((await ask(path, search(true))).json.result.content[0].text).tools;
    expect(Object.keys(found)).toEqual(['name', 'title', 'description', 'inputSchema', 'annotations', 'run']);
    expect(found.name).toBe('vault_vault_list');
    const { tools } = (await ask(`${path}&schemas=full`, list)).json.result;
    expect(tools.filter(({ outputSchema }: { outputSchema?: object }) => outputSchema !== undefined)).toMatchObject([
      { name: 'search_tools' },
    ]);
  });

  it('runs what it found, reading and writing separately; what is wrong with a call is an error of the tool (TOOL-020)', async () => {
    await start();
    expect((await run('run_read_tool', 'vault_note_read')).json.result.content[0].text).toContain('Acme');
    expect((await run('run_read_tool', 'vault_note_delete')).json.result).toMatchObject({
      isError: true,
      structuredContent: { reason: 'invalid_input', message: 'vault_note_delete is run with run_write_tool.' },
    });
    expect((await run('run_write_tool', 'vault_note_delete')).json.result.structuredContent.reason).toBe(
      'rate_limited',
    );
    expect((await run('run_read_tool', 'vault_notes_read')).json.result).toMatchObject({
      isError: true,
      structuredContent: {
        reason: 'invalid_input',
        message: 'Unknown tool: vault_notes_read. Did you mean vault_note_read? Find one with search_tools.',
      },
    });
  });

  it('respects the client’s choice, and names it as the reason (TOOL-020)', async () => {
    await start();
    const reading = `${path}&readonly=1`;
    expect(await names(reading)).not.toContain('run_write_tool');
    expect((await run('run_write_tool', 'vault_note_delete', reading)).json).toMatchObject({
      error: {
        code: -32602,
        message: 'This connection was set up to read only, and run_write_tool changes something.',
      },
    });
    expect((await run('run_read_tool', 'vault_note_delete', reading)).json.result).toMatchObject({
      isError: true,
      structuredContent: {
        reason: 'forbidden',
        message: 'This connection was set up to read only, and vault_note_delete changes something.',
      },
    });
    expect(app.gateway.calls).toEqual([]);
  });
});

describe('a user who is connected to one service', () => {
  it('sees only its tools, and learns of another one when it is called (MCP-005)', async () => {
    await start({
      connections: { overview: async () => ({ services: new Set(['tracker'] as const), isInTeamVault: false }) },
    });
    expect(await names('/message')).toEqual(['tracker_teams_list']);
    expect((await ask('/message', toolsCall(1, 'vault_note_read'))).json.result.content[0].text).toContain('Acme');
  });
});

describe('too many messages', () => {
  it('are refused with 429, Retry-After, and JSON-RPC; each of a batch counts, and other users are not affected (MCP-019)', async () => {
    await start({ limit: { burst: 3, perSecond: 0.001 } });
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect((await ask('/message', [ping, ping])).status).toBe(200);
    expect((await ask('/message', [ping, ping])).status).toBe(429);
    expect((await ask('/message', ping)).status).toBe(200);
    const refused = await ask('/message', ping);
    expect(refused).toMatchObject({
      status: 429,
      json: { id: 1, error: { code: -32000, data: { reason: 'rate_limited' } } },
    });
    expect(Number(refused.retryAfter)).toBeGreaterThan(0);
    expect((await ask('/message', ping, {}, 'bob')).status).toBe(200);
  });

  it('count each item of a bulk, also of one in the catalogue mode (MCP-019)', async () => {
    await start({ limit: { burst: 7, perSecond: 0.001 } });
    const args = { operation: 'x', items: [{}, {}, {}] };
    const bulk = toolsCall(1, 'workspace_bulk', { arguments: args });
    expect((await ask('/message', bulk)).status).toBe(200);
    const run = toolsCall(2, 'run_write_tool', { arguments: { tool: 'workspace_bulk', arguments: args } });
    expect((await ask('/message?mode=catalogue', run)).status).toBe(200);
    expect((await ask('/message', bulk)).status).toBe(429);
    expect((await ask('/message', { jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(200);
  });
});
