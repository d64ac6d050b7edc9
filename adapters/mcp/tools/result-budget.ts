import type { ToolResult } from '#adapters/mcp/protocol/messages.ts';
import { refused } from '#adapters/mcp/results/tool-result.ts';
import { type Limit, noPages } from '#adapters/mcp/results/truncate.ts';
import { takeAsked } from '#adapters/mcp/tools/asked-arguments.ts';
import type { Tool, ToolCall } from '#adapters/mcp/tools/tool.ts';
import type { JsonObjectSchema } from '#application/ports/operation-catalog.ts';
import { isObject } from '#domain/json/json-data.ts';
import { failed } from '#domain/operations/outcome.ts';
import type { User } from '#domain/users/user.ts';

/** The maximum length of a result, in estimated tokens: common clients refuse more than 25,000 (TOOL-012). */
export const maxResultTokens = 20_000;

/** The tokens reserved for notes beside the answer. */
const noteTokens = 150;

/** How a call's answer is limited; `pageInput` finds the input that sets the length of a page. */
export function limitOf({ maxTokens = maxResultTokens }: Pick<ToolCall, 'maxTokens'>, pageInput = noPages): Limit {
  return { maxTokens: maxTokens - noteTokens, pageInput };
}

/** The lowest maximum that a call may set; below it errors and notes would have no room. */
const minResultTokens = 1000;

type Args = Readonly<Record<string, unknown>>;

/** The argument of reading tools that limits one result. */
const name = 'maxTokens';

const brief = { type: 'integer' };
const whole = {
  type: 'integer',
  description: `Maximum length of the answer, in tokens; ${maxResultTokens} by default`,
  minimum: minResultTokens,
  maximum: maxResultTokens,
};

/** Adds the argument to a reading tool's input schema for a list; others, and one with such an input, stay as they are. */
export function withBudget({ annotations }: Pick<Tool, 'annotations'>, schema: JsonObjectSchema, isFull: boolean) {
  const { properties = {} } = schema;
  if (!annotations.readOnlyHint || !isObject(properties) || Object.hasOwn(properties, name)) return schema;
  return { ...schema, properties: { ...properties, [name]: isFull ? whole : brief } };
}

/** Runs a tool with its arguments: a reading one within the maximum that they set, a changing one as they ask. */
export function runWithin(tool: Tool, user: User, args: Args, call: ToolCall): Promise<ToolResult> {
  return tool.annotations.readOnlyHint ? runReading(tool, user, args, call) : runChanging(tool, user, args, call);
}

function runChanging(tool: Tool, user: User, given: Args, call: ToolCall): Promise<ToolResult> {
  const taken = takeAsked(tool, given);
  if (!taken.ok) return Promise.resolve(refused(taken.failure));
  const { asked, args } = taken.value;
  return tool.run(user, args, { ...call, asked });
}

function runReading(tool: Tool, user: User, args: Args, call: ToolCall): Promise<ToolResult> {
  if (!Object.hasOwn(args, name)) return tool.run(user, args, call);
  const { properties = {} } = tool.inputSchema;
  if (isObject(properties) && Object.hasOwn(properties, name)) return tool.run(user, args, call);
  const { [name]: given, ...others } = args;
  if (given === null) return tool.run(user, others, call);
  if (!Number.isInteger(given) || Number(given) < minResultTokens || Number(given) > maxResultTokens) {
    const message = `\`${name}\` must be a whole number from ${minResultTokens} to ${maxResultTokens}.`;
    return Promise.resolve(refused(failed('invalid_input', message)));
  }
  return tool.run(user, others, { ...call, maxTokens: Number(given) });
}
