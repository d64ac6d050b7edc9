import type { Tool } from '#adapters/mcp/tools/tool.ts';
import type { JsonObjectSchema } from '#application/ports/operation-catalog.ts';
import type { AskedOfChange } from '#application/ports/service-gateway.ts';
import { maxExplain } from '#domain/changes/approval.ts';
import { isObject } from '#domain/json/json-data.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

type Args = Readonly<Record<string, unknown>>;
type Changing = Pick<Tool, 'annotations' | 'operation' | 'isAskable' | 'inputSchema'>;

/** The maximum length of an approval's id, in characters. */
const maxId = 200;

const whole = {
  dry: { type: 'boolean', description: 'Only shows what would change' },
  explain: { type: 'string', maxLength: maxExplain, description: 'Why, in your words; the user reads it' },
  approval: { type: 'string', maxLength: maxId, description: 'The id of an approval that this call was answered with' },
};
/** The same in brief lists: the server's instructions describe them once, for all tools. */
const brief = { dry: { type: 'boolean' }, explain: { type: 'string' }, approval: { type: 'string' } };
const names = ['dry', 'explain', 'approval'] as const;

/** Adds what every changing tool takes besides its own arguments to its schema; an argument of its own stays. */
export function withAsked(tool: Changing, schema: JsonObjectSchema, isFull: boolean): JsonObjectSchema {
  const { properties = {} } = schema;
  if (!takesAsked(tool) || !isObject(properties)) return schema;
  return { ...schema, properties: isFull ? { ...whole, ...properties } : { ...properties, ...brief, ...properties } };
}

/** Takes `dry`, `explain` and `approval` out of the arguments of a changing tool; fails for one that does not fit. */
export function takeAsked(tool: Changing, args: Args): Result<Readonly<{ asked: AskedOfChange; args: Args }>, Failure> {
  if (!takesAsked(tool)) return ok({ asked: {}, args });
  const { properties } = tool.inputSchema;
  const isOwn = (name: string) => isObject(properties) && Object.hasOwn(properties, name);
  const taken = names.filter((name) => !isOwn(name) && Object.hasOwn(args, name));
  const isTaken = ([name]: readonly [string, unknown]) => taken.some((one) => one === name);
  const entries = Object.entries(args);
  const asked = askedIn(Object.fromEntries(entries.filter(isTaken)));
  const own = Object.fromEntries(entries.filter((entry) => !isTaken(entry)));
  return asked.ok ? ok({ asked: asked.value, args: own }) : asked;
}

/** Reads `dry`, `explain` and `approval`; null counts as absent. */
export function askedIn({ dry, explain, approval }: Args): Result<AskedOfChange, Failure> {
  if (dry != null && typeof dry !== 'boolean') return err(failed('invalid_input', '`dry` must be true or false.'));
  if (explain != null && !isText(explain, maxExplain)) {
    return err(failed('invalid_input', `\`explain\` must be a text of at most ${maxExplain} characters.`));
  }
  if (approval != null && !isText(approval, maxId)) {
    return err(failed('invalid_input', '`approval` must be the id of an approval, as a call was answered with.'));
  }
  return ok({
    ...(dry === true ? { isDry: true } : {}),
    ...(isText(explain, maxExplain) && explain.trim() !== '' ? { explain } : {}),
    ...(isText(approval, maxId) ? { approval } : {}),
  });
}

function takesAsked({ annotations, operation, isAskable }: Changing): boolean {
  return !annotations.readOnlyHint && (operation !== undefined || isAskable === true);
}

function isText(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value.length <= maxLength && value.isWellFormed();
}
