import { z } from 'zod';
import type { RemoteReach } from '#adapters/contracts/remote-sessions.ts';
import { checkInput } from '#adapters/input/check-input.ts';
import { defineVendor } from '#adapters/services/definitions/define-vendor.ts';
import type { Kind } from '#adapters/services/definitions/kind.ts';
import type { RemoteConnection, RemoteDefinition } from '#adapters/services/definitions/remote-definition.ts';
import type { Service } from '#adapters/services/definitions/service.ts';
import { serviceOf } from '#adapters/services/definitions/service-of.ts';
import type { OperationTable } from '#adapters/services/requests/operation-table.ts';
import { type Effect, effects } from '#domain/operations/effect.ts';
import { errorsText } from '#domain/operations/input-error.ts';
import { succeeded } from '#domain/operations/outcome.ts';

/** An MCP server as the configuration names it: at an address, or as a program. */
export type McpOptions = Readonly<{
  /** Lower-case words joined by underscores: the key of the service, its permission, and what its tools' names begin with. */
  key: string;
  /** The title that people and models read. */
  title: string;
  /** Its address, for Streamable HTTP or HTTP+SSE. */
  url?: string;
  /** Which of them it speaks; by default whichever it answers. */
  transport?: 'http' | 'sse' | 'either';
  /** The program that is run for each person, its arguments, and what it sees besides `PATH` and `HOME`. */
  command?: string;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** How people connect to it: by its OAuth, by a key that is sent as a bearer, or not at all. */
  connection: RemoteConnection;
  /** The tools that are used, by its names; all by default. */
  tools?: readonly string[];
  /** What tools do, by its names; by default the worst that their hints allow. */
  effects?: Readonly<Record<string, Effect>>;
  /** The tools that `workspace_search` asks as well, by its names; each takes words as `query` or its only required text. */
  search?: readonly string[];
}>;

/** Keys that begin the names of this server's own tools. */
const reserved: readonly string[] = ['workspace', 'portolan'];

/** The maximum length of a key: names of tools have at most 64 characters. */
const maxKey = 32;

const options = z.strictObject({
  key: z
    .string()
    .max(maxKey)
    .regex(/^[a-z]+(_[a-z]+)*$/, { error: 'must be lower-case words joined by _, such as "wiki"' })
    .refine((key) => !reserved.includes(key), { error: 'must not be that of the server itself' }),
  title: z.string().min(1).max(60),
  url: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://mcp.example.com/mcp' })
    .refine((url) => URL.parse(url)?.username === '' && !url.includes('#'), {
      error: 'must have no user info and no fragment',
    })
    .optional(),
  transport: z.enum(['http', 'sse', 'either']).optional(),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  connection: z.enum(['oauth', 'key', 'none']),
  tools: z.array(z.string().min(1)).optional(),
  effects: z.record(z.string(), z.enum(effects)).optional(),
  search: z.array(z.string().min(1)).optional(),
});

/**
 * Creates a service from an MCP server: its tools become operations with the rights, approvals, switches and activity of
 * every other. What it lists first is accepted; a tool that is new or has changed later waits until an administrator has
 * seen it. Throws for options that do not fit, with what would be valid.
 */
export function fromMcp(given: McpOptions): Service {
  const read = checkInput(options, given);
  if (!read.ok) throw new Error(`fromMcp: ${errorsText(read.failure)}`);
  const { key, title, connection, tools, effects: chosen = {}, search = [] } = read.value;
  const reach = reachOf(given);
  if (reach.kind === 'command' && connection !== 'none') {
    throw new Error(
      `fromMcp: ${key} is a program, to which nobody connects; give connection: 'none', and what it needs in env.`,
    );
  }
  return remoteService({
    key,
    title,
    reach,
    connection,
    tools: tools ?? null,
    searched: search,
    effects: chosen,
    acceptsFirst: true,
  });
}

function reachOf({ key, url, transport, command, args = [], env = {} }: McpOptions): RemoteReach {
  if ((url === undefined) === (command === undefined)) {
    throw new Error(`fromMcp: ${key} has ${url === undefined ? 'no' : 'both'} url and command; give one of them.`);
  }
  if (url !== undefined) return { kind: 'http', url, transport: transport ?? 'either' };
  return { kind: 'command', command: command ?? '', args, env };
}

/** Creates the service of a remote MCP server. Its operations are known while it runs, and not before. */
export function remoteService(definition: RemoteDefinition): Service {
  const { key, title, reach, connection } = definition;
  const kind: Kind<OperationTable, Record<string, never>> = {
    key,
    title,
    noun: title,
    operations: {},
    keyMethod: connection === 'key' ? 'personal_token' : null,
    probe: 'tools',
    remote: definition,
    instructions: { tools: `${key}_*` },
  };
  const vendor = defineVendor(kind, {
    name: 'neutral',
    title: null,
    operations: {},
    dialect: ({ url }) => ({
      name: 'neutral',
      baseUrl: () => url ?? (reach.kind === 'http' ? reach.url : 'stdio:'),
      trust: () => true,
      credentials: () => ({}),
      headers: {},
      mediaTypes: {},
      readError: () => null,
      readSuccess: ({ body }) => succeeded(body),
    }),
  });
  return serviceOf(kind, [vendor]);
}
