import { RpcError, rpcCodes } from '#adapters/mcp/protocol/json-rpc.ts';
import type { ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import type { Tool } from '#adapters/mcp/tools/tool.ts';
import { nearest } from '#domain/text/nearest.ts';

/** The maximum number of characters of a name that are repeated. */
const maxName = 200;

/**
 * The error for a name that no tool has, with the nearest name among the tools that the caller may see, all of which
 * are in its data.
 */
export function unknownTool(given: string, visible: readonly Pick<Tool, 'name'>[], hint?: string): RpcError {
  const name = given.slice(0, maxName);
  const known = visible.map((tool) => tool.name);
  const near = nearest(name, known)[0] ?? null;
  const more = [...(near === null ? [] : [`Did you mean ${near}?`]), ...(hint === undefined ? [] : [hint])];
  const text = [`Unknown tool: ${name}`, more.join(' ')].filter((part) => part !== '').join('. ');
  return new RpcError(rpcCodes.invalidParams, text, { reason: 'invalid_input', known, nearest: near });
}

/** Why a client that chose its tools cannot call this one. */
export function excludedText({ name, annotations }: Pick<Tool, 'name' | 'annotations'>, choice: ToolChoice): string {
  const isChange = choice.isReadonly && !annotations.readOnlyHint;
  return isChange
    ? `This connection was set up to read only, and ${name} changes something.`
    : `This connection was set up without the tool: ${name}`;
}
