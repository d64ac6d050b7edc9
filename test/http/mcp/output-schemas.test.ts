import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { post } from '#test/support/mcp/mcp-clients.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { startWholeServer } from '#test/support/server/whole-server.ts';

const listed = z.object({
  result: z.object({ tools: z.array(z.looseObject({ outputSchema: z.unknown().optional() })) }),
});

/** How many of the listed tools have an output schema, at these addresses of a server with these settings. */
async function schemasAt(env: Readonly<Record<string, string>>, paths: readonly string[]): Promise<readonly number[]> {
  await using server = await startWholeServer(env);
  const person = await grantToken(server.origin, await server.signedIn(), { name: 'Agent' });
  const answers = paths.map(async (path) => {
    const answer = await post(server.origin, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { path, person });
    const { tools } = listed.parse(await answer.json()).result;
    return tools.filter(({ outputSchema }) => outputSchema !== undefined).length;
  });
  return await Promise.all(answers);
}

describe('output schemas in the list of tools', () => {
  it('are present on request, or if the server is set so, and not otherwise (MCP-023)', async () => {
    const [brief, full] = await schemasAt({}, ['/message', '/message?schemas=full']);
    const [always] = await schemasAt({ MCP_OUTPUT_SCHEMAS: 'on' }, ['/message']);
    expect([brief, full]).toEqual([0, always]);
    expect(always).toBeGreaterThan(0);
  });
});
