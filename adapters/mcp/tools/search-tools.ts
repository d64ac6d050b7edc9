import { z } from 'zod';
import type { ToolResult } from '#adapters/mcp/protocol/messages.ts';
import { chosenTool, everyTool } from '#adapters/mcp/protocol/tool-choice.ts';
import { refused } from '#adapters/mcp/results/tool-result.ts';
import { briefEntries } from '#adapters/mcp/tools/brief-entries.ts';
import { checking } from '#adapters/mcp/tools/checked-tool.ts';
import { maxResultTokens, runWithin } from '#adapters/mcp/tools/result-budget.ts';
import type { Tool, ToolCall } from '#adapters/mcp/tools/tool.ts';
import { ToolIndex } from '#adapters/mcp/tools/tool-index.ts';
import type { ToolRegistry } from '#adapters/mcp/tools/tool-registry.ts';
import { excludedText, unknownTool } from '#adapters/mcp/tools/unknown-tool.ts';
import type { Connections } from '#application/ports/connections.ts';
import { hintsOf } from '#domain/operations/effect.ts';
import { failed } from '#domain/operations/outcome.ts';
import { estimateTokens, isWithinTokens } from '#domain/text/estimate-tokens.ts';
import { mayChange, onlyReads } from '#domain/users/rights.ts';
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
function searchArguments(services: readonly string[], hasPrograms: boolean) {
  return z.strictObject({
    query: z.string().optional().describe('What you want to do, such as "create an issue"; empty for all'),
    service: z.enum(services).optional().describe('Only the tools of one service'),
    limit: z.int().min(1).max(maxFound).default(5).describe('Maximum number of results'),
    full: z.boolean().default(false).describe('Whether with whole descriptions and input schemas'),
    ...(hasPrograms
      ? { code: z.boolean().default(false).describe('As TypeScript declarations, for workspace_run') }
      : {}),
  });
}

/**
 * Builds the tools for clients with a small context: a search over all tools and other operations, and two tools that
 * run those found, one of them for read-only tools.
 */
export function searchTools(
  all: ToolRegistry,
  connections: Pick<Connections, 'overview'>,
  declare: Declare | null = null,
): readonly Tool[] {
  let index: ToolIndex<Tool> | null = null;
  const search = checking(searchArguments(all.services, declare !== null), {
    name: 'search_tools',
    title: 'Search tools',
    description:
      'Searches the tools and operations of the connected services, best matches first, with their inputs (* is required). Run them with the tool named in `run`',
    outputSchema: {
      type: 'object',
      properties: { tools: { type: 'array', items: { type: 'object' } }, found: { type: 'integer' } },
      required: ['tools', 'found'],
    },
    annotations: hintsOf('read', true, false),
    service: null,
    run: async (user, args, { choice = everyTool, maxTokens = maxResultTokens }) => {
      const { query = '', service, limit, full } = args;
      index ??= new ToolIndex([...all.tools.values()]);
      const visible = all.toolsFor(user, (await connections.overview(user.id)).services, choice);
      const byName = new Map(visible.map((tool) => [tool.name, tool]));
      const found = index
        .find(query.slice(0, maxQuery))
        .flatMap(({ name }) => byName.get(name) ?? [])
        .filter((tool) => service === undefined || tool.service === service);
      const shown = found.slice(0, limit);
      if (declare !== null && args['code'] === true)
        return declared(shown, { declare, found: found.length, maxTokens });
      const tools = full
        ? startWithin(
            shown.map((tool) => ({ ...all.entryOf(tool, choice.isFull, false), run: runnerOf(tool) })),
            maxTokens,
          )
        : briefEntries(shown.map((tool) => ({ tool, run: runnerOf(tool) })));
      return structured({ tools, found: found.length });
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

/** Declares what programs call in place of tools; tools that they cannot call are left out. */
export type Declare = (tools: readonly Tool[]) => string;

/** The tools as TypeScript declarations: as many as fit, the best matches first. */
function declared(
  tools: readonly Tool[],
  { declare, found, maxTokens }: Readonly<{ declare: Declare; found: number; maxTokens: number }>,
): ToolResult {
  let shown = tools;
  while (shown.length > 1 && !isWithinTokens(declare(shown), maxTokens)) shown = shown.slice(0, -1);
  return structured({ tools: shown.map(({ name }) => ({ name })), found, code: declare(shown) });
}

/** The name of the tool that runs a tool. */
const runnerOf = ({ annotations }: Pick<Tool, 'annotations'>) =>
  annotations.readOnlyHint ? 'run_read_tool' : 'run_write_tool';

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
    annotations: hintsOf(isReading ? 'read' : 'lose', isReading, true),
    service: null,
    run: async (user, args, call) => runNamed(given, user, { args, call }),
  });
}

/** Runs a tool by its name. Whatever is wrong with the call is the tool's error, which models read. */
async function runNamed(
  { all, visible, isReading }: Runner,
  user: User,
  { args, call }: Readonly<{ args: RunArguments; call: ToolCall }>,
): Promise<ToolResult> {
  const { tool: name, arguments: given = {} } = args;
  const { choice = everyTool } = call;
  const named = all.tools.get(name);
  if (named === undefined) {
    const { message } = unknownTool(name, await visible(user, call), 'Find one with search_tools.');
    return refused(failed('invalid_input', message));
  }
  const tool = chosenTool(named, choice, mayChange(user, named.service));
  if (tool === null) return refused(failed('forbidden', excludedText(named, choice)));
  if (tool.annotations.readOnlyHint !== isReading) {
    const isRunElsewhere = mayChange(user, null);
    return refused(
      isRunElsewhere ? failed('invalid_input', `${name} is run with ${runnerOf(tool)}.`) : onlyReads(null),
    );
  }
  return runWithin(tool, user, given, call);
}

/** The first of these entries that are together within a number of tokens; at least one. */
function startWithin<Entry>(entries: readonly Entry[], maxTokens: number): readonly Entry[] {
  let left = maxTokens;
  const fitting = entries.findIndex((entry) => {
    left -= estimateTokens(JSON.stringify(entry));
    return left < 0;
  });
  return fitting === -1 ? entries : entries.slice(0, Math.max(1, fitting));
}

function structured(content: Readonly<Record<string, unknown>>): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(content) }], structuredContent: content };
}
