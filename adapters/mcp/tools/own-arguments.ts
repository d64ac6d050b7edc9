import { isObject } from '#adapters/mcp/protocol/json-rpc.ts';
import type { ToolResult } from '#adapters/mcp/protocol/messages.ts';
import { refused } from '#adapters/mcp/results/tool-result.ts';
import type { Tool } from '#adapters/mcp/tools/tool.ts';
import { type InputError, quoted, unknownName } from '#domain/operations/input-error.ts';
import { refusedInput } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';
import { nearest } from '#domain/text/nearest.ts';

type Args = Readonly<Record<string, unknown>>;

/** The maximum number of unknown names that are reported. */
const maxReported = 20;

/**
 * Rejects arguments that do not conform to the schema of one of the server's own tools; null when they do. Such schemas
 * are flat: strings, some with an enum, integers and objects.
 */
export function refusedArguments({ inputSchema }: Pick<Tool, 'inputSchema'>, args: Args): ToolResult | null {
  const { properties, required } = inputSchema;
  const taken = isObject(properties) ? properties : {};
  const missing = (Array.isArray(required) ? required.map(String) : []).filter((name) => own(args, name) === undefined);
  const known = Object.keys(taken);
  const errors = [
    ...missing.map((name) => ({ path: [name], message: `${quoted(name)} is missing.` })),
    ...Object.entries(args)
      .slice(0, maxReported)
      .flatMap(([name, value]) => {
        const property = taken[name];
        return isObject(property) ? wrongValue(name, value, property) : [unknownName([name], { known, missing })];
      }),
  ];
  return errors.length === 0 ? null : refused(refusedInput(errors));
}

const names: Readonly<Record<string, string>> = { string: 'a text', integer: 'a whole number', object: 'an object' };

function wrongValue(name: string, value: unknown, { type, enum: values, minimum, maximum }: Args): InputError[] {
  if (value === undefined) return [];
  if (!isOfType(value, type)) {
    return [{ path: [name], message: `${quoted(name)} must be ${own(names, String(type)) ?? String(type)}.` }];
  }
  if (Array.isArray(values) && !values.includes(value)) {
    const known = values.map(String);
    const near = (typeof value === 'string' ? nearest(value.slice(0, 100), known)[0] : null) ?? null;
    const hint = near === null ? '' : ` Did you mean "${near}"?`;
    const message = `${quoted(name)} must be one of ${known.map((one) => `"${one}"`).join(', ')}.${hint}`;
    return [{ path: [name], message, known, nearest: near }];
  }
  const isOutside =
    typeof value === 'number' &&
    ((typeof minimum === 'number' && value < minimum) || (typeof maximum === 'number' && value > maximum));
  return isOutside
    ? [{ path: [name], message: `${quoted(name)} must be from ${String(minimum)} to ${String(maximum)}.` }]
    : [];
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return type === 'object' ? isObject(value) : typeof value === type;
}
