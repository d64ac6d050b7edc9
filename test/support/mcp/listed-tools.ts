import { z } from 'zod';
import { catalogOf } from '#adapters/services/catalog.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { startMcpApp } from '#test/support/mcp/mcp-app.ts';
import { post } from '#test/support/mcp/mcp-clients.ts';
import { listedPrograms, workspaceTools } from '#test/support/mcp/workspace-tools.ts';

/** A tool as `tools/list` sends it. */
export const listedTool = z.looseObject({
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  outputSchema: z.record(z.string(), z.unknown()).optional(),
});
export type ListedTool = z.output<typeof listedTool>;

const answerSchema = z.object({
  result: z.object({
    tools: z.array(listedTool).optional(),
    content: z.tuple([z.object({ text: z.string() })]).optional(),
  }),
});

/** A server with all tools, for a user who is connected to everything; `list` and `search` return what it sends. */
export async function openToolLists() {
  const catalog = catalogOf(readSettings({}).services.map((service) => service.provider()));
  const app = await startMcpApp({ catalog, features: { tools: workspaceTools(catalog), programs: listedPrograms } });
  const ask = async (query: string, method: string, params: object = {}) => {
    const response = await post(app.url, { jsonrpc: '2.0', id: 1, method, params }, { path: `/message${query}` });
    return answerSchema.parse(await response.json()).result;
  };
  return {
    list: async (query: string): Promise<readonly ListedTool[]> => (await ask(query, 'tools/list')).tools ?? [],
    search: async (query: string): Promise<readonly ListedTool[]> => {
      const call = { name: 'search_tools', arguments: { query, full: true } };
      const { content } = await ask('?mode=catalogue', 'tools/call', call);
      return z.object({ tools: z.array(listedTool) }).parse(JSON.parse(content?.[0].text ?? '')).tools;
    },
    [Symbol.asyncDispose]: () => app.close(),
  };
}

/** A server's lists of tools. */
export type ToolLists = Awaited<ReturnType<typeof openToolLists>>;
