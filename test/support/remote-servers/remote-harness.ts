import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Service } from '#adapters/services/definitions/service.ts';
import { fromMcp, type McpOptions } from '#adapters/services/from-mcp/from-mcp.ts';
import { allServices } from '#bootstrap/services.ts';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { grantToken, type Wanted } from '#test/support/server/granted.ts';
import { startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

const program = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The program of the documents, which adds two numbers. */
export const otherProgram = program('../../examples/mcp-server/other.mjs');

/** The server of the documents as a service. */
export function otherService(env: Readonly<Record<string, string>> = {}, more: Partial<McpOptions> = {}): Service {
  const command = { command: process.execPath, args: [otherProgram], env };
  return fromMcp({ key: 'other', title: 'Other', ...command, connection: 'none', ...more });
}

/** What a program may list of a tool. */
export type ListedTool = Readonly<{ name: string; [member: string]: unknown }>;

const anyInput = { type: 'object' };

/** A program that lists these tools and does what their names say, as the service `odd`. */
export function oddService(
  tools: readonly (string | ListedTool)[],
  more: Partial<McpOptions> = {},
  variables: Readonly<Record<string, string>> = {},
): Service {
  const listed = tools.map((tool) =>
    typeof tool === 'string' ? { name: tool, inputSchema: anyInput, annotations: { readOnlyHint: true } } : tool,
  );
  const env = { TOOLS: JSON.stringify(listed), ...variables };
  const command = { command: process.execPath, args: [program('odd-program.mjs')], env };
  return fromMcp({ key: 'odd', title: 'Odd', ...command, connection: 'none', ...more });
}

/** A client of a server, as an app of its first user. */
export async function appAt(server: WholeServer, wanted: Partial<Wanted> = {}, capabilities = {}): Promise<Client> {
  return connected(server, await grantToken(server.origin, await server.signedIn(), { name: 'App', ...wanted }), {
    capabilities,
  });
}

/** A client that chooses by this query, as an app of a user: the first one by default. */
export async function grantedApp(
  server: WholeServer,
  query: string,
  wanted: Partial<Wanted> = {},
  browser: PlainBrowser | null = null,
): Promise<Client> {
  const user = browser ?? (await server.signedIn());
  return connected(server, await grantToken(server.origin, user, { name: 'App', ...wanted }), { query });
}

async function connected(
  { origin }: WholeServer,
  token: string,
  { query = '', capabilities = {} }: Readonly<{ query?: string; capabilities?: object }>,
): Promise<Client> {
  const client = new Client({ name: 'app', version: '1' }, { capabilities });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/message${query}`), { requestInit }));
  return client;
}

/** Starts a server with these services besides its own; in a folder that is there already if one is given. */
export function serverWith(services: readonly Service[], folder?: string, env = {}): Promise<WholeServer> {
  return startWholeServer(env, folder, [...allServices, ...services]);
}

/** The names of the listed tools of a service. */
export async function namesOf(client: Client, key: string): Promise<readonly string[]> {
  const { tools } = await client.listTools();
  return tools.flatMap(({ name }) => (name.startsWith(`${key}_`) ? [name] : []));
}

/** The text of a tool's answer. */
export async function textOf(client: Client, name: string, input: object = {}): Promise<string> {
  const { content } = await client.callTool({ name, arguments: { ...input } });
  return JSON.stringify(content);
}
