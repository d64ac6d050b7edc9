import type { Inputs } from '#adapters/services/wire-request.ts';
import type { NoteChange } from '#application/ports/note-changes.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';
import type { Awaitable } from '#domain/shared/result.ts';
import { isTeams, type TokenRecord } from '#domain/tokens/token-record.ts';

/** Receives the note that an operation has changed. */
export type OnChange = (change: Omit<NoteChange, 'userId'>) => void;

/** Does an operation in this process, with valid inputs; never throws. Taken from a method, so that all inputs fit. */
export type LocalOperation = { run(input: Inputs, onChange: OnChange): Awaitable<Outcome> }['run'];

/** Operations of one service by name, each of which this process does itself instead of sending a request. */
export type LocalTable = Readonly<Record<string, LocalOperation>>;

/** What this process does itself of one service, over the team's connection: nothing until it is served. */
export class LocalOperations {
  #table: LocalTable = {};

  /** Does these operations here from now on. */
  serve(table: LocalTable): void {
    this.#table = table;
  }

  /** How an operation over that connection is done here; undefined when it is sent. */
  find(record: TokenRecord, name: string): LocalOperation | undefined {
    return isTeams(record) ? own(this.#table, name) : undefined;
  }
}
