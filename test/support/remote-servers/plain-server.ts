import type { AddressInfo } from 'node:net';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';

/** A real MCP server over HTTP, whose tools can be changed; each answers with its name. */
export type PlainServer = AsyncDisposable &
  Readonly<{ url: string; tools: Tool[]; calls: readonly string[]; bearers: readonly (string | null)[] }>;

/** A tool that takes anything. */
export const toolOf = (name: string, description: string, more: Partial<Tool> = {}): Tool => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  ...more,
});

/** Starts it with these tools; with a key, it answers no other bearer. */
export async function startPlainServer(tools: Tool[], key: string | null = null): Promise<PlainServer> {
  const calls: string[] = [];
  const bearers: (string | null)[] = [];
  const app = createMcpExpressApp();
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  app.all('/mcp', async (request, response) => {
    const bearer = request.headers.authorization?.replace('Bearer ', '') ?? null;
    bearers.push(bearer);
    if (key !== null && bearer !== key) {
      response.status(401).end();
      return;
    }
    const mcp = new Server({ name: 'plain', version: '1' }, { capabilities: { tools: {} } });
    mcp.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
    mcp.setRequestHandler(CallToolRequestSchema, ({ params: { name } }) => {
      calls.push(name);
      return { content: [{ type: 'text', text: `${name} was called` }] };
    });
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on('close', () => void mcp.close());
    await mcp.connect(transport);
    await transport.handleRequest(request, response, request.body);
  });
  return {
    url: `http://localhost:${portOf(server.address())}/mcp`,
    tools,
    calls,
    bearers,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
