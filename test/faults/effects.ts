import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Marked } from '#test/faults/deliveries.ts';

/** Where effects are looked for: the folder of notes, and the names of the records in the suite CRM. */
export type Places = Readonly<{ notes: string; organizations: () => readonly string[] }>;

/** What became of acknowledged deliveries, as seen from outside: those without an effect, and those with more than one. */
export type Effects = Readonly<{ lost: readonly Marked[]; doubled: readonly Marked[] }>;

type Seen = Readonly<{ mtimeMs: number; size: number; marks: readonly string[] }>;

const pollMs = 50;
const historyMarks = /(?:→|moved it to) (m\d{6}x)\b.*\^evt-\w+$/gm;

/** Looks for the effects of deliveries, and remembers when it first saw each. */
export class Watcher {
  readonly #places: Places;
  readonly #files = new Map<string, Seen>();
  readonly #seenAt = new Map<string, number>();
  readonly #stopping = new AbortController();
  readonly #looking: Promise<void>;

  constructor(places: Places) {
    this.#places = places;
    this.#looking = this.#lookOn();
  }

  /** When the effect of a delivery was first seen, Unix ms; null when it has not been. */
  seenAt(mark: string): number | null {
    return this.#seenAt.get(mark) ?? null;
  }

  /** Looks now, and counts: what has no effect, and what has more than one. */
  async effects(acknowledged: readonly Marked[]): Promise<Effects> {
    const counts = await this.#look();
    return {
      lost: acknowledged.filter(({ mark }) => !counts.has(mark)),
      doubled: acknowledged.filter(({ mark }) => (counts.get(mark) ?? 0) > 1),
    };
  }

  /** Waits until each of them has its effect; ms waited, or null when that took longer than `withinMs`. */
  async all(acknowledged: readonly Marked[], withinMs: number): Promise<number | null> {
    const begunAt = Date.now();
    for (;;) {
      const { lost } = await this.effects(acknowledged);
      if (lost.length === 0) return Date.now() - begunAt;
      if (Date.now() - begunAt > withinMs) return null;
      await delay(pollMs);
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#looking;
  }

  async #lookOn(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await this.#look();
      await delay(pollMs);
    }
  }

  /** How often each mark is there. */
  async #look(): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    for (const mark of [...(await this.#marksInNotes()), ...this.#places.organizations()]) {
      counts.set(mark, (counts.get(mark) ?? 0) + 1);
      if (!this.#seenAt.has(mark)) this.#seenAt.set(mark, Date.now());
    }
    return counts;
  }

  async #marksInNotes(): Promise<readonly string[]> {
    const paths = await readdir(this.#places.notes, { recursive: true }).catch(() => []);
    const notes = paths.filter((path) => path.endsWith('.md'));
    const marks = await Promise.all(notes.map((path) => this.#marksIn(join(this.#places.notes, path))));
    return marks.flat();
  }

  /** A note is read again only when it has changed. */
  async #marksIn(file: string): Promise<readonly string[]> {
    const found = await stat(file).catch(() => null);
    if (found === null) return [];
    const known = this.#files.get(file);
    if (known?.mtimeMs === found.mtimeMs && known.size === found.size) return known.marks;
    const text = await readFile(file, 'utf8').catch(() => '');
    const marks = [...text.matchAll(historyMarks)].map(([, mark = '']) => mark);
    this.#files.set(file, { mtimeMs: found.mtimeMs, size: found.size, marks });
    return marks;
  }
}
