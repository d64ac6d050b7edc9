import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createMcpHandler, McpServer as McpServer2 } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CachedSessionTokens } from '#adapters/memory/cached-session-tokens.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';
import type { Target } from '#test/bench/bench.ts';
import { plannedCatalog } from '#test/bench/target.ts';
import { serveOnLoopback } from '#test/support/network/loopback-server.ts';

/** The SDKs' own servers: that of SDK 1 by its two interfaces, and that of SDK 2. */
export type SdkServer = 'sdk 1' | 'sdk 1, low level' | 'sdk 2';

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const identity = { name: 'sdk', version: '1.0.0' };
const text = { content: [{ type: 'text' as const, text: '# Acme\n\nA note of two lines.' }] };

/** The same tools as the target's, their zod schemas made once. */
const tools = plannedCatalog.operations.flatMap(({ tool, title, summary, inputSchema }) => {
  if (tool === null) return [];
  const input = z.fromJSONSchema(z.record(z.string(), z.json()).parse(inputSchema));
  if (!(input instanceof z.ZodObject)) throw new Error(`The input of ${tool} is no object`);
  return { name: tool, title, description: summary, input, inputSchema };
});

/** Serves the tools by one of the SDKs on node:http, without sessions, to whoever has a bearer token sealed as ours. */
export async function startSdkServer(kind: SdkServer): Promise<Target> {
  const sessions = new CachedSessionTokens(new JweSessionTokens([deriveKey('x'.repeat(32), 'session')]));
  const token = await sessions.seal({ userId: 1, issuedAt: Date.now() });
  const answer = kind === 'sdk 2' ? bySdk2() : bySdk1(kind);
  const answerSignedIn: Answer = async (request, response) => {
    const [, bearer = ''] = (request.headers.authorization ?? '').split(' ');
    if ((await sessions.open(bearer)) === null) response.writeHead(401).end();
    else await answer(request, response);
  };
  const server = await serveOnLoopback((request, response) => void answerSignedIn(request, response));
  return { ...server, headers: { authorization: `Bearer ${token}` } };
}

/** As its documentation has it: a server and a transport for each request. It answers by JSON, as ours does. */
function bySdk1(kind: SdkServer): Answer {
  const open = kind === 'sdk 1' ? openMcpServer : openLowLevel;
  return async (request, response) => {
    const server = open();
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.once('close', () => {
      void transport.close();
      void server.close();
    });
    await server.connect(transport);
    await transport.handleRequest(request, response);
  };
}

function openMcpServer(): McpServer {
  const server = new McpServer(identity);
  for (const { name, title, description, input } of tools) {
    server.registerTool(name, { title, description, inputSchema: input.shape }, () => text);
  }
  return server;
}

/** The cheapest that it has: a list that is made once, and no check of what a tool is given. */
function openLowLevel(): Server {
  const server = new Server(identity, { capabilities: { tools: {} } });
  const listed = tools.map(({ name, title, description, inputSchema }) => ({ name, title, description, inputSchema }));
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed }));
  server.setRequestHandler(CallToolRequestSchema, () => text);
  return server;
}

/** As its documentation has it for both eras: a factory of servers behind one handler. */
function bySdk2(): Answer {
  const handler = createMcpHandler(() => {
    const server = new McpServer2(identity);
    for (const { name, title, description, input } of tools) {
      server.registerTool(name, { title, description, inputSchema: input }, () => text);
    }
    return server;
  });
  const answer = toNodeHandler(handler);
  return async (request, response) => {
    const { method = 'GET', url = '/' } = request;
    await answer(Object.assign(request, { method, url }), response);
  };
}
