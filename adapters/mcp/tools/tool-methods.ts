import { InputRequired } from '#adapters/mcp/protocol/input-required.ts';
import { RpcError, type RpcParams, rejectCursor, rpcCodes } from '#adapters/mcp/protocol/json-rpc.ts';
import type { MethodResults, ToolResult } from '#adapters/mcp/protocol/messages.ts';
import type { Method, MethodContext, Methods } from '#adapters/mcp/protocol/method.ts';
import { chosenTool, type ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import { type ResultForm, sentOnce } from '#adapters/mcp/results/sent-once.ts';
import { refused } from '#adapters/mcp/results/tool-result.ts';
import { maxResultTokens, runWithin } from '#adapters/mcp/tools/result-budget.ts';
import type { Tool, ToolCall } from '#adapters/mcp/tools/tool.ts';
import type { ToolRegistry } from '#adapters/mcp/tools/tool-registry.ts';
import { excludedText, unknownTool } from '#adapters/mcp/tools/unknown-tool.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { Logger } from '#application/ports/logger.ts';
import { isObject } from '#domain/json/json-data.ts';
import { failed } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { mayChange, onlyReads } from '#domain/users/rights.ts';
import { DatabaseUnavailable, retryAfterS, unavailableText } from '#infrastructure/database/database-unavailable.ts';

/**
 * The tool methods' dependencies: all tools, those that are listed to a client that chooses none, and the few that are
 * listed in the catalogue mode, or to clients that work with programs. All can be called, whichever are listed.
 */
type Lists = Readonly<Record<'all' | 'usual' | 'catalogue' | 'programs', ToolRegistry>>;

type ToolDependencies = Readonly<{
  /** The tools as they are now: those of remote MCP servers come and go. */
  lists: () => Lists;
  connections: Pick<Connections, 'overview'>;
  logger: Logger;
  usage?: AnswerUsage | undefined;
}>;

/** Notes the tokens, about, of each answer to an app; `service` is `workspace` for tools over all services. */
export type AnswerUsage = Readonly<{ answered(userId: number, service: ServiceKey, tokens: number): void }>;

/** The methods `tools/list` and `tools/call`. */
export function toolMethods(dependencies: ToolDependencies): Methods {
  const list: Method<MethodResults['tools/list']> = {
    isCacheable: true,
    run: async (params, { user, choice }) => {
      rejectCursor(params, 'the tool list has one page');
      return listed(dependencies.lists(), choice).listFor(
        user,
        (await dependencies.connections.overview(user.id)).services,
        choice,
      );
    },
  };
  return { 'tools/list': list, 'tools/call': { run: (params, context) => call(dependencies, params, context) } };
}

/** The tools that a choice lists. */
function listed({ all, usual, catalogue, programs }: Lists, choice: ToolChoice): ToolRegistry {
  if (choice.isPrograms) return programs;
  if (choice.isCatalogue) return catalogue;
  return choice.services === null && !choice.isReadonly ? usual : all;
}

/**
 * Runs a tool. Throws `RpcError` for an unknown tool or arguments that are not an object; unexpected errors are logged
 * here, once.
 */
async function call(dependencies: ToolDependencies, params: RpcParams, context: MethodContext): Promise<ToolResult> {
  const { name, arguments: given = {} } = params;
  const { user, signal } = context;
  if (typeof name !== 'string') throw new RpcError(rpcCodes.invalidParams, 'The parameter name must be a text.');
  const tool = find(dependencies, name, context) ?? (await reject(dependencies, name, context));
  if (!isObject(given)) throw new RpcError(rpcCodes.invalidParams, 'The parameter arguments must be an object.');
  // The tools of a service check the user's rights themselves, by operation.
  if (tool.service === null && !tool.annotations.readOnlyHint && !mayChange(user, null))
    return refused(onlyReads(null));
  const form = formOf(dependencies, context);
  try {
    const result = sentOnce(await runWithin(tool, user, given, callOf(context, form)), form);
    if (user.app !== undefined) dependencies.usage?.answered(user.id, tool.service ?? 'workspace', tokensOf(result));
    return result;
  } catch (error) {
    if (error instanceof RpcError || error instanceof InputRequired) throw error;
    if (error instanceof DatabaseUnavailable) {
      dependencies.logger.warn({ reason: error.reason, error: error.message, tool: name }, 'Database unavailable');
      return refused(failed('unavailable', unavailableText, { retryAfterMs: retryAfterS * 1000 }));
    }
    if (!signal.aborted)
      dependencies.logger.error({ err: error, tool: name, userId: user.id }, 'A tool failed unexpectedly');
    throw new RpcError(rpcCodes.internalError, 'Internal error');
  }
}

/** The tokens of a result, about: four characters to each, since an estimate by words would cost more than the call. */
function tokensOf({ content, structuredContent }: ToolResult): number {
  const length = content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
  const whole = length > 0 || structuredContent === undefined ? length : JSON.stringify(structuredContent).length;
  return Math.ceil(whole / 4);
}

function formOf({ lists }: ToolDependencies, { choice, channel }: MethodContext): ResultForm {
  if (channel?.readsStructured === false) return 'text';
  if (choice.isFull) return 'structured';
  return lists().all.hasOutputs ? 'both' : 'either';
}

/** A result that is sent twice has half the length. */
function callOf(context: MethodContext, form: ResultForm): ToolCall {
  return form === 'both' ? { ...context, form, maxTokens: maxResultTokens / 2 } : { ...context, form };
}

/** Finds a tool of the client's mode, of the usual one, or what runs programs. Null for one that is unknown, or that the client excludes. */
function find(dependencies: ToolDependencies, name: string, { user, choice }: MethodContext): Tool | null {
  const tool = known(dependencies, name, choice);
  return chosenTool(tool, choice, mayChange(user, tool?.service ?? null));
}

function known({ lists }: ToolDependencies, name: string, choice: ToolChoice): Tool | undefined {
  const { all, catalogue, programs } = lists();
  const ofMode = choice.isCatalogue ? catalogue.tools.get(name) : undefined;
  return all.tools.get(name) ?? ofMode ?? programs.tools.get(name);
}

/** Throws the error for a tool that was not found. */
async function reject(dependencies: ToolDependencies, name: string, { user, choice }: MethodContext): Promise<never> {
  const { lists, connections } = dependencies;
  const { all, catalogue } = lists();
  const excluded = known(dependencies, name, choice);
  if (excluded !== undefined) throw new RpcError(rpcCodes.invalidParams, excludedText(excluded, choice));
  const { services } = await connections.overview(user.id);
  const own = choice.isCatalogue ? catalogue.toolsFor(user, services, choice) : [];
  throw unknownTool(name, [...own, ...all.toolsFor(user, services, choice)]);
}
