import { z } from 'zod';
import type { RemoteDefinition } from '#adapters/services/definitions/remote-definition.ts';
import { namesWithin } from '#adapters/services/from-mcp/remote-names.ts';
import { type RemoteOffers, remoteOffers } from '#adapters/services/from-mcp/remote-offers.ts';
import type { OperationTable, RequestRow, Shape } from '#adapters/services/requests/operation-table.ts';
import type { OperationOutput, SchemaMismatch } from '#application/ports/operation-catalog.ts';
import { effectsOf } from '#domain/operations/effect.ts';
import type { UsableTool } from '#domain/remote-servers/pinned-list.ts';
import { readItem } from '#domain/remote-servers/remote-item.ts';
import { own } from '#domain/shared/own.ts';
import { foreignSchema, plain } from '#infrastructure/json-schema/foreign-schema.ts';
import { answerSchemaOf, contentSchemaOf } from '#infrastructure/json-schema/tool-schema.ts';
import { filterMembers, isSchema, type JsonSchema, walkSchema } from '#infrastructure/json-schema/walk-schema.ts';

/** The maximum length of a description as it is shown, and of a title, in characters. */
const maxDescription = 1_000;
const maxTitle = 80;

/** The operations of a remote server, and the tools and other offers that they use there. */
export type RemoteRows = Readonly<{
  table: OperationTable;
  tools: ReadonlyMap<RequestRow, UsableTool>;
  offers: RemoteOffers;
  /** All that is used of it, by the names of the items. */
  items: ReadonlyMap<string, UsableTool>;
}>;

/**
 * Makes operations of the tools of a remote server, with the effects that were chosen, and of its prompts and resources:
 * of what is picked.
 */
export function remoteRows(definition: RemoteDefinition, usable: readonly UsableTool[]): RemoteRows {
  const table: Record<string, RequestRow> = {};
  const tools = new Map<RequestRow, UsableTool>();
  const picked = usable.filter(({ tool }) => definition.tools?.includes(tool.name) ?? true);
  const own = picked.filter(({ tool }) => readItem(tool.name).kind === 'tool');
  const names = namesWithin(
    definition.key,
    own.map(({ tool }) => tool.name),
  );
  for (const [place, one] of own.entries()) {
    const row = rowOf(definition, one, names[place] ?? '');
    if (row === null) continue;
    table[row.options.tool?.slice(definition.key.length + 1) ?? ''] = row;
    tools.set(row, one);
  }
  const offers = remoteOffers(
    definition,
    picked.map(({ tool }) => tool),
  );
  const items = new Map(picked.map((one) => [one.tool.name, one]));
  return { table: { ...table, ...offers.table }, tools, offers, items };
}

function rowOf({ title: called, effects }: RemoteDefinition, usable: UsableTool, tool: string): RequestRow | null {
  const { name, title, description, inputSchema, outputSchema, hints } = usable.tool;
  const input = inputOf(inputSchema);
  if (input === null) return null;
  const effect = effects[name] ?? usable.effect;
  const text = plain(description, maxDescription).trim();
  return {
    kind: 'request',
    method: 'POST',
    path: `/tools/${encodeURIComponent(name)}`,
    summary: text === '' ? `A tool of ${called}: ${name}` : `${called} says: ${text}`,
    input,
    ...effectsOf(effect),
    isIdempotent: effect === 'read' || hints.idempotentHint === true,
    options: {
      tool,
      title: plain(title ?? name, maxTitle).replaceAll('\n', ' '),
      route: null,
      ...(outputSchema === null ? {} : { output: outputOf(outputSchema) }),
    },
  };
}

/** Types whose values are checked here; the server checks what is inside them, patterns and bounds. */
const types: Readonly<Record<string, () => z.ZodType>> = {
  string: () => z.string(),
  number: () => z.number(),
  integer: () => z.int(),
  boolean: () => z.boolean(),
  array: () => z.array(z.unknown()),
  object: () => z.record(z.string(), z.unknown()),
};

/** The type of a tool's arguments: checked at the top, and documented as the server does. Null for a schema that is too large. */
function inputOf(given: JsonSchema): z.ZodObject | null {
  const schema = foreignSchema(given);
  if (schema === null) return null;
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  const required = [schema['required']].flat();
  const shape: Shape = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const type = typeOf(property);
      return [name, required.includes(name) ? type : type.optional()];
    }),
  );
  const isClosed = schema['additionalProperties'] === false;
  return (isClosed ? z.strictObject(shape) : z.looseObject(shape)).meta({ ...schema, type: 'object', properties });
}

function typeOf(schema: unknown): z.ZodType {
  if (!isSchema(schema)) return z.unknown();
  const { type, enum: values } = schema;
  if (Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'string')) {
    return z.enum(values);
  }
  return (typeof type === 'string' ? own(types, type)?.() : undefined) ?? z.unknown();
}

const phrases: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** The output of a tool: a record whose members may be missing, and are checked by their type at the top. */
function outputOf(given: JsonSchema): OperationOutput {
  const schema = foreignSchema(given) ?? {};
  const open = walkSchema(schema, (part) =>
    filterMembers(part, (keyword) => keyword !== 'required' && keyword !== 'additionalProperties'),
  );
  const properties = isSchema(open['properties']) ? open['properties'] : {};
  const members = Object.entries(properties).flatMap(([name, property]) => {
    const type = isSchema(property) ? property['type'] : undefined;
    return typeof type === 'string' && Object.hasOwn(types, type) ? [{ name, type, is: typeOf({ type }) }] : [];
  });
  const mismatchesIn = (content: Readonly<Record<string, unknown>>): readonly SchemaMismatch[] =>
    members.flatMap(({ name, type, is }) => {
      const member = own(content, name);
      const fits = member === undefined || is.safeParse(member).success;
      return fits ? [] : [{ path: [name], documented: own(phrases, type) ?? type }];
    });
  return {
    kind: 'record',
    dataSchema: answerSchemaOf(open),
    contentSchema: contentSchemaOf(open),
    isMatch: (content) => mismatchesIn(content).length === 0,
    mismatchesIn,
  };
}
