import type { z } from 'zod';
import type { RequestOptions, RowMethod } from '#adapters/services/row-options.ts';
import type { Effect } from '#domain/operations/effect.ts';
import type { Outcome } from '#domain/operations/outcome.ts';

/** The inputs of an operation by name. */
export type Shape = Readonly<Record<string, z.ZodType>>;

/** A row that is one request. */
export type RequestRow<Input extends z.ZodObject = z.ZodObject> = Readonly<{
  kind: 'request';
  method: RowMethod;
  path: string;
  summary: string;
  input: Input;
  effect: Effect;
  isIdempotent: boolean;
  options: RequestOptions;
}>;

/** Calls another row of the same service and connection. */
export type CallRow = (name: string, input: Readonly<Record<string, unknown>>) => Promise<Outcome>;

/** The connection of a recipe. `id` changes when it is connected anew; `extra` is that of its token record. */
export type RecipeConnection = Readonly<{ id: string; extra: Readonly<Record<string, unknown>> }>;

/**
 * What a recipe knows of the call it serves: the connection, how long the caller waits, and who wants to hear of progress.
 * `send` carries out a request that is no row of the table.
 */
export type RecipeContext = Readonly<{
  connection: RecipeConnection;
  send: (row: RequestRow, input: Readonly<Record<string, unknown>>) => Promise<Outcome>;
  signal?: AbortSignal;
  onProgress?: (progress: Readonly<{ done: number; total: number | null; message: string }>) => void;
}>;

/** A row that takes several requests: written over the rows that are one. */
export type RecipeRow<Input extends z.ZodObject = z.ZodObject> = Readonly<{
  kind: 'recipe';
  summary: string;
  input: Input;
  effect: Effect;
  isIdempotent: boolean;
  options: Pick<RequestOptions, 'tool' | 'title' | 'answer' | 'output' | 'route' | 'aliases'>;
  // A method, so that rows with different inputs fit one table.
  run(call: CallRow, input: z.output<Input>, context: RecipeContext): Promise<Outcome>;
}>;

/** One row of a service's table. */
export type Operation = RequestRow | RecipeRow;

/** A service's operations by name ('deals.get'). */
export type OperationTable = Readonly<Record<string, Operation>>;

/** What a person calls the operation: its own title, else the first clause of its summary. */
export function operationTitleOf({ summary, options }: Operation): string {
  return options.title ?? summary.split(/[;:,.](?:\s|$)|\s\(/)[0] ?? summary;
}

/** What a caller passes to the named operation. */
export type InputOf<Table extends OperationTable, Name extends keyof Table> = z.input<Table[Name]['input']>;
