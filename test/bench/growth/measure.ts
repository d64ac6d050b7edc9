import type { Asked } from '#test/bench/growth/asked.ts';
import type { Side } from '#test/bench/growth/side.ts';

/**
 * What one thing took on an old and on a new server; `healthzMs` is the longest that `/healthz` of the old one took meanwhile, `turnMs`
 * the longest turn of its event loop in processor time, 0 where that was not asked for.
 */
export type Compared = Readonly<{
  name: string;
  old: Took;
  new: Took;
  healthzMs: number;
  turnMs?: number;
  isWhole: boolean;
}>;

/** Milliseconds, the median; the statements; and the processor time of the server. */
export type Took = Readonly<{ ms: number; cpuMs: number; statements: number; status: number; bytes: number }>;

const rounds = 7;

/** Asks both servers in turns. */
export async function compareAsked(one: Asked, old: Side, fresh: Side): Promise<Compared> {
  old.beats();
  let turnMs = 0;
  const took: Readonly<{ old: Took[]; fresh: Took[] }> = { old: [], fresh: [] };
  for (let round = -1; round < rounds; round += 1) {
    await old.turn();
    const ofOld = await ask(old, one);
    const [turn, ofFresh] = [await old.turn(), await ask(fresh, one)];
    // The first round compiles what later ones find compiled.
    if (round < 0) continue;
    took.old.push(ofOld);
    took.fresh.push(ofFresh);
    turnMs = Math.max(turnMs, turn);
  }
  const healthzMs = Math.max(0, ...old.beats().map(({ tookMs }) => tookMs));
  const isWhole = one.isWhole === true;
  return { name: one.name, old: median(took.old), new: median(took.fresh), healthzMs, turnMs, isWhole };
}

async function ask(side: Side, { path }: Asked): Promise<Took> {
  const before = await side.spent();
  const begunAt = performance.now();
  const response = await fetch(`${side.url}${path}`, { headers: side.headers, redirect: 'manual' });
  const bytes = (await response.arrayBuffer()).byteLength;
  const ms = performance.now() - begunAt;
  const { statements, cpuMs } = await side.spent();
  const used = { statements: statements - before.statements, cpuMs: cpuMs - before.cpuMs };
  return { ms, ...used, status: response.status, bytes };
}

/** The median time, with the least statements and processor time, since jobs of the server may use some in between. */
function median(all: readonly Took[]): Took {
  const sorted = all.toSorted((left, right) => left.ms - right.ms);
  const statements = Math.min(...all.map((one) => one.statements));
  const cpuMs = Math.min(...all.map((one) => one.cpuMs));
  const [first = { ms: 0, cpuMs: 0, statements: 0, status: 0, bytes: 0 }] = sorted;
  return { ...(sorted[Math.floor(sorted.length / 2)] ?? first), statements, cpuMs };
}

/** Whether the old server takes more than 1.5 times as long and more than 15 ms longer. */
export function isOver({ old, new: fresh, isWhole }: Compared): boolean {
  return !isWhole && old.ms > fresh.ms * 1.5 && old.ms > fresh.ms + 15;
}

/** The cells of a row. */
export function cellsOf(one: Compared): readonly string[] {
  const { old, new: fresh } = one;
  const ratio = `${(old.ms / fresh.ms).toFixed(1)} ×${isOver(one) ? ' (over)' : ''}`;
  const processor = `${ms(old.cpuMs)} ÷ ${ms(fresh.cpuMs)}`;
  const statements = `${old.statements} ÷ ${fresh.statements}`;
  const waits = `${ms(one.healthzMs)}, a turn ${ms(one.turnMs ?? 0)}`;
  return [one.name, ms(old.ms), ms(fresh.ms), ratio, processor, statements, waits];
}

const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

/** The heading of the table. */
export const head: readonly string[] = [
  'what',
  'old',
  'new',
  'old ÷ new',
  'processor time',
  'statements',
  '/healthz waits',
];
