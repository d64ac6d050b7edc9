import { z } from 'zod';
import { checkInput } from '#adapters/input/check-input.ts';
import type { Prompt, PromptSource } from '#adapters/mcp/prompts/prompt.ts';
import { RpcError, type RpcParams, rejectCursor, rpcCodes } from '#adapters/mcp/protocol/json-rpc.ts';
import type { MethodContext, Methods } from '#adapters/mcp/protocol/method.ts';
import { includesService } from '#adapters/mcp/protocol/tool-choice.ts';
import type { ResourceSource } from '#adapters/mcp/resources/resource.ts';
import { isObject } from '#domain/json/json-data.ts';
import { errorsText } from '#domain/operations/input-error.ts';
import { nearest } from '#domain/text/nearest.ts';
import { isPermitted } from '#domain/users/rights.ts';

/** The maximum number of values in a completion (protocol, Completion). */
const maxValues = 100;

/** The protocol's methods for prompts. `others` come and go; the name of one of `prompts` stays that one's. */
export function promptMethods(prompts: readonly Prompt[], others: PromptSource = noPrompts): Methods {
  return {
    'prompts/list': {
      isCacheable: true,
      run: async (params, context) => {
        rejectCursor(params, 'the list of prompts has one page');
        return { prompts: (await shownTo(context, prompts, others)).map(described) };
      },
    },
    'prompts/get': {
      run: async (params, context) => {
        const prompt = find(await shownTo(context, prompts, others), params['name']);
        return {
          description: prompt.description,
          messages: await prompt.messages(argumentsOf(prompt, params), context),
        };
      },
    },
  };
}

/** The method `completion/complete`, for prompts and templates of resources. */
export function completionMethod(
  prompts: readonly Prompt[],
  sources: readonly ResourceSource[],
  others: PromptSource = noPrompts,
): Methods {
  const run = async ({ ref, argument }: RpcParams, context: MethodContext) => {
    if (!isObject(ref) || !isObject(argument)) throw invalid('completion/complete needs ref and argument.');
    const { name, value } = argument;
    if (typeof name !== 'string' || typeof value !== 'string') throw invalid('The argument needs a name and a value.');
    const values =
      ref['type'] === 'ref/prompt'
        ? ((await find(await shownTo(context, prompts, others), ref['name']).complete?.(context, name, value)) ?? [])
        : await completedUri(sources, ref['uri'], value, context);
    const shown = values.slice(0, maxValues);
    return { completion: { values: shown, total: values.length, hasMore: values.length > shown.length } };
  };
  return { 'completion/complete': { run } };
}

async function completedUri(
  sources: readonly ResourceSource[],
  uri: unknown,
  typed: string,
  context: MethodContext,
): Promise<readonly string[]> {
  for (const source of sources) {
    const values = typeof uri === 'string' ? await source.complete(context, uri, typed) : null;
    if (values !== null) return values;
  }
  throw invalid('Unknown template of resources.');
}

const noPrompts: PromptSource = async () => [];

/** The prompts that are shown to the caller, one of each name: the first keeps it. */
async function shownTo(
  context: MethodContext,
  prompts: readonly Prompt[],
  others: PromptSource,
): Promise<readonly Prompt[]> {
  const { user, choice } = context;
  const all = [...prompts, ...(await others(context))];
  const byName = new Map(all.toReversed().map((prompt) => [prompt.name, prompt]));
  const isShown = ({ needs }: Prompt) =>
    needs.every((service) => isPermitted(user, service) && includesService(choice, service));
  return all.filter((prompt) => byName.get(prompt.name) === prompt && isShown(prompt));
}

function find(shown: readonly Prompt[], name: unknown): Prompt {
  if (typeof name !== 'string') throw invalid('The name of a prompt must be a text.');
  const prompt = shown.find((candidate) => candidate.name === name);
  if (prompt !== undefined) return prompt;
  const known = shown.map((candidate) => candidate.name);
  const near = nearest(name.slice(0, 200), known)[0] ?? null;
  const meant = near === null ? '' : `. Did you mean ${near}?`;
  throw invalid(`Unknown prompt: ${name.slice(0, 200)}${meant}`, { known, nearest: near });
}

function argumentsOf(prompt: Prompt, { arguments: given = {} }: RpcParams): Readonly<Record<string, string>> {
  if (!isObject(given)) throw invalid('The parameter arguments must be an object.');
  const filled = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  const checked = checkInput(argumentsSchema(prompt), filled);
  if (!checked.ok) throw invalid(errorsText(checked.failure), { details: checked.failure });
  return Object.fromEntries(
    Object.entries(checked.value).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function argumentsSchema(prompt: Prompt) {
  const text = z.string();
  const members = prompt.arguments.map(({ name, required }) => [name, required ? text : text.optional()] as const);
  return z.strictObject(Object.fromEntries(members));
}

function described({ name, title, description, arguments: args }: Prompt) {
  return { name, title, description, arguments: args };
}

function invalid(message: string, data: Readonly<Record<string, unknown>> = {}): RpcError {
  return new RpcError(rpcCodes.invalidParams, message, { reason: 'invalid_input', ...data });
}
