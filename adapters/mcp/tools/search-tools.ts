import { z } from 'zod';
import { RpcError, rpcCodes } from '#adapters/mcp/protocol/json-rpc.ts';
import type { ToolResult } from '#adapters/mcp/protocol/messages.ts';
import { chosenTool, everyTool } from '#adapters/mcp/protocol/tool-choice.ts';
import { checking } from '#adapters/mcp/tools/checked-tool.ts';
import type { Tool, ToolCall } from '#adapters/mcp/tools/tool.ts';
import type { ToolRegistry } from '#adapters/mcp/tools/tool-registry.ts';
import { unknownTool } from '#adapters/mcp/tools/unknown-tool.ts';
import type { Connections } from '#application/ports/connections.ts';
import { hintsOf } from '#domain/operations/effect.ts';
import { mayChange } from '#domain/users/rights.ts';
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

const runArguments = z.strictObject({
  tool: z.string().describe('Name of the tool, from search_tools'),
  arguments: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'Its arguments, by its own input schema', additionalProperties: true }),
});

type RunArguments = z.output<typeof runArguments>;

/** The arguments of a search over these services. */
function searchArguments(services: readonly string[]) {
  return z.strictObject({
    query: z.string().optional().describe('What you want to do, such as "create an issue"; empty for all'),
    service: z.enum(services).optional().describe('Only the tools of one service'),
    limit: z.int().min(1).max(maxFound).default(5).describe('Maximum number of results'),
  });
}

type SearchArguments = z.output<ReturnType<typeof searchArguments>>;

/**
 * Builds the tools for clients with a small context: a search over all tools, and two tools that run those found, one
 * of them for read-only tools.
 */
export function searchTools(all: ToolRegistry, connections: Pick<Connections, 'overview'>): readonly Tool[] {
  const search = checking(searchArguments(all.services), {
    name: 'search_tools',
    title: 'Search tools',
    description:
      'Searches the tools of the connected services, and returns their input schemas. Run them with run_read_tool or run_write_tool',
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
      return structured({
        tools: found.slice(0, args.limit).map((tool) => all.entryOf(tool, choice.isFull, false)),
        found: found.length,
      });
    },
  });
  const visible = async (user: User, { choice = everyTool }: ToolCall): Promise<readonly Tool[]> =>
    all.toolsFor(user, (await connections.overview(user.id)).services, choice);
  return [
    search,
    runner({ all, visible, isReading: true }, 'Runs a tool that changes nothing, by its name from search_tools'),
    runner(
      { all, visible, isReading: false },
      'Runs a tool that changes something, by its name from search_tools; some overwrite or delete data',
    ),
  ];
}

type Runner = Readonly<{
  all: ToolRegistry;
  /** The tools that the caller may see. */
  visible: (user: User, call: ToolCall) => Promise<readonly Tool[]>;
  isReading: boolean;
}>;

function runner(given: Runner, description: string): Tool {
  const { isReading } = given;
  return checking(runArguments, {
    name: isReading ? 'run_read_tool' : 'run_write_tool',
    title: isReading ? 'Run a read tool' : 'Run a write tool',
    description,
    annotations: hintsOf(isReading ? 'read' : 'destroy', isReading, true),
    service: null,
    run: async (user, args, call) => runNamed(given, user, { args, call }),
  });
}

async function runNamed(
  { all, visible, isReading }: Runner,
  user: User,
  { args, call }: Readonly<{ args: RunArguments; call: ToolCall }>,
): Promise<ToolResult> {
  const { tool: name, arguments: given = {} } = args;
  const tool = chosenTool(all.tools.get(name), call.choice ?? everyTool, mayChange(user));
  if (tool === null) {
    throw unknownTool(name, await visible(user, call), 'Find one with search_tools.');
  }
  if (tool.annotations.readOnlyHint !== isReading) {
    const right = isReading ? 'run_write_tool' : 'run_read_tool';
    throw new RpcError(rpcCodes.invalidParams, `${tool.name} is run with ${right}.`);
  }
  return tool.run(user, given, call);
}

/**
 * Ranks the tools that match any of the words, those with the most matches in their names first; ties keep the list's
 * order.
 */
function ranked(tools: readonly Tool[], { query = '', service }: SearchArguments): readonly Tool[] {
  const words = wordsOf(query);
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
