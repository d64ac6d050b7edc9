import { serveOnLoopback } from '#test/support/network/loopback-server.ts';

/** What a server offers, as its lists have it. */
type Offered = Readonly<Record<'tools' | 'prompts' | 'resources' | 'templates', readonly object[]>>;

/** Starts a plain MCP server over HTTP without sessions, which has tools, prompts and resources; each resource reads as its URI. */
export async function startOfferingServer(
  offered: Offered,
): Promise<Readonly<{ url: string; close: () => Promise<unknown> }>> {
  const answers: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => object>> = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {}, prompts: {}, resources: {} },
      serverInfo: { name: 'offering', version: '1' },
    }),
    'tools/list': () => ({ tools: offered.tools }),
    'prompts/list': () => ({ prompts: offered.prompts }),
    'prompts/get': ({ name }) => ({ messages: [{ role: 'user', content: { type: 'text', text: String(name) } }] }),
    'resources/list': () => ({ resources: offered.resources }),
    'resources/templates/list': () => ({ resourceTemplates: offered.templates }),
    'resources/read': ({ uri }) => ({ contents: [{ uri, text: String(uri) }] }),
  };
  const { url, close } = await serveOnLoopback((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const { id, method, params = {} } = JSON.parse(Buffer.concat(parts).toString());
      if (id === undefined) return void response.writeHead(202).end();
      const result = answers[method]?.(params) ?? {};
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  return { url: `${url}/mcp`, close };
}
