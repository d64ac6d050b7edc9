import type { Marked, Statuses } from '#test/faults/deliveries.ts';
import type { Effects } from '#test/faults/effects.ts';

/** How much of a row is run: `short` is what `npm test` has time for. */
export type Extent = Readonly<{ isShort: boolean; kills: number }>;

/** What a fault came to. `problems` are sentences about what did not hold; an empty list is what is wanted. */
export type Measured = Readonly<{
  load: string;
  acknowledged: number;
  lost: number;
  doubled: number;
  /** How long after the end of the fault all was well again, ms; null where there is nothing to recover from. */
  recoveredAfterMs: number | null;
  problems: readonly string[];
}>;

/** One fault that is brought to a real server. `holds` says in a sentence what has to be true of it. */
export type FaultRow = Readonly<{
  subject: string;
  fault: string;
  holds: string;
  run(extent: Extent): Promise<Measured>;
}>;

/** The marks of what was acknowledged, and how often which status came: what a row counts from. */
export type Tally = { acknowledged: Marked[]; statuses: Record<number, number> };

/** An empty one. */
export function newTally(): Tally {
  return { acknowledged: [], statuses: {} };
}

/** '200 ×40, 503 ×3' */
export function statusesText(statuses: Statuses): string {
  return Object.entries(statuses)
    .map(([status, count]) => `${status === '0' ? 'no answer' : status} ×${count}`)
    .join(', ');
}

/** What to say of deliveries that are lost or doubled: which they are. */
export function namesOf({ lost, doubled }: Effects): readonly string[] {
  const problems = (what: string, all: readonly Marked[]) =>
    all.map(({ kind, record, mark }) => `${mark} (${kind} ${record}) is ${what}.`);
  return [...problems('lost', lost), ...problems('doubled', doubled)].slice(0, 10);
}

/** The time below which 95 of 100 values are. */
export function p95(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(sorted.length * 0.95) - 1)] ?? 0;
}

/** A measured row does not hold when anything was lost, doubled or is said to be wrong. */
export function isHeld({ lost, doubled, problems }: Measured): boolean {
  return lost === 0 && doubled === 0 && problems.length === 0;
}
