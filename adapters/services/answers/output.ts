import { z } from 'zod';
import type { Shape } from '#adapters/services/requests/operation-table.ts';
import type { OperationOutput, SchemaMismatch } from '#application/ports/operation-catalog.ts';
import { own } from '#domain/shared/own.ts';
import { answerSchemaOf, contentSchemaOf, jsonSchemaOf } from '#infrastructure/json-schema/tool-schema.ts';
import { lazy } from '#infrastructure/memory/lazy.ts';

const truncated = z.string().optional();
const pagination = z
  .looseObject({ next: z.string().nullable(), hasMore: z.boolean(), total: z.number().optional() })
  .optional();

/** One record. Its members are listed in the order in which people want to see them, ids last; any others follow. */
export function recordOf(shape: Shape): OperationOutput {
  const isFree = Object.keys(shape).length === 0;
  const data = lazy(() => z.looseObject({ ...shape }).partial());
  return output('record', data, () => (isFree ? data() : data().extend({ truncated })));
}

/** A complete list, of records of this shape or values of this type. */
export function listOf(item: Shape | z.ZodType): OperationOutput {
  const data = lazy(() => z.array(typeOf(item)));
  return output('list', data, () => z.looseObject({ data: data(), truncated }));
}

/** A paged list, of records of this shape or values of this type. */
export function pagesOf(item: Shape | z.ZodType): OperationOutput {
  const data = lazy(() => z.array(typeOf(item)));
  return output('list', data, () => z.looseObject({ data: data(), pagination, truncated }));
}

/** The type of a list's items: records of this shape, or the given type. */
export function typeOf(item: Shape | z.ZodType): z.ZodType {
  return item instanceof z.ZodType ? item : z.looseObject({ ...item }).partial();
}

/**
 * No member is required in the published schema, although `data` and `done` are always present: clients validate the
 * structured content of a failure (its reason and remedy) against the same schema.
 */
function output(kind: OperationOutput['kind'], data: () => z.ZodType, contentOf: () => z.ZodObject): OperationOutput {
  const content = lazy(contentOf);
  const dataSchema = lazy(() => answerSchemaOf(jsonSchemaOf(data())));
  const orNulls = lazy(() => withNullMembers(content()));
  const contentSchema = lazy(() => contentSchemaOf(jsonSchemaOf(content().partial())));
  return {
    kind,
    get dataSchema() {
      return dataSchema();
    },
    get contentSchema() {
      return contentSchema();
    },
    isMatch: (value) => z.safeParse(orNulls(), value).success,
    mismatchesIn: (value) => content().safeParse(value).error?.issues.map(mismatchOf) ?? [],
  };
}

/** The type with null allowed for every member of its records; what has checks of its own stays as it is. */
function withNullMembers(type: z.core.$ZodType): z.core.$ZodType {
  if (type instanceof z.ZodOptional) return withNullMembers(type.unwrap());
  if (!(type instanceof z.ZodObject || type instanceof z.ZodArray) || (type.def.checks ?? []).length > 0) return type;
  if (type instanceof z.ZodArray) return z.array(withNullMembers(type.element));
  const members = Object.fromEntries(
    Object.entries(type.shape).map(([name, member]) => [name, z.nullish(withNullMembers(member))]),
  );
  // Whatever else there may be needs no look.
  return type.def.catchall instanceof z.ZodUnknown ? z.object(members) : type.extend(members);
}

/** The output of an operation that returns nothing but its success. */
export const done: OperationOutput = output(
  'done',
  () => z.null(),
  () => z.looseObject({ done: z.literal(true) }),
);

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
