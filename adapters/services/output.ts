import { z } from 'zod';
import { compactSchemaOf, withEmptyMembers } from '#adapters/services/compact-schema.ts';
import type { Shape } from '#adapters/services/operation-table.ts';
import type { JsonObjectSchema, OperationOutput, SchemaMismatch } from '#application/ports/operation-catalog.ts';
import { own } from '#domain/shared/own.ts';
import { lazy } from '#infrastructure/memory/lazy.ts';

const truncated = z.string().optional();
const pagination = z.looseObject({ next: z.string().nullable(), hasMore: z.boolean() }).optional();

/** One record. Its members stand in the order in which a person wants to see them, ids last; what else comes follows them. */
export function recordOf(shape: Shape): OperationOutput {
  const isFree = Object.keys(shape).length === 0;
  const data = z.looseObject({ ...shape }).partial();
  return output('record', data, isFree ? data : data.extend({ truncated }));
}

/** A list that comes whole: of records of this shape, or of what has this type. */
export function listOf(item: Shape | z.ZodType): OperationOutput {
  const data = z.array(typeOf(item));
  return output('list', data, z.looseObject({ data, truncated }));
}

/** The same of a list that comes in pages. */
export function pagesOf(item: Shape | z.ZodType): OperationOutput {
  const data = z.array(typeOf(item));
  return output('list', data, z.looseObject({ data, pagination, truncated }));
}

/** The type of a list's items: of records of this shape, or the type that is given. */
export function typeOf(item: Shape | z.ZodType): z.ZodType {
  return item instanceof z.ZodType ? item : z.looseObject({ ...item }).partial();
}

/**
 * No member is required in what is published, though `data` and `done` always come: clients hold a failure's own structured content
 * (its reason and what to do) against the same schema.
 */
function output(kind: OperationOutput['kind'], data: z.ZodType, content: z.ZodObject): OperationOutput {
  const dataSchema = lazy(() => withEmptyMembers(compactSchemaOf(data)));
  let contentSchema: JsonObjectSchema | null = null;
  return {
    kind,
    get dataSchema() {
      return dataSchema();
    },
    get contentSchema() {
      contentSchema ??= { ...compactSchemaOf(content.partial()), type: 'object' };
      return contentSchema;
    },
    mismatchesIn: (value) => content.safeParse(value).error?.issues.map(mismatchOf) ?? [],
  };
}

/** The output of an operation that answers with nothing but its success. */
export const done: OperationOutput = output('done', z.null(), z.looseObject({ done: z.literal(true) }));

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function mismatchOf(issue: z.core.$ZodIssue): SchemaMismatch {
  return { path: issue.path, documented: [...new Set(documentedBy(issue))].join(' or ') };
}

function documentedBy(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code === 'invalid_type') return [own(typeNames, issue.expected) ?? issue.expected];
  return issue.code === 'invalid_union' ? issue.errors.flat().flatMap(documentedBy) : ['something else'];
}
