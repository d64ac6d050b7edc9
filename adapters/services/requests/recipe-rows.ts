import type { z } from 'zod';
import { objectOf } from '#adapters/services/requests/input-object.ts';
import type {
  InputOf,
  OperationTable,
  RecipeContext,
  RecipeRow,
  Shape,
} from '#adapters/services/requests/operation-table.ts';
import type { RequestOptions } from '#adapters/services/requests/row-options.ts';
import { effectsOf, type StatedEffect } from '#domain/operations/effect.ts';
import type { Outcome } from '#domain/operations/outcome.ts';

/** The options of a recipe; `answer` only for a file. */
export type RecipeOptions = Pick<
  RequestOptions,
  'tool' | 'title' | 'output' | 'isIdempotent' | 'route' | 'aliases' | 'multipart' | 'named' | 'effectBy' | 'standsFor'
> &
  Readonly<{ answer?: 'file' }>;

/** Builds recipes over typed rows: the compiler checks the names and inputs of the rows that a recipe calls. */
export function recipesOver<Table extends OperationTable>(_rows: Table) {
  type TypedCall = <Name extends Extract<keyof Table, string>>(
    name: Name,
    input: InputOf<Table, Name>,
  ) => Promise<Outcome>;
  return <Inputs extends Shape>(
    effect: StatedEffect,
    summary: string,
    inputs: Inputs,
    { isIdempotent, ...options }: RecipeOptions,
    run: (call: TypedCall, input: z.output<z.ZodObject<Inputs>>, context: RecipeContext) => Promise<Outcome>,
  ): RecipeRow<z.ZodObject<Inputs>> => ({
    kind: 'recipe',
    summary,
    input: objectOf(inputs),
    ...effectsOf(effect, options.effectBy),
    isIdempotent: isIdempotent ?? effect === 'read',
    options,
    run: (call, input, context) => run(call, input, context),
  });
}
