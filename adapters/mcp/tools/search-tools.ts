import { isObject, rpcCodes } from '#adapters/mcp/protocol/json-rpc.ts';
import type { ToolResult } from '#adapters/mcp/protocol/messages.ts';
import { RpcError } from '#adapters/mcp/protocol/rpc-error.ts';
import { everyTool, isChosen } from '#adapters/mcp/protocol/tool-choice.ts';
import { refusedArguments } from '#adapters/mcp/tools/own-arguments.ts';
import type { Tool, ToolCall } from '#adapters/mcp/tools/tool.ts';
import { described, type ToolRegistry } from '#adapters/mcp/tools/tool-registry.ts';
import type { Connections } from '#application/ports/connections.ts';
import { hintsOf } from '#domain/operations/effect.ts';
import type { User } from '#domain/users/user.ts';

/** The tools that the catalogue mode lists besides its own three: the most common ones. */
export const directTools: readonly string[] = [
  'vault_note_read',
  'vault_search',
  'sales_crm_search',
  'tracker_issues_list',
];

/** The maximum number of tools in one search result. */
const maxFound = 20;

/** The maximum length of a query, in characters; the rest is ignored. */
const maxQuery = 1_000;

type Args = Readonly<Record<string, unknown>>;

const runSchema = {
  type: 'object',
  properties: {
    tool: { type: 'string', description: 'Name of the tool, from search_tools' },
    arguments: { type: 'object', description: 'Its arguments, by its own input schema' },
  },
  required: ['tool'],
  additionalProperties: false,
} as const;

/**
 * Builds the tools for clients with a small context: a search over all tools, and two tools that run those found, one
 * of them for read-only tools.
 */
export function searchTools(all: ToolRegistry, connections: Pick<Connections, 'overview'>): readonly Tool[] {
  const search = checking({
    name: 'search_tools',
    title: 'Search tools',
    description:
      'Finds tools of the connected services by words, with their input schemas. Run what it finds with run_read_tool or run_write_tool',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What you want to do, such as "create an issue"; empty for all' },
        service: { type: 'string', enum: all.services, description: 'Only the tools of one service' },
        limit: { type: 'integer', minimum: 1, maximum: maxFound, default: 5, description: 'The most to show' },
      },
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: { tools: { type: 'array', items: { type: 'object' } }, found: { type: 'integer' } },
      required: ['tools', 'found'],
    },
    annotations: hintsOf('read', true, false),
    service: null,
    run: async (user, args, { choice = everyTool }) => {
      const tools = all.toolsFor(user, (await connections.overview(user.id)).services, choice);
      const found = ranked(tools, args);
      const limit = typeof args['limit'] === 'number' ? args['limit'] : 5;
      return structured({
        tools: found.slice(0, limit).map((tool) => described(tool, { isFull: choice.isFull, hasOutput: false })),
        found: found.length,
      });
    },
  });
  return [
    search,
    runner(all, true, 'Runs a tool that changes nothing, by its name from search_tools'),
    runner(
      all,
      false,
      'Runs a tool that changes something, by its name from search_tools; some lose what was there before',
    ),
  ];
}

/** Wraps a tool so that it rejects arguments that do not conform to its schema. */
function checking(tool: Tool): Tool {
  return {
    ...tool,
    run: async (user, args, call) => refusedArguments(tool, args) ?? tool.run(user, args, call),
  };
}

function runner(all: ToolRegistry, isReading: boolean, description: string): Tool {
  const name = isReading ? 'run_read_tool' : 'run_write_tool';
  return checking({
    name,
    title: isReading ? 'Run a reading tool' : 'Run a writing tool',
    description,
    inputSchema: runSchema,
    annotations: hintsOf(isReading ? 'read' : 'destroy', isReading, true),
    service: null,
    run: async (user, args, call) => runNamed({ all, isReading }, user, { args, call }),
  });
}

async function runNamed(
  { all, isReading }: Readonly<{ all: ToolRegistry; isReading: boolean }>,
  user: User,
  { args, call }: Readonly<{ args: Args; call: ToolCall }>,
): Promise<ToolResult> {
  const { tool: name, arguments: given = {} } = args;
  const tool = typeof name === 'string' ? all.tools.get(name) : undefined;
  if (tool === undefined || !isChosen(tool, call.choice ?? everyTool)) {
    throw new RpcError(
      rpcCodes.invalidParams,
      `Unknown tool: ${typeof name === 'string' ? name.slice(0, 200) : 'none'}. Find one with search_tools.`,
    );
  }
  if (tool.annotations.readOnlyHint !== isReading) {
    const right = isReading ? 'run_write_tool' : 'run_read_tool';
    throw new RpcError(rpcCodes.invalidParams, `${tool.name} is run with ${right}.`);
  }
  return tool.run(user, isObject(given) ? given : {}, call);
}

/**
 * Ranks the tools that match any of the words, those with the most matches in their names first; ties keep the list's
 * order.
 */
function ranked(tools: readonly Tool[], { query, service }: Args): readonly Tool[] {
  const words = typeof query === 'string' ? wordsOf(query) : [];
  const of = tools.filter((tool) => service === undefined || tool.service === service);
  if (words.length === 0) return of;
  return of
    .map((tool) => ({ tool, score: words.reduce((sum, word) => sum + scoreOf(tool, word), 0) }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score)
    .map(({ tool }) => tool);
}

/** The distinct words of a query. */
function wordsOf(query: string): readonly string[] {
  const words = query
    .slice(0, maxQuery)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  return [...new Set(words)];
}

/** Scores a word against a tool; singular and plural match, so "issues" finds "issue". */
function scoreOf({ name, title, description }: Tool, word: string): number {
  const stem = word.length > 3 ? word.replace(/(?:ies|es|s|y)$/, '') : word;
  const has = (text: string) => text.toLowerCase().includes(stem);
  return (has(name) ? 3 : 0) + (has(title) ? 2 : 0) + (has(description) ? 1 : 0);
}

function structured(content: Readonly<Record<string, unknown>>): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(content) }], structuredContent: content };
}
