import type { z } from 'zod';
import { objectOf } from '#adapters/services/requests/input-object.ts';
import type { RequestRow, Shape } from '#adapters/services/requests/operation-table.ts';
import type { PageStyle, RequestOptions, RowInDialects, RowMethod } from '#adapters/services/requests/row-options.ts';
import type { OperationOutput } from '#application/ports/operation-catalog.ts';
import { type Effect, type EffectRule, effectsOf, type StatedEffect } from '#domain/operations/effect.ts';

/** The names in a path template: `{id}` fills one segment, `{+path}` keeps its slashes. */
export type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `+${infer Plain}` ? Plain : Name) | PathNames<Rest>
  : never;

type Builder = <const Path extends string, Inputs extends Shape & Readonly<Record<PathNames<Path>, z.ZodType>>>(
  path: Path,
  summary: string,
  inputs: Inputs,
  options?: RequestOptions<Extract<keyof Inputs, string>>,
) => RequestRow<z.ZodObject<Inputs>>;

const usualEffect: Readonly<Record<RowMethod, Effect>> = {
  GET: 'read',
  POST: 'add',
  PUT: 'change',
  PATCH: 'change',
  DELETE: 'lose',
};

function requestBuilder(method: RowMethod): Builder {
  return (path, summary, inputs, options = {}) => {
    const unknownInput = Object.keys(options.headers ?? {}).find((name) => !(name in inputs));
    if (unknownInput !== undefined) throw new Error(`${method} ${path}: the header of "${unknownInput}" has no input.`);
    return {
      kind: 'request',
      method,
      path,
      summary,
      input: objectOf(inputs, options.customNames),
      ...effectsOf(options.effect ?? usualEffect[method], options.effectBy),
      isIdempotent: options.isIdempotent ?? (method !== 'POST' && method !== 'PATCH'),
      options,
    };
  };
}

/** Builds a GET row. */
export const get = requestBuilder('GET');
/** Builds a POST row. */
export const post = requestBuilder('POST');
/** Builds a PUT row. */
export const put = requestBuilder('PUT');
/** Builds a PATCH row. */
export const patch = requestBuilder('PATCH');
/** Builds a DELETE row. */
export const del = requestBuilder('DELETE');

/** Adds to a row that changes a record that it needs something to change, which providers refuse in their own words. */
export function withChange<Inputs extends Shape>(
  row: RequestRow<z.ZodObject<Inputs>>,
): RequestRow<z.ZodObject<Inputs>> {
  const input = row.input.check(({ value, issues }) => {
    const isGiven = ([name, given]: readonly [string, unknown]) =>
      given !== undefined && !row.path.includes(`{${name}}`);
    if (Object.entries(value).some(isGiven)) return;
    issues.push({ code: 'custom', path: [], input: value, message: 'must have something to change' });
  });
  return { ...row, input };
}

/** The options of a GraphQL row; its REST route is always named. */
export type GraphqlOptions<Names extends string = string> = Readonly<{
  route: NonNullable<RequestOptions['route']>;
  tool?: string;
  title?: string;
  output?: OperationOutput;
  page?: PageStyle;
  effectBy?: readonly EffectRule[];
  isIdempotent?: boolean;
  local?: readonly Names[];
  dialects?: RowInDialects;
}>;

/**
 * Builds a row for one GraphQL document, posted to `/graphql`, with the inputs as its variables. The answer is the
 * document's first field.
 */
export function graphql<Inputs extends Shape>(
  effect: StatedEffect,
  document: string,
  summary: string,
  inputs: Inputs,
  options: GraphqlOptions<Extract<keyof Inputs, string>>,
): RequestRow<z.ZodObject<Inputs>> {
  const root = /\{\s*(?:\w+\s*:\s*)?(\w+)/.exec(document)?.[1];
  if (root === undefined) throw new Error(`No field in the document: ${document}`);
  return {
    kind: 'request',
    method: 'POST',
    path: '/graphql',
    summary,
    input: objectOf(inputs),
    ...effectsOf(effect, options.effectBy),
    isIdempotent: options.isIdempotent ?? effect === 'read',
    options: { ...options, graphql: { document, root } },
  };
}
