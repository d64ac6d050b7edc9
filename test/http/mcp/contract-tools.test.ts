import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Tool } from '#adapters/mcp/tools/tool.ts';
import { catalogOf } from '#adapters/services/catalog.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { providersFrom } from '#bootstrap/modules/providers.ts';
import { contractTools } from '#test/support/mcp/contract-tools.ts';
import { startMcpApp } from '#test/support/mcp/mcp-app.ts';
import { post, toolsCall } from '#test/support/mcp/mcp-clients.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { startWholeServer } from '#test/support/server/whole-server.ts';

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const listed = z.object({ result: z.object({ tools: z.array(z.looseObject({ name: z.string() })) }) });

async function namesAt(url: string, path: string, person?: string): Promise<readonly string[]> {
  const answer = await post(url, list, { path, ...(person === undefined ? {} : { person }) });
  return listed.parse(await answer.json()).result.tools.map(({ name }) => name);
}

const more: Tool = {
  name: 'vault_note_more',
  title: 'One more tool',
  description: 'A tool that is not planned',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  service: 'vault',
  run: async () => ({ content: [{ type: 'text', text: 'Here.' }] }),
};

describe('with `TOOLS=contract`', () => {
  it('a client that chooses no tools is listed the planned ones only (TOOL-001, TOOL-011)', async () => {
    await using server = await startWholeServer({ TOOLS: 'contract' });
    const person = await grantToken(server.origin, await server.signedIn(), { name: 'Agent' });
    const vault = contractTools.filter((name) => name.startsWith('vault_'));
    // The first user of a fresh server is connected to the team's vault only.
    expect([...(await namesAt(server.origin, '/message', person))].sort()).toEqual(vault.toSorted());
  });

  it('what a client chooses, and calls, keeps the others (TOOL-011)', async () => {
    const catalog = catalogOf(providersFrom(readSettings({})));
    const app = await startMcpApp({ catalog, features: { tools: [more], defaultTools: 'contract' } });
    try {
      for (const path of ['/message', '/message?schemas=full'])
        expect([...(await namesAt(app.url, path))].sort()).toEqual(contractTools.toSorted());
      for (const path of ['/message?services=vault', '/message?readonly=1'])
        expect(await namesAt(app.url, path)).toContain(more.name);
      const answer = await post(app.url, toolsCall(2, more.name));
      expect(await answer.json()).toMatchObject({ result: { content: [{ text: 'Here.' }] } });
    } finally {
      await app.close();
    }
  });

  it('and without it all are listed (TOOL-011)', async () => {
    const app = await startMcpApp({ features: { tools: [more] } });
    expect(await namesAt(app.url, '/message')).toContain(more.name);
    await app.close();
  });
});
