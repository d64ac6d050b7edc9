import { z } from 'zod';
import type { ListedTools } from '#adapters/contracts/remote-sessions.ts';
import { isTooDeep } from '#domain/json/json-data.ts';
import { maxRemoteTools } from '#domain/remote-servers/pinned-list.ts';
import type { RemoteTool } from '#domain/remote-servers/remote-tool.ts';
import { foreignSchema } from '#infrastructure/json-schema/foreign-schema.ts';

/** A page of tools, each of which is read by itself: one that is no tool must not hide the others. */
export const toolsPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

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

/** Reads the tools that a server lists: those within our bounds, and the others by name with the reason. */
export function readTools(given: readonly unknown[]): ListedTools {
  const tools = new Map<string, RemoteTool>();
  const leftOut: { name: string; why: string }[] = [];
  let size = 0;
  for (const one of given) {
    const read = readTool(one);
    if (typeof read === 'string') {
      leftOut.push({ name: nameOf(one), why: read });
      continue;
    }
    size += JSON.stringify(read).length;
    if (tools.has(read.name)) leftOut.push({ name: read.name, why: 'is listed twice' });
    else if (tools.size >= maxRemoteTools)
      leftOut.push({ name: read.name, why: `is beyond the first ${maxRemoteTools}` });
    else if (size > maxAll) leftOut.push({ name: read.name, why: 'is beyond 1 MB of tools' });
    else tools.set(read.name, read);
  }
  return { tools: [...tools.values()], leftOut: leftOut.slice(0, maxRemoteTools) };
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
  return read.success ? read.data.name.slice(0, maxName) : '';
}
