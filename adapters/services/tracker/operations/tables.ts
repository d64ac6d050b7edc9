import { z } from 'zod';
import type { RequestRow } from '#adapters/services/requests/operation-table.ts';
import { defaultPageSize } from '#adapters/services/requests/page-size.ts';
import { graphql } from '#adapters/services/requests/request-rows.ts';
import type { RequestOptions, RowInDialects } from '#adapters/services/requests/row-options.ts';
import { documentOf, schemasOf, type Variables, variable } from '#adapters/services/tracker/details/variables.ts';
import { filterVariable, pageVariables, projection, recordId } from '#adapters/services/tracker/inputs.ts';
import { pageInfo } from '#adapters/services/tracker/operations/selections.ts';
import type { OperationOutput } from '#application/ports/operation-catalog.ts';
import type { EffectRule, StatedEffect } from '#domain/operations/effect.ts';

type Route = NonNullable<RequestOptions['route']>;

/**
 * Always sends `first`: a page without a size has 20 items. Paging in both directions at once is rejected. Applied to
 * the whole input, because the forward and backward page sizes depend on each other.
 */
export function paged<Input extends z.ZodObject>(row: RequestRow<Input>): RequestRow<Input> {
  const input = row.input.check(({ value, issues }) => {
    const { first, after, last, before } = anyMembers.parse(value);
    const isForwards = first !== undefined || after !== undefined;
    const isBackwards = last !== undefined || before !== undefined;
    if (isForwards && isBackwards) {
      issues.push({
        code: 'custom',
        path: ['last'],
        input: last,
        message: 'goes the other way: use first and after, or last and before',
      });
    }
    if (isBackwards && last === undefined) Object.assign(value, { last: defaultPageSize });
    if (!isBackwards && first === undefined) Object.assign(value, { first: defaultPageSize });
  });
  return { ...row, input };
}

/** Built once: compiling a schema takes longer than a call. */
const anyMembers = z.looseObject({});

/** Removes a row's REST route, for a row that is called by a recipe which has the route. */
export function withoutRoute<Input extends z.ZodObject>(row: RequestRow<Input>): RequestRow<Input> {
  return { ...row, options: { ...row.options, route: null } };
}

/** Builds a row that lists records of one kind, paged in both directions; `path` null: a recipe has the route. */
export function list<Given extends Variables>(
  root: string,
  filterType: string,
  more: Readonly<{
    summary: string;
    selection: string;
    output: OperationOutput;
    path: string | null;
    tool?: string;
    variables: Given;
  }>,
) {
  const args = { filter: filterVariable(filterType), ...pageVariables, ...more.variables };
  const document = documentOf({ kind: 'query', root, args, selection: `{ nodes ${more.selection} ${pageInfo} }` });
  const inputs = { ...schemasOf(args), fields: projection };
  const row = graphql('read', document, more.summary, inputs, {
    route: { method: 'GET', path: more.path ?? '/' },
    output: more.output,
    page: 'relay',
    local: ['fields'],
    ...(more.tool === undefined ? {} : { tool: more.tool }),
  });
  return paged(more.path === null ? withoutRoute(row) : row);
}

/** Builds a row that gets one record by id; `path` null: a recipe has the route. */
export function record(
  root: string,
  more: Readonly<{
    summary: string;
    selection: string;
    output: OperationOutput;
    path: string | null;
    id: string;
    tool?: string;
  }>,
) {
  const args = { id: variable('String!', recordId(more.id)) };
  const document = documentOf({ kind: 'query', root, args, selection: more.selection });
  const row = graphql('read', document, more.summary, schemasOf(args), {
    route: { method: 'GET', path: more.path ?? '/' },
    output: more.output,
    ...(more.tool === undefined ? {} : { tool: more.tool }),
  });
  return more.path === null ? withoutRoute(row) : row;
}

/** The options of a change: its arguments, the members of its `input`, its answer, its route. */
export type ChangeOptions<Args extends Variables, Input extends Variables> = Readonly<{
  summary: string;
  args: Args;
  /** Empty when the mutation has no `input` argument. */
  input: Input;
  /** The changed object, with its selection; or `entityId` for a deletion. */
  affected: string;
  /** The shape of the changed object. */
  output: OperationOutput;
  route: Route;
  tool?: string;
  effect?: StatedEffect;
  effectBy?: readonly EffectRule[];
  isIdempotent?: boolean;
  dialects?: RowInDialects;
}>;

/** Builds a row for a mutation, which selects `success` and the changed object (TRACK-003). */
export function change<Args extends Variables, Input extends Variables>(
  root: string,
  {
    summary,
    args,
    input,
    affected,
    output,
    route,
    tool,
    dialects,
    effect = 'change',
    effectBy,
    isIdempotent = false,
  }: ChangeOptions<Args, Input>,
) {
  const parts = { kind: 'mutation', root, args, selection: `{ success ${affected} }` } as const;
  const document = documentOf(Object.keys(input).length === 0 ? parts : { ...parts, input });
  return graphql(effect, document, summary, schemasOf({ ...args, ...input }), {
    route,
    output,
    isIdempotent,
    ...(effectBy === undefined ? {} : { effectBy }),
    ...(dialects === undefined ? {} : { dialects }),
    ...(tool === undefined ? {} : { tool }),
  });
}
