import type { ParsedUrlQuery } from 'node:querystring';
import type { z } from 'zod';
import type { RouteContext } from '#adapters/http/route.ts';
import type { Visit } from '#adapters/http/visit.ts';
import { checkInput } from '#adapters/input/check-input.ts';
import { type InputError, quoted } from '#domain/operations/input-error.ts';
import { type Failure, invalidInput } from '#domain/operations/outcome.ts';
import { err, type Result } from '#domain/shared/result.ts';

/** Validates outside data; the failure names everything that does not conform. */
export function checkedValue<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Result<z.output<Schema>, Failure> {
  const result = checkInput(schema, value);
  return result.ok ? result : err(invalidInput(result.failure));
}

/** Validates the body of a request. */
export function checkedBody<Schema extends z.ZodType>(
  { request }: RouteContext,
  schema: Schema,
): Result<z.output<Schema>, Failure> {
  return checkedValue(schema, request.body);
}

/** Validates the query of a request. */
export function checkedQuery<Schema extends z.ZodType>(
  { query }: Pick<Visit, 'query'>,
  schema: Schema,
): Result<z.output<Schema>, Failure> {
  const repeated = repeatedErrors(query);
  return repeated.length > 0 ? err(invalidInput(repeated)) : checkedValue(schema, query);
}

/** Validates the query of a form, which sends the fields that were left empty. */
export function checkedFormQuery<Schema extends z.ZodObject>(
  { query }: Pick<Visit, 'query'>,
  schema: Schema,
): Result<z.output<Schema>, Failure> {
  const isLeftEmpty = ([name, value]: readonly [string, unknown]) => value === '' && Object.hasOwn(schema.shape, name);
  return checkedQuery({ query: Object.fromEntries(Object.entries(query).filter((one) => !isLeftEmpty(one))) }, schema);
}

/** The errors for parameters that are given more than once, of which the server cannot tell which one is meant. */
function repeatedErrors(query: ParsedUrlQuery): readonly InputError[] {
  return Object.entries(query).flatMap(([name, value]) =>
    Array.isArray(value)
      ? [{ path: [name], message: `${quoted(name)} is given ${value.length} times: give it once.` }]
      : [],
  );
}
