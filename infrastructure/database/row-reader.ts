import { LRUCache } from 'lru-cache';
import { z } from 'zod';

/** A stored row that does not fit its table: its key as text, whose it is (null when unknown), and what does not fit. */
type UnreadableRow = Readonly<{ table: string; key: string; userId: number | null; problem: string }>;

/** A table, and the columns that identify its rows. */
export type RowPlace = Readonly<{ table: string; keys: readonly string[] }>;

/** The maximum number of unreadable rows that are remembered. */
const maxRemembered = 1_000;
/** How long such a row is remembered since the last attempt to read it, in ms: it may be repaired or deleted. */
const rememberedMs = 600_000;
const maxText = 200;

/**
 * Reads the rows of a database one by one, so that one that does not fit fails neither its list nor a job: it is left
 * out, remembered for ten minutes, and reported once.
 */
export class RowReader {
  readonly #found = new LRUCache<string, UnreadableRow>({ max: maxRemembered, ttl: rememberedMs });
  readonly #reported = new LRUCache<string, true>({ max: maxRemembered });
  #report: (row: UnreadableRow) => void = () => undefined;

  /** Has `report` called with each row that turns out to be unreadable. */
  onFound(report: (row: UnreadableRow) => void): void {
    this.#report = report;
  }

  /** Converts rows by a function that throws for what does not fit; rows that it throws for are left out. */
  read<Value>(place: RowPlace, rows: readonly unknown[], convert: (row: unknown) => Value): readonly Value[] {
    return rows.flatMap((row) => {
      try {
        return [convert(row)];
      } catch (error) {
        const problem = problemOf(error);
        if (problem === null) throw error;
        this.#note(place, row, problem);
        return [];
      }
    });
  }

  /** Returns the rows that the latest reads found unreadable. */
  all(): readonly UnreadableRow[] {
    return [...this.#found.values()];
  }

  #note(place: RowPlace, row: unknown, problem: string): void {
    const found = { table: place.table, key: keyOf(place, row), userId: userIn(row), problem };
    const id = `${found.table} ${found.key}`;
    this.#found.set(id, found);
    if (this.#reported.has(id)) return;
    this.#reported.set(id, true);
    this.#report(found);
  }
}

/** What does not fit, without the value; null for another error. */
function problemOf(error: unknown): string | null {
  if (error instanceof SyntaxError) return 'not JSON';
  if (!(error instanceof z.ZodError)) return null;
  const [issue] = error.issues;
  return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`.slice(0, maxText);
}

function keyOf({ keys }: RowPlace, row: unknown): string {
  return keys.map((key) => textOf(memberOf(row, key))).join(' ');
}

function userIn(row: unknown): number | null {
  const id = Number(memberOf(row, 'user_id') ?? memberOf(row, 'userId') ?? Number.NaN);
  return Number.isSafeInteger(id) ? id : null;
}

function memberOf(row: unknown, key: string): unknown {
  return typeof row === 'object' && row !== null && Object.hasOwn(row, key) ? Reflect.get(row, key) : null;
}

function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? '(bytes)' : String(value).slice(0, maxText);
}
