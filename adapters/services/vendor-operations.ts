import type { z } from 'zod';
import {
  type CallRow,
  type InputOf,
  type Operation,
  type OperationTable,
  operationTitleOf,
  type RecipeContext,
  type RecipeRow,
  type RequestRow,
} from '#adapters/services/operation-table.ts';
import { projected } from '#adapters/services/projection.ts';
import type { RowInDialect } from '#adapters/services/row-options.ts';
import { failed, type Outcome } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';

/** Requests of a vendor's own, by name, which its recipes send; they are no operations and have no tools. */
export type VendorRequests = Readonly<Record<string, RequestRow>>;

/** Sends a request of the vendor's own. */
export type SendRequest<Requests extends VendorRequests> = <Name extends Extract<keyof Requests, string>>(
  name: Name,
  input: InputOf<Requests, Name>,
) => Promise<Outcome>;

/** Does an operation by several requests, or by one whose input or answer has to be converted. */
export type VendorRecipe<Input, Requests extends VendorRequests> = (
  send: SendRequest<Requests>,
  input: Input,
  context: RecipeContext,
) => Promise<Outcome>;

/** Says that the vendor has no equivalent of an operation, as a sentence: why, or what to use instead. */
export type Lacking = Readonly<{ lacks: string }>;

/** States that the vendor has no equivalent of an operation; `why` is a sentence for people, '' for none. */
export function lacks(why = ''): Lacking {
  return { lacks: why };
}

/**
 * How a vendor does an operation of its kind: as a request that differs from the neutral one (`{}` when it does not), as
 * a recipe, or not at all.
 */
export type VendorOperation<Input, Requests extends VendorRequests> =
  | RowInDialect
  | Lacking
  | VendorRecipe<Input, Requests>;

/** How a vendor does the operations of its kind, by name: requests, and those of the kind's recipes that it replaces. */
export type VendorOperations<Operations extends OperationTable, Requests extends VendorRequests> = {
  readonly [Name in keyof Operations]?: VendorOperation<z.output<Operations[Name]['input']>, Requests>;
};

/** A recipe of any operation; taken from a method, so that recipes with different inputs fit one table. */
type AnyRecipe = {
  run(send: CallRow, input: Readonly<Record<string, unknown>>, context: RecipeContext): Promise<Outcome>;
}['run'];

/** What a vendor states about the operations of its kind. */
type Statement = Readonly<{
  name: string;
  /** Its name at the start of a sentence: 'The Sales CRM (Pipedrive) behind this server'. */
  called: string;
  requests: VendorRequests;
  stated: Readonly<Record<string, RowInDialect | Lacking | AnyRecipe | undefined>>;
  /** How the requests that are not stated are done; null when each is stated. */
  otherwise: 'neutral' | Lacking | null;
}>;

/** Returns the operations of a kind as a vendor does them. Throws for operations that are not stated, or unknown. */
export function operationsOf(table: OperationTable, statement: Statement): OperationTable {
  const { name: vendor, stated, otherwise } = statement;
  const unknown = Object.keys(stated).filter((name) => !Object.hasOwn(table, name));
  if (unknown.length > 0) throw new Error(`${vendor}: there is no operation ${unknown.join(', ')}.`);
  const missing = Object.entries(table).filter(
    ([name, { kind }]) => kind === 'request' && !Object.hasOwn(stated, name) && otherwise === null,
  );
  if (missing.length > 0) {
    throw new Error(`${vendor}: it does not say how it does ${missing.map(([name]) => name).join(', ')}.`);
  }
  return Object.fromEntries(
    Object.entries(table).map(([name, operation]) => [name, operationOf(operation, own(stated, name), statement)]),
  );
}

function operationOf(operation: Operation, how: Statement['stated'][string], statement: Statement): Operation {
  if (how === undefined) {
    const { otherwise } = statement;
    const isLacking = operation.kind === 'request' && otherwise !== null && otherwise !== 'neutral';
    return isLacking ? lacking(operation, otherwise, statement) : operation;
  }
  if (typeof how === 'function') return recipeOf(operation, how, statement.requests);
  if ('lacks' in how) return lacking(operation, how, statement);
  if (operation.kind === 'request') return { ...operation, options: { ...operation.options, sent: how } };
  throw new Error(`${statement.name}: "${operation.summary}" takes several requests; replace it by a recipe.`);
}

function lacking(operation: Operation, { lacks: why }: Lacking, { called, requests }: Statement): Operation {
  const what = `${called} has no such operation: ${operationTitleOf(operation)}.`;
  const failure = failed('rejected', why === '' ? what : `${what} ${why}`);
  return { ...recipeOf(operation, async () => failure, requests), lacks: why };
}

/** Replaces an operation by a recipe with the same inputs, effect and answer. */
function recipeOf(operation: Operation, run: AnyRecipe, requests: VendorRequests): RecipeRow {
  const { summary, input, effect, isIdempotent, options } = operation;
  const { output } = options;
  const isProjected = operation.kind === 'request' && operation.options.local?.includes('fields') === true;
  return {
    kind: 'recipe',
    summary,
    input,
    effect,
    isIdempotent,
    options,
    run: async (_, given, context) => {
      const send: CallRow = async (name, inputs) => {
        const row = own(requests, name);
        if (row === undefined) throw new Error(`A recipe sends "${name}", which is no request of its vendor.`);
        return context.send(row, inputs);
      };
      const outcome = await run(send, given, context);
      return isProjected ? projected(output, outcome, given['fields']) : outcome;
    },
  };
}
