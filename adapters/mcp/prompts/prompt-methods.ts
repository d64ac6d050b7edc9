import type { Prompt } from '#adapters/mcp/prompts/prompt.ts';
import { isObject, type RpcParams, rpcCodes } from '#adapters/mcp/protocol/json-rpc.ts';
import type { MethodContext, Methods } from '#adapters/mcp/protocol/method.ts';
import { rejectCursor } from '#adapters/mcp/protocol/paging.ts';
import { RpcError } from '#adapters/mcp/protocol/rpc-error.ts';
import { includesService } from '#adapters/mcp/protocol/tool-choice.ts';
import type { ResourceSource } from '#adapters/mcp/resources/resource.ts';
import { own } from '#domain/shared/own.ts';
import { isPermitted } from '#domain/users/rights.ts';

/** The maximum number of values in a completion (protocol, Completion). */
const maxValues = 100;

/** The protocol's methods for prompts. */
export function promptMethods(prompts: readonly Prompt[]): Methods {
  return {
    'prompts/list': {
      isCacheable: true,
      run: (params, context) => {
        rejectCursor(params, 'the list of prompts has one page');
        return { prompts: prompts.filter((prompt) => isShown(prompt, context)).map(described) };
      },
    },
    'prompts/get': {
      run: async (params, context) => {
        const prompt = find(prompts, params['name'], context);
        return {
          description: prompt.description,
          messages: await prompt.messages(argumentsOf(prompt, params), context),
        };
      },
    },
  };
}

/** The method `completion/complete`, for prompts and templates of resources. */
export function completionMethod(prompts: readonly Prompt[], sources: readonly ResourceSource[]): Methods {
  const run = async ({ ref, argument }: RpcParams, context: MethodContext) => {
    if (!isObject(ref) || !isObject(argument)) throw invalid('completion/complete needs ref and argument.');
    const { name, value } = argument;
    if (typeof name !== 'string' || typeof value !== 'string') throw invalid('The argument needs a name and a value.');
    const values =
      ref['type'] === 'ref/prompt'
        ? ((await find(prompts, ref['name'], context).complete?.(context, name, value)) ?? [])
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

function isShown({ needs }: Prompt, { user, choice }: MethodContext): boolean {
  return needs.every((service) => isPermitted(user, service) && includesService(choice, service));
}

function find(prompts: readonly Prompt[], name: unknown, context: MethodContext): Prompt {
  if (typeof name !== 'string') throw invalid('The name of a prompt must be a text.');
  const prompt = prompts.find((candidate) => candidate.name === name && isShown(candidate, context));
  if (prompt === undefined) throw invalid(`Unknown prompt: ${name.slice(0, 200)}`);
  return prompt;
}

function argumentsOf(prompt: Prompt, { arguments: given = {} }: RpcParams): Readonly<Record<string, string>> {
  if (!isObject(given)) throw invalid('The parameter arguments must be an object.');
  const known = prompt.arguments.flatMap(({ name }) => {
    const value = given[name];
    return typeof value === 'string' && value !== '' ? [[name, value]] : [];
  });
  const args: Record<string, string> = Object.fromEntries(known);
  const missing = prompt.arguments.filter(({ name, required }) => required && own(args, name) === undefined);
  if (missing.length > 0) throw invalid(`The prompt needs: ${missing.map(({ name }) => name).join(', ')}.`);
  return args;
}

function described({ name, title, description, arguments: args }: Prompt) {
  return { name, title, description, arguments: args };
}

function invalid(message: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, message);
}
