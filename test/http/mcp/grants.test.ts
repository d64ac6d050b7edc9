import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it } from 'vitest';
import { vaultResources } from '#adapters/mcp/resources/vault-resources.ts';
import type { Tool } from '#adapters/mcp/tools/tool.ts';
import { hintsOf } from '#domain/operations/effect.ts';
import { type McpApp, type McpAppOptions, startMcpApp } from '#test/support/mcp/mcp-app.ts';
import { FakeGateway, fakeCatalog, runOver } from '#test/support/mcp/mcp-catalog.ts';
import { beginSampling, post, toolsCall } from '#test/support/mcp/mcp-clients.ts';

type Person = 'ann' | 'reader' | 'noter' | 'teller';

let app: McpApp;
const start = async (options: McpAppOptions = {}) => {
  app = await startMcpApp(options);
};
afterEach(() => app.close());

const ask = async (person: Person, body: object, path = '/message') =>
  JSON.parse(await (await post(app.url, body, { path, person })).text());
const names = async (person: Person, path?: string): Promise<string[]> =>
  (await ask(person, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, path)).result.tools.map(
    ({ name }: { name: string }) => name,
  );
const call = (person: Person, tool: string, args: object = {}, path?: string) =>
  ask(person, toolsCall(1, tool, { arguments: args }), path);
const forbidden = (text: RegExp) => ({
  result: {
    isError: true,
    structuredContent: { reason: 'forbidden', retryable: false, message: expect.stringMatching(text) },
  },
});

const reading = ['vault_note_read', 'vault_vault_list', 'vault_search'];
const ofVault = ['vault_note_read', 'vault_note_delete', 'vault_vault_list', 'vault_command_run', 'vault_search'];

describe('a restricted access token', () => {
  it('lists what it was granted (MCP-014)', async () => {
    await start();
    expect(await names('reader')).toEqual(['sales_crm_deals_list', 'tracker_teams_list', ...reading]);
    expect(await names('noter')).toEqual(ofVault);
  });

  it.each([
    ['noter', '?readonly=1', reading],
    ['noter', '?services=tracker', []],
    ['noter', '?services=tracker,vault', ofVault],
    ['reader', '?services=vault', reading],
    ['reader', '?services=vault&readonly=0', reading],
    ['reader', '?mode=all', ['sales_crm_deals_list', 'tracker_teams_list', ...reading]],
  ] as const)('is only restricted further by the client’s choice: %s %s', async (person, query, expected) => {
    await start();
    expect(await names(person, `/message${query}`)).toEqual(expected);
  });

  it.each([
    ['noter', 'tracker_teams_list', /not given the Tracker.*authorize the app again/],
    ['reader', 'vault_note_delete', /may only read.*authorize the app again/],
    ['reader', 'vault_command_run', /may only read/],
  ] as const)('refuses other calls, with the reason: %s, %s (MCP-014)', async (person, tool, text) => {
    await start();
    expect(await call(person, tool)).toMatchObject(forbidden(text));
    expect(app.gateway.calls).toEqual([]);
  });

  it('allows what it was granted', async () => {
    await start();
    await call('noter', 'vault_note_delete', { path: 'a.md' });
    await call('reader', 'vault_note_read', { path: 'a.md' });
    expect(app.gateway.calls).toMatchObject([
      { userId: 1, name: 'notes.delete' },
      { userId: 1, name: 'notes.read' },
    ]);
  });

  it('gives access to nothing more through the catalogue', async () => {
    await start();
    const path = '/message?mode=catalogue';
    expect(await names('reader', path)).toEqual(['search_tools', 'run_read_tool', 'vault_note_read', 'vault_search']);
    const found = (await call('reader', 'search_tools', { limit: 20 }, path)).result.structuredContent;
    expect(found.tools.map(({ name }: { name: string }) => name)).toEqual(await names('reader'));
    const remove = { tool: 'vault_note_delete', arguments: { path: 'a.md' } };
    expect(await call('reader', 'run_write_tool', remove, path)).toMatchObject(forbidden(/may only read/));
    expect(await call('reader', 'run_read_tool', remove, path)).toMatchObject(forbidden(/may only read/));
    const teams = { tool: 'tracker_teams_list' };
    expect(await call('noter', 'run_read_tool', teams, path)).toMatchObject(forbidden(/not given the Tracker/));
    expect(app.gateway.calls).toEqual([]);
  });

  it('runs no changing tool of the server itself if it may only read', async () => {
    const ran: string[] = [];
    const own = (name: string, effect: 'read' | 'change'): Tool => ({
      name,
      title: name,
      description: name,
      inputSchema: { type: 'object' },
      annotations: hintsOf(effect, true, false),
      service: null,
      run: async () => {
        ran.push(name);
        return { content: [] };
      },
    });
    await start({ features: { tools: [own('look', 'read'), own('change', 'change')] } });
    expect(await names('reader')).not.toContain('change');
    expect(await call('reader', 'change')).toMatchObject(forbidden(/may only read/));
    await call('reader', 'look');
    await call('noter', 'change');
    expect(ran).toEqual(['look', 'change']);
  });

  it.each(['reader', 'noter'] as const)('asks nobody about what it may not do: %s', async (person) => {
    await start();
    const asked: string[] = [];
    const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { confirm: true } };
    });
    const requestInit = { headers: { authorization: `Bearer ${person}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/message', app.url), { requestInit }));
    await client.callTool({ name: 'vault_note_delete', arguments: { path: 'a.md' } });
    expect([asked.length, app.gateway.calls.length]).toEqual(person === 'noter' ? [1, 1] : [0, 0]);
    await client.close();
  });
});

describe('resources with an access token that excludes the vault', () => {
  const subscribe = async (person: Person, uri: string) => {
    const headers = { 'mcp-session-id': await beginSampling(app.url, person) };
    const body = { jsonrpc: '2.0', id: 2, method: 'resources/subscribe', params: { uri } };
    return JSON.parse(await (await post(app.url, body, { person, headers })).text());
  };

  it('cannot be watched either', async () => {
    const notes = vaultResources(fakeCatalog, runOver(new FakeGateway()));
    await start({ features: { resources: notes === null ? [] : [notes] } });
    expect(await subscribe('noter', 'vault://a.md')).toMatchObject({ result: {} });
    expect(await subscribe('reader', 'vault://a.md')).toMatchObject({ result: {} });
    expect(await subscribe('teller', 'vault://a.md')).toMatchObject({ error: { code: -32002 } });
  });
});
