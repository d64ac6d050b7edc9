import { z } from 'zod';
import type { ListedTools } from '#adapters/contracts/remote-sessions.ts';
import { isTooDeep } from '#domain/json/json-data.ts';
import { maxRemoteTools } from '#domain/remote-servers/pinned-list.ts';
import type { RemoteTool } from '#domain/remote-servers/remote-tool.ts';
import { foreignSchema, plain } from '#infrastructure/json-schema/foreign-schema.ts';

/** The maximum lengths of a name and of a description, in characters, and of all tools together, as JSON. */
const maxName = 128;
const maxDescription = 8_000;
const maxAll = 1024 * 1024;

const schema = z.record(z.string(), z.unknown());
const hint = z.boolean().optional().catch(undefined);
const tool = z.object({
  name: z
    .string()
    .min(1)
    .max(maxName)
    .regex(/^[\w.\-/ ]+$/),
  title: z.string().max(maxName).nullish().catch(null),
  description: z.string().nullish(),
  inputSchema: schema,
  outputSchema: schema.nullish().catch(null),
  annotations: z
    .object({
      title: z.string().max(maxName).nullish().catch(null),
      readOnlyHint: hint,
      destructiveHint: hint,
      idempotentHint: hint,
      openWorldHint: hint,
    })
    .nullish()
    .catch(null),
});

/** What is read of a list: each entry by itself, and at most so many; `what` is what they are called. */
export type ListBounds = Readonly<{
  what: string;
  max: number;
  read: (given: unknown) => RemoteTool | string;
}>;

/** The bounds of the tools of one server. */
export const toolBounds: ListBounds = { what: 'tools', max: maxRemoteTools, read: readTool };

/** Reads what a server lists: the entries within our bounds, and the others by name with the reason. */
export function readListed(given: readonly unknown[], { what, max, read }: ListBounds): ListedTools {
  const tools = new Map<string, RemoteTool>();
  const leftOut: { name: string; why: string }[] = [];
  let size = 0;
  for (const one of given) {
    const entry = read(one);
    if (typeof entry === 'string') {
      leftOut.push({ name: nameOf(one), why: entry });
      continue;
    }
    size += JSON.stringify(entry).length;
    if (tools.has(entry.name)) leftOut.push({ name: entry.name, why: 'is listed twice' });
    else if (tools.size >= max) leftOut.push({ name: entry.name, why: `is beyond the first ${max}` });
    else if (size > maxAll) leftOut.push({ name: entry.name, why: `is beyond 1 MB of ${what}` });
    else tools.set(entry.name, entry);
  }
  return { tools: [...tools.values()], leftOut: leftOut.slice(0, max) };
}

/** A tool, or why it is none, as a phrase. */
function readTool(given: unknown): RemoteTool | string {
  const read = tool.safeParse(given);
  if (!read.success) return 'is not a tool as the protocol has it';
  const { name, title, description, inputSchema, outputSchema, annotations } = read.data;
  if ((description ?? '').length > maxDescription) return `has a description of more than ${maxDescription} characters`;
  if (inputSchema['type'] !== 'object') return 'has an input schema that is not of an object';
  if (isTooDeep(inputSchema) || foreignSchema(inputSchema) === null) return 'has an input schema of more than 64 KB';
  const hasOutput = outputSchema != null && !isTooDeep(outputSchema) && foreignSchema(outputSchema) !== null;
  const { title: hinted, ...hints } = annotations ?? {};
  return {
    name,
    title: title ?? hinted ?? null,
    description: description ?? '',
    inputSchema,
    outputSchema: hasOutput ? outputSchema : null,
    hints,
  };
}

function nameOf(given: unknown): string {
  const read = z.looseObject({ name: z.string() }).safeParse(given);
  return read.success ? plain(read.data.name, maxName) : '';
}
