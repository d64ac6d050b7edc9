import { z } from 'zod';
import {
  anything,
  byName,
  flag,
  many,
  memberWith,
  number,
  part,
  text,
} from '#adapters/services/answers/output-members.ts';
import { shortened } from '#adapters/services/from-openapi/names.ts';
import { type JsonType, type PlainSchema, withoutBranches } from '#adapters/services/from-openapi/plain-schema.ts';
import type { Shape } from '#adapters/services/requests/operation-table.ts';

/**
 * Returns the members of an answer, as types without enums, formats and bounds: a provider that adds a state or writes
 * dates differently is still right.
 */
export function shapeOf(schema: PlainSchema): Shape {
  return Object.fromEntries([...withoutBranches(schema).properties].map(([name, one]) => [name, memberOf(one)]));
}

/** Returns the type of a list's items: a shape for records, a type for anything else. */
export function itemOf(schema: PlainSchema | null): Shape | z.ZodType {
  if (schema === null) return z.unknown();
  const plain = withoutBranches(schema);
  return typesIn(plain).join() === 'object' ? shapeOf(plain) : (plainTypeOf(plain) ?? z.unknown());
}

function memberOf(given: PlainSchema): z.ZodType {
  const schema = withoutBranches(given);
  const about = schema.description === null ? undefined : shortened(schema.description);
  const types = typesIn(schema);
  if (types.join() === 'object') {
    return schema.properties.size === 0 ? byName(about) : part(shapeOf(schema), about);
  }
  if (types.join() === 'array') return many(itemOf(schema.items), about);
  const type = plainTypeOf(schema);
  return type === null ? anything(about) : memberWith(type.optional(), about);
}

/** The types of a schema and all its branches, without null, which every member allows; empty accepts anything. */
function typesIn({ types, anyOf, values, properties }: PlainSchema): readonly JsonType[] {
  const own = types.filter((type) => type !== 'null');
  if (own.length > 0) return own;
  if (properties.size > 0) return ['object'];
  const branches = anyOf.map(typesIn);
  if (branches.length > 0 && branches.every((one) => one.length > 0)) return [...new Set(branches.flat())];
  return anyOf.length === 0 && values?.every((value) => typeof value === 'string') === true ? ['string'] : [];
}

/** The type of strings, numbers, booleans or a union of them; null for anything else. */
function plainTypeOf(schema: PlainSchema): z.ZodType | null {
  const types = typesIn(schema).map(scalarType);
  const known = types.filter((type) => type !== null);
  const [first] = known;
  if (first === undefined || known.length < types.length) return null;
  return known.length === 1 ? first : z.union(known);
}

function scalarType(type: JsonType): z.ZodType | null {
  switch (type) {
    case 'string':
      return text().unwrap();
    case 'integer':
    case 'number':
      return number().unwrap();
    case 'boolean':
      return flag().unwrap();
    case 'array':
    case 'object':
    case 'null':
      return null;
  }
}
