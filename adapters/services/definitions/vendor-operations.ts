import type { z } from 'zod';
import { CachedOutcomes } from '#adapters/services/answers/cached-outcomes.ts';
import { projected } from '#adapters/services/answers/projection.ts';
import { mapped } from '#adapters/services/answers/read-answers.ts';
import {
  type CallRow,
  type InputOf,
  type Operation,
  type OperationTable,
  operationTitleOf,
  type RecipeContext,
  type RecipeRow,
  type RequestRow,
} from '#adapters/services/requests/operation-table.ts';
import type { RowInDialect } from '#adapters/services/requests/row-options.ts';
import { failed, type Outcome, refusedInput } from '#domain/operations/outcome.ts';
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

/** The inputs that a vendor's recipes have no equivalent of, by operation; calls that give one are refused. */
export type LackedInputs<Operations extends OperationTable> = {
  readonly [Name in keyof Operations]?: readonly Extract<keyof z.output<Operations[Name]['input']>, string>[];
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
  /** Its name that people read. */
  title: string;
  requests: VendorRequests;
  lacksInputs: Readonly<Record<string, readonly string[] | undefined>>;
  stated: Readonly<Record<string, RowInDialect | Lacking | AnyRecipe | undefined>>;
  /** How the requests that are not stated are done; null when each is stated. */
  otherwise: 'neutral' | Lacking | null;
}>;

/** The statement about one operation. */
type Prepared = Omit<Statement, 'requests' | 'lacksInputs'> &
  Readonly<{ requests: SendOwn; lacked: readonly string[] }>;

/** Returns the operations of a kind as a vendor does them. Throws for operations that are not stated, or unknown. */
export function operationsOf(table: OperationTable, statement: Statement): OperationTable {
  const { name: vendor, stated, lacksInputs, otherwise } = statement;
  const unknown = Object.keys({ ...stated, ...lacksInputs }).filter((name) => !Object.hasOwn(table, name));
  if (unknown.length > 0) throw new Error(`${vendor}: there is no operation ${unknown.join(', ')}.`);
  const missing = Object.entries(table).filter(
    ([name, { kind }]) => kind === 'request' && !Object.hasOwn(stated, name) && otherwise === null,
  );
  if (missing.length > 0) {
    throw new Error(`${vendor}: it does not say how it does ${missing.map(([name]) => name).join(', ')}.`);
  }
  const requests = rowsIn(statement.requests);
  return Object.fromEntries(
    Object.entries(table).map(([name, operation]) => {
      const lacked = own(lacksInputs, name) ?? [];
      const strange = lacked.filter((input) => !Object.hasOwn(operation.input.shape, input));
      if (strange.length > 0) throw new Error(`${vendor}: ${name} has no input ${strange.join(', ')} that could lack.`);
      return [name, operationOf(operation, own(stated, name), { ...statement, requests, lacked })];
    }),
  );
}

/** Sends one of the vendor's requests within a recipe. */
type SendOwn = (name: string, input: Readonly<Record<string, unknown>>, context: RecipeContext) => Promise<Outcome>;

/** Sends the vendor's requests; the answers of those that are `keptMs` are cached for each connection. */
function rowsIn(requests: VendorRequests): SendOwn {
  const known = new Map(
    Object.entries(requests).flatMap(([name, { options }]) =>
      options.keptMs === undefined
        ? []
        : [[name, new CachedOutcomes(options.keptMs, (data: unknown) => ({ data }))] as const],
    ),
  );
  return async (name, input, { send, connection }) => {
    const row = own(requests, name);
    if (row === undefined) throw new Error(`A recipe sends "${name}", which is no request of its vendor.`);
    const kept = known.get(name);
    if (kept === undefined) {
      const outcome = await send(row, input);
      for (const other of outcome.ok ? (row.options.forgets ?? []) : [])
        known.get(other)?.forgetOf(`${connection.id} `);
      return outcome;
    }
    return mapped(
      await kept.get(`${connection.id} ${JSON.stringify(input)}`, () => send(row, input)),
      ({ data }) => data,
    );
  };
}

function operationOf(operation: Operation, how: Statement['stated'][string], statement: Prepared): Operation {
  if (typeof how !== 'function' && statement.lacked.length > 0) {
    throw new Error(`${statement.name}: "${operation.summary}" is not its own recipe; only a recipe can lack inputs.`);
  }
  if (how === undefined) {
    const { otherwise } = statement;
    const isLacking = operation.kind === 'request' && otherwise !== null && otherwise !== 'neutral';
    return isLacking ? lacking(operation, otherwise, statement) : operation;
  }
  if (typeof how === 'function') return recipeOf(operation, withoutInputs(how, statement), statement.requests);
  if ('lacks' in how) return lacking(operation, how, statement);
  if (operation.kind === 'request') return { ...operation, options: { ...operation.options, sent: how } };
  throw new Error(`${statement.name}: "${operation.summary}" takes several requests; replace it by a recipe.`);
}

/** Refuses inputs that the vendor has no equivalent of, by their names. */
function withoutInputs(run: AnyRecipe, { lacked, title }: Prepared): AnyRecipe {
  if (lacked.length === 0) return run;
  return (send, input, context) => {
    const given = lacked.filter((name) => own(input, name) !== undefined);
    if (given.length === 0) return run(send, input, context);
    const errors = given.map((name) => ({
      path: [name],
      message: `\`${name}\` has no equivalent at ${title}. Leave it out.`,
    }));
    return Promise.resolve(refusedInput(errors));
  };
}

function lacking(operation: Operation, { lacks: why }: Lacking, { called, requests }: Prepared): Operation {
  const what = `${called} has no such operation: ${operationTitleOf(operation)}.`;
  const failure = failed('rejected', why === '' ? what : `${what} ${why}`);
  return { ...recipeOf(operation, async () => failure, requests), lacks: why };
}

/** Replaces an operation by a recipe with the same inputs, effect and answer. */
function recipeOf(operation: Operation, run: AnyRecipe, requests: SendOwn): RecipeRow {
  const { summary, input, effect, effects, isIdempotent, options } = operation;
  const { output } = options;
  const isProjected = operation.kind === 'request' && operation.options.local?.includes('fields') === true;
  return {
    kind: 'recipe',
    summary,
    input,
    effect,
    ...(effects === undefined ? {} : { effects }),
    isIdempotent,
    options,
    run: async (_, given, context) => {
      const send: CallRow = (name, inputs) => requests(name, inputs, context);
      const outcome = await run(send, given, context);
      return isProjected ? projected(output, outcome, given['fields']) : outcome;
    },
  };
}
