import type { ProgramChoice } from '#application/programs/offered-operations.ts';
import type { CallsOptions } from '#application/programs/program-calls.ts';

/** The maximum length of a program, in characters. */
export const maxCode = 64 * 1024;

/** A program of an app. `input` is JSON. */
export type AskedProgram = Readonly<{
  code: string;
  input: unknown;
  /** The app's choice of tools. */
  choice: ProgramChoice;
  isDry: boolean;
  explain: string | null;
  approval: string | null;
  signal: AbortSignal;
  onCall?: CallsOptions['onCall'];
  confirm?: CallsOptions['confirm'];
}>;
