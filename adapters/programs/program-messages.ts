import type { ProgramAnswer, ProgramFailure, ProgramOperation } from '#application/ports/program-sandbox.ts';

/** What a thread is given to run a program. `stop` is set to 1 to stop it. */
export type StartMessage = Readonly<{
  do: 'run';
  code: string;
  input: string;
  at: number;
  operations: readonly ProgramOperation[];
  stop: Int32Array;
  bounds: ProgramBounds;
}>;

/** Has the thread look whether its program has to stop, which one that waits for an answer does not do. */
export type StopMessage = Readonly<{ do: 'stop' }>;

/** The answer of a call. */
export type AnswerMessage = Readonly<{ do: 'answer'; call: number; answer: ProgramAnswer }>;

/** What a thread says: that it is ready, a call, a line of the log, or the end of its program. */
export type ThreadMessage =
  | Readonly<{ say: 'ready' }>
  | Readonly<{ say: 'call'; call: number; path: string; inputs: string }>
  | Readonly<{ say: 'log'; line: string }>
  | Readonly<{ say: 'end'; ok: true; value: unknown }>
  | Readonly<{ say: 'end'; ok: false; failure: ProgramFailure | Readonly<{ kind: 'asked' }> }>;

/** What one program may use: processor time in ms, and characters of its log and of its result. */
export type ProgramBounds = Readonly<{ cpuMs: number; memoryBytes: number; logLength: number; resultLength: number }>;
