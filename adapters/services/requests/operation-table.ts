import type { z } from 'zod';
import type { NoteChange } from '#adapters/contracts/changes.ts';
import type { RequestOptions, RowMethod } from '#adapters/services/requests/row-options.ts';
import type { PlannedChange } from '#domain/changes/planned-change.ts';
import { type Effect, type EffectsByInput, effectFor } from '#domain/operations/effect.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import type { Awaitable } from '#domain/shared/result.ts';

/** The inputs of an operation by name. */
export type Shape = Readonly<Record<string, z.ZodType>>;

/** An operation that is a single request. */
export type RequestRow<Input extends z.ZodObject = z.ZodObject> = Readonly<{
  kind: 'request';
  method: RowMethod;
  path: string;
  summary: string;
  input: Input;
  /** The worst effect of its calls. */
  effect: Effect;
  /** Their effects by inputs; absent when all have the same. */
  effects?: EffectsByInput;
  isIdempotent: boolean;
  options: RequestOptions;
}>;

/** Calls another row of the same service and connection. */
export type CallRow = (name: string, input: Readonly<Record<string, unknown>>) => Promise<Outcome>;

/** The connection of a recipe. `id` changes when the user reconnects; `extra` is that of its token record. */
export type RecipeConnection = Readonly<{ id: string; extra: Readonly<Record<string, unknown>> }>;

/**
 * The context of a recipe's call: the connection, the caller's cancellation, and the progress listener. `send` sends a
 * request that is not a row of the table.
 */
export type RecipeContext = Readonly<{
  connection: RecipeConnection;
  send: (row: RequestRow, input: Readonly<Record<string, unknown>>) => Promise<Outcome>;
  signal?: AbortSignal;
  onProgress?: (progress: Readonly<{ done: number; total: number | null; message: string }>) => void;
}>;

/** An operation that takes several requests, composed of single-request rows. */
export type RecipeRow<Input extends z.ZodObject = z.ZodObject> = Readonly<{
  kind: 'recipe';
  summary: string;
  input: Input;
  /** The worst effect of its calls. */
  effect: Effect;
  /** Their effects by inputs; absent when all have the same. */
  effects?: EffectsByInput;
  isIdempotent: boolean;
  options: Pick<
    RequestOptions,
    'tool' | 'title' | 'answer' | 'output' | 'route' | 'aliases' | 'named' | 'multipart' | 'standsFor'
  >;
  /** Why the vendor has no such operation, as a sentence or ''; absent when it has. */
  lacks?: string;
  // Declared as a method, so that rows with different inputs fit one table.
  run(call: CallRow, input: z.output<Input>, context: RecipeContext): Promise<Outcome>;
}>;

/** Receives the note that an operation has changed. */
export type OnChange = (change: Omit<NoteChange, 'userId'>) => void;

/**
 * Receives what a local operation changes, before any of it is written; false ends the operation, whose outcome then
 * does not matter.
 */
export type BeforeWrite = (plan: Omit<PlannedChange, 'input' | 'effect' | 'account'>) => Promise<boolean>;

/**
 * Does an operation in this process, with valid inputs; never throws. One that changes something calls `beforeWrite`,
 * where it is given, before each write. Taken from a method, so that operations with different inputs fit one
 * table.
 */
export type LocalOperation = {
  run(input: Readonly<Record<string, unknown>>, onChange: OnChange, beforeWrite?: BeforeWrite): Awaitable<Outcome>;
}['run'];

/** The local operation that takes a change back: its input is `undo` and `isForced`. It is no operation of users. */
export const undoName = 'undo';

/** One row of a service's table. */
export type Operation = RequestRow | RecipeRow;

/** A service's operations by name ('deals.get'). */
export type OperationTable = Readonly<Record<string, Operation>>;

/** The title of the operation for people: its own, else the first clause of its summary. */
export function operationTitleOf({ summary, options }: Operation): string {
  return options.title ?? summary.split(/[;:,.](?:\s|$)|\s\(/)[0] ?? summary;
}

/** The effect of a call with these inputs, which are valid. */
export function effectIn({ effect, effects }: Operation, input: Readonly<Record<string, unknown>>): Effect {
  return effects === undefined ? effect : effectFor(effects, input);
}

/** The input that the named operation takes. */
export type InputOf<Table extends OperationTable, Name extends keyof Table> = z.input<Table[Name]['input']>;
