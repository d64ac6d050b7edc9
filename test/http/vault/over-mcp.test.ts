import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { streamableClient } from '#test/support/mcp/mcp-clients.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';

const resultSchema = z.looseObject({
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});

// The whole server with the vault that it has itself; the client is the SDK's, which holds what comes against the tools' schemas.
describe('the vault over MCP', () => {
  let server: WholeServer;
  let client: Client;

  beforeAll(async () => {
    server = await openWholeServer();
    client = await streamableClient(server.origin, await accessToken(server));
    await client.listTools();
  });
  afterAll(async () => {
    await client.close();
    await server[Symbol.asyncDispose]();
  });

  it('returns a result from each tool, one after the other (VAULT-002)', async () => {
    const path = 'Deals/Acme.md';
    const revision = expect.stringMatching(/^\w{16}$/);
    const steps: readonly (readonly [tool: string, args: Record<string, unknown>, content: unknown])[] = [
      [
        'vault_note_write',
        { path, content: '---\nstatus: open\n---\n# Acme\n\n## History\n' },
        { path, change: 'created', revision },
      ],
      [
        'vault_note_patch',
        { path, target: 'History', content: 'Called.' },
        { path, target: 'Acme::History', change: 'appended', revision },
      ],
      ['vault_note_read', { path }, null],
      ['vault_vault_list', { dir_path: 'Deals' }, { files: ['Acme.md'] }],
      [
        'vault_search',
        { query: 'called' },
        expect.objectContaining({ data: [{ filename: path, matches: ['Called.'] }] }),
      ],
      [
        'vault_search_advanced',
        { query: { '==': [{ var: 'frontmatter.status' }, 'open'] } },
        { data: [{ filename: path, result: true }] },
      ],
      ['vault_frontmatter_set', { path, key: 'status', value: 'won' }, { path, key: 'status', value: 'won', revision }],
      ['vault_frontmatter_get', { path }, { status: 'won' }],
      ['vault_tags_add', { path, tags: ['deal'] }, { path, tags: ['deal'], revision }],
      ['vault_tags_list', { path }, { path, tags: ['deal'] }],
      ['vault_tags_remove', { path, tags: ['deal'] }, { path, tags: [], revision }],
      [
        'vault_periodic_write',
        { period: 'daily', content: 'Today.' },
        { path: expect.stringMatching(/^Daily\/\d{4}-\d\d-\d\d\.md$/), change: 'appended', revision },
      ],
      ['vault_periodic_read', { period: 'daily' }, null],
      [
        'vault_commands_list',
        {},
        { commands: expect.arrayContaining([expect.objectContaining({ id: 'daily-notes' })]) },
      ],
      ['vault_command_run', { command_id: 'daily-notes' }, { done: true }],
      [
        'vault_note_section',
        { path, target: 'History' },
        { path, part: 'Acme::History', lines: '7-8', text: expect.stringContaining('## History') },
      ],
      [
        'vault_note_write',
        { path: 'Links.md', content: '[[Acme#History]] #deal/won' },
        { path: 'Links.md', change: 'created', revision },
      ],
      [
        'vault_heading_rename',
        { path, target: 'History', title: 'Log' },
        { path, target: 'Acme::Log', count: 1, notes: [path, 'Links.md'], left: [], revision },
      ],
      [
        'vault_note_move',
        { path, to: 'Won/Acme Ltd.md' },
        { path: 'Won/Acme Ltd.md', from: path, count: 1, notes: ['Links.md'], left: [], revision },
      ],
      [
        'vault_tag_rename',
        { tag: 'deal', to: 'case' },
        { tag: 'deal', to: 'case', count: 1, notes: ['Links.md'], left: [] },
      ],
      ['vault_note_replace', { path: 'Links.md', find: '[[Acme Ltd#Log]] #case/won', replace: 'x' }, expect.anything()],
      [
        'vault_note_versions',
        { path: 'Won/Acme Ltd.md', limit: 1 },
        expect.objectContaining({ data: [expect.objectContaining({ change: 'moved', app: expect.any(String) })] }),
      ],
      ['vault_note_delete', { path: 'Won/Acme Ltd.md' }, { done: true }],
      ['vault_note_restore', { path: 'Won/Acme Ltd.md' }, { path: 'Won/Acme Ltd.md', change: 'restored', revision }],
    ];
    for (const [name, args, content] of steps) {
      const result = resultSchema.parse(await client.callTool({ name, arguments: args }));
      expect([name, result.isError, result.structuredContent ?? null]).toEqual([name, undefined, content]);
    }
    expect(steps).toHaveLength(24);
  });

  it.each(['vault_note_read', 'vault_note_delete', 'vault_frontmatter_get', 'vault_tags_list'])(
    'returns an error that the client accepts for a missing %s',
    async (name) => {
      const result = resultSchema.parse(await client.callTool({ name, arguments: { path: 'None.md' } }));
      expect([result.isError, result.structuredContent?.['reason']]).toEqual([true, 'not_found']);
    },
  );
});
