import { checkReaction } from '#adapters/reactions/check-reaction.ts';
import { fillReaction } from '#adapters/reactions/fill-reaction.ts';
import type { FilledReaction } from '#application/ports/reaction-language.ts';
import type { EventData } from '#domain/reaction-notes/event-data.ts';
import type { ReactionNote, ReadReaction } from '#domain/reaction-notes/reaction-note.ts';
import type { CallCheck } from '#domain/reaction-notes/written-reaction.ts';
import { messageOf } from '#domain/shared/error-text.ts';
import { err, type Result } from '#domain/shared/result.ts';

/** A note to read in a thread. `calls` are the results of checking its calls, null until they are known. */
export type ReadJob = Readonly<{
  do: 'read';
  path: string;
  text: string;
  senders: readonly string[];
  folder: string;
  calls: readonly CallCheck[] | null;
}>;

/** A call in a note: the name of its operation or tool, and its input. */
export type WrittenCall = Readonly<{ name: string; input: Readonly<Record<string, unknown>> }>;

/** What was read, and the calls that only the server itself can check. */
export type ReadAnswer = Readonly<{ read: ReadReaction | null; calls: readonly WrittenCall[] }>;

/** A reaction to fill in a thread. */
export type FillJob = Readonly<{ do: 'fill'; reaction: ReactionNote; data: EventData }>;

/** What came of filling: null when the condition is not met; a failure is a sentence for the reaction's author. */
export type FillAnswer = Result<FilledReaction | null, string>;

/** Reads or fills a reaction; the entry point of the worker threads. The job null only starts a thread. */
export default function run(job: ReadJob | FillJob | null): ReadAnswer | FillAnswer | null {
  if (job === null) return null;
  return job.do === 'read' ? read(job) : fill(job);
}

function read({ path, text, senders, folder, calls: checked }: ReadJob): ReadAnswer {
  const calls: WrittenCall[] = [];
  const call = (name: string, input: WrittenCall['input']): CallCheck => {
    calls.push({ name, input });
    return checked?.[calls.length - 1] ?? { operation: name, nearest: null, errors: [] };
  };
  try {
    return { read: checkReaction(path, text, { senders, folder, call }), calls };
  } catch (error) {
    const message = `It cannot be read: ${shortMessageOf(error)}`;
    return { read: { path, isYaml: false, reaction: null, faults: [{ line: 1, message }] }, calls: [] };
  }
}

function fill({ reaction, data }: FillJob): FillAnswer {
  try {
    return fillReaction(reaction, data);
  } catch (error) {
    return err(`It cannot be filled: ${shortMessageOf(error)}`);
  }
}

/** Such as that of a stack that overflowed. */
function shortMessageOf(error: unknown): string {
  return messageOf(error).slice(0, 200);
}
