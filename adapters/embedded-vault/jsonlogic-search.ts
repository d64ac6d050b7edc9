import { createContext, Script } from 'node:vm';
import jsonLogic from 'json-logic-js';
import { globExpression } from '#adapters/embedded-vault/glob.ts';
import type { NoteIndex } from '#adapters/embedded-vault/note-index.ts';
import { noteJsonOf } from '#adapters/embedded-vault/note-json.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { TimeSlices } from '#infrastructure/files/time-slices.ts';

/** A note for which the query gave something. */
export type QueryHit = Readonly<{ filename: string; result: unknown }>;

const sliceLimitMs = 2000;
const notesPerSlice = 100;

jsonLogic.add_operation('glob', (pattern: unknown, text: unknown) => matches(globExpression, pattern, text));
jsonLogic.add_operation('regexp', (pattern: unknown, text: unknown) =>
  matches((source) => new RegExp(source), pattern, text),
);
// The library's own would print notes to standard output.
jsonLogic.add_operation('log', (value: unknown) => value);

/**
 * Notes for which the query gives something: not false, null, 0, an empty text, list or object. Each is judged as its
 * note JSON. `message` says what was wrong with the query, an expression that runs away included.
 */
export async function searchByJsonLogic(
  index: NoteIndex,
  query: unknown,
): Promise<Result<readonly QueryHit[], { message: string }>> {
  const hits: QueryHit[] = [];
  const slices = new TimeSlices();
  const bounded = boundedBy(sliceLimitMs);
  const paths = index.notePaths();
  for (let from = 0; from < paths.length; from += notesPerSlice) {
    const notes = await readNotes(index, paths.slice(from, from + notesPerSlice));
    const judged = judge(query, notes, hits, bounded);
    if (!judged.ok) return judged;
    if (slices.isUsedUp) await slices.next();
  }
  return ok(hits);
}

type Note = Readonly<{ path: string; data: unknown }>;

async function readNotes(index: NoteIndex, paths: readonly string[]): Promise<readonly Note[]> {
  const notes: Note[] = [];
  for (const path of paths) {
    const found = index.textOf(path);
    const text = found instanceof Promise ? await found : found;
    const stat = index.statOf(path);
    if (text !== null && stat !== null) {
      notes.push({ path, data: noteJsonOf({ path, text, stat }, index.metadataOf(path, text), index.links) });
    }
  }
  return notes;
}

type Bounded = (work: () => void) => void;

function judge(
  query: unknown,
  notes: readonly Note[],
  hits: QueryHit[],
  bounded: Bounded,
): Result<void, { message: string }> {
  let path = '';
  try {
    bounded(() => {
      for (const note of notes) {
        path = note.path;
        const result = applyTo(query, note.data);
        if (isSomething(result)) hits.push({ filename: note.path, result });
      }
    });
    return ok(undefined);
  } catch (error) {
    const message = error instanceof Error ? error.message : messageOf(error);
    return err({ message: `${message} (while processing ${path})` });
  }
}

/** Runs work that is ended by an error after `limitMs`, even inside of an expression that backtracks without end. */
function boundedBy(limitMs: number): Bounded {
  const scope: { work: () => void } = { work: () => undefined };
  const context = createContext(scope);
  const script = new Script('work()');
  return (work) => {
    scope.work = work;
    script.runInContext(context, { timeout: limitMs });
  };
}

/** An error made by another context is no `Error` of this one. */
function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}

function applyTo(query: unknown, data: unknown): unknown {
  if (Array.isArray(query)) return query.map((part) => applyTo(part, data));
  const result: unknown = jsonLogic.is_logic(query) ? jsonLogic.apply(query, data) : query;
  return result;
}

function isSomething(value: unknown): boolean {
  if (value === undefined || value === null || typeof value === 'function') return false;
  return typeof value === 'object' ? Object.keys(value).length > 0 : Boolean(value);
}

function matches(toExpression: (source: string) => RegExp, pattern: unknown, text: unknown): boolean {
  return typeof pattern === 'string' && typeof text === 'string' && toExpression(pattern).test(text);
}
