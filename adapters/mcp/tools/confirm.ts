import type { ClientRequest } from '#adapters/mcp/protocol/client-requests.ts';
import type { ToolResult } from '#adapters/mcp/protocol/messages.ts';
import type { ToolCall } from '#adapters/mcp/tools/tool.ts';
import type { OperationInfo } from '#application/ports/operation-catalog.ts';
import { isObject, isTooDeep } from '#domain/json/json-data.ts';
import type { Effect } from '#domain/operations/effect.ts';

type Args = Readonly<Record<string, unknown>>;

/** Whether the user is asked before a call with this effect: one that may lose something, or reaches others. */
export function isAskedBefore(effect: Effect): boolean {
  return effect === 'lose' || effect === 'reach';
}

/**
 * Asks the user to confirm such a call, if the client supports it. Null to proceed, else the tool's result. A
 * client that cannot ask is trusted to have shown the tool's `destructiveHint`.
 */
export async function confirm(
  { title, tool, effect }: Pick<OperationInfo, 'title' | 'tool' | 'effect'>,
  args: Args,
  { client }: ToolCall,
): Promise<ToolResult | null> {
  if (client === undefined || !client.can('elicitation/create')) return null;
  const { answer } = await client.ask({ answer: question(title, args, effect) }, `confirm ${tool}`);
  const content = answer?.['content'];
  if (answer?.['action'] === 'accept' && isObject(content) && content['confirm'] === true) return null;
  const message = 'The user did not confirm this, and nothing was changed.';
  const structuredContent = { reason: 'declined', message, retryable: false, hint: 'Ask the user what to do instead.' };
  return {
    content: [
      { type: 'text', text: `${message}\nreason: declined\nretryable: false\nhint: ${structuredContent.hint}` },
    ],
    structuredContent,
    isError: true,
  };
}

const consequences: Readonly<Partial<Record<Effect, string>>> = {
  lose: 'What was there before may be lost',
  reach: 'It reaches people outside',
};

function question(title: string, args: Args, effect: Effect): ClientRequest {
  const shown = Object.entries(args)
    .map(([name, value]) => `${name}: ${isTooDeep(value) ? '…' : JSON.stringify(value).slice(0, 200)}`)
    .join('\n');
  const properties = { confirm: { type: 'boolean', title: 'Go on', description: consequences[effect] ?? '' } };
  return {
    method: 'elicitation/create',
    params: { message: `${title}?\n${shown}`, requestedSchema: { type: 'object', properties, required: ['confirm'] } },
  };
}

/** Whether a call makes a change that nobody was asked about: a dry run makes none, and an approval was asked for. */
export function isUnasked({ asked = {} }: ToolCall): boolean {
  return asked.isDry !== true && asked.approval === undefined;
}
