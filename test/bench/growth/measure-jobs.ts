import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { jobs } from '#test/bench/growth/jobs.ts';
import { isOver, type Took } from '#test/bench/growth/measure.ts';
import type { Ran, Side } from '#test/bench/growth/side.ts';
import { programEnvironment } from '#test/support/server/program-environment.ts';

/** What a server does by itself, or a command beside it. */
type Work = Readonly<{ name: string; isWhole: boolean; run(side: Side): Promise<Ran> }>;

/**
 * How long work of a server may keep others waiting, in ms, or how many times as long as when there is nothing to do. On a machine that
 * does other things too they wait longer than any turn of the server takes.
 */
const [maxHeldMs, maxHeldTimes] = [50, 5];
const rounds = 5;
/** What is asked again and again meanwhile: it needs the database, and is as large on every server. */
const askedMeanwhile = '/api/switches';

/** Everything that is measured, in the order in which it is done. */
const works: readonly Work[] = [
  ...jobs.map(({ name, isWhole = false }, index) => ({ name, isWhole, run: (side: Side) => side.run(index) })),
  { name: 'the folder of notes is away, and read again', isWhole: true, run: readAgain },
  { name: 'a backup', isWhole: true, run: backUp },
];

/** The two servers, and how long `/healthz` of the old one takes when there is nothing to do, ms. */
type Sides = Readonly<{ old: Side; fresh: Side; idleMs: number }>;

/** A row of the table for each whose name is wanted, as soon as it is known. */
export async function* jobLines(sides: Sides, isWanted: (name: string) => boolean): AsyncIterable<readonly string[]> {
  for (const work of works.filter(({ name }) => isWanted(name))) yield await lineOf(work, sides);
}

async function lineOf({ name, isWhole, run }: Work, { old, fresh, idleMs }: Sides): Promise<readonly string[]> {
  const took: Readonly<{ old: (Took & Ran)[]; fresh: (Took & Ran)[] }> = { old: [], fresh: [] };
  let [healthzMs, pageMs, turnMs] = [0, 0, 0];
  const asks = [await statementsOf(old, () => askPage(old)), await statementsOf(old, () => askPage(old))];
  const eachPage = Math.min(...asks);
  for (let round = isWhole ? 0 : -1; round < (isWhole ? 1 : rounds); round += 1) {
    const ofFresh = await measured(fresh, run);
    old.beats();
    await old.turn();
    const asking = startAsking(old);
    const ofOld = await measured(old, run);
    const pages = await asking.stop();
    const [beats, turn] = [old.beats(), await old.turn()];
    // The first round compiles what later ones find compiled.
    if (round < 0) continue;
    turnMs = Math.max(turnMs, turn);
    pageMs = Math.max(pageMs, ...pages);
    healthzMs = Math.max(healthzMs, ...beats.map(({ tookMs }) => tookMs));
    took.old.push({ ...ofOld, statements: Math.max(0, ofOld.statements - eachPage * pages.length) });
    took.fresh.push(ofFresh);
  }
  const [ofOld, ofFresh] = [median(took.old), median(took.fresh)];
  const compared = { name, old: ofOld, new: ofFresh, healthzMs, isWhole };
  const isHeld = healthzMs > Math.max(maxHeldMs, maxHeldTimes * idleMs) && turnMs > maxHeldMs;
  return [
    ofOld.rows === 0 ? name : `${name}: ${ofOld.rows.toLocaleString('en')}`,
    ms(ofOld.ms),
    ms(ofFresh.ms),
    `${(ofOld.ms / ofFresh.ms).toFixed(1)} ×${isOver(compared) ? ' (over)' : ''}`,
    '–',
    `${ofOld.statements} ÷ ${ofFresh.statements}`,
    `${ms(healthzMs)}${isHeld ? ' (over)' : ''}, a page ${ms(pageMs)}, a turn ${ms(turnMs)}`,
  ];
}

async function measured(side: Side, run: Work['run']): Promise<Took & Ran> {
  let ran: Ran = { ms: 0, rows: 0 };
  const statements = await statementsOf(side, async () => {
    ran = await run(side);
  });
  return { ...ran, statements, cpuMs: 0, status: 200, bytes: 0 };
}

async function statementsOf(side: Side, act: () => Promise<unknown>): Promise<number> {
  const before = await side.spent();
  await act();
  return (await side.spent()).statements - before.statements;
}

function median(all: readonly (Took & Ran)[]): Took & Ran {
  const sorted = all.toSorted((left, right) => left.ms - right.ms);
  const middle = sorted[Math.floor(sorted.length / 2)];
  return middle ?? { ms: 0, rows: 0, statements: 0, cpuMs: 0, status: 0, bytes: 0 };
}

/** Asks for a page again and again; `stop` returns how long each took, ms. */
function startAsking(side: Side): Readonly<{ stop(): Promise<readonly number[]> }> {
  const took: number[] = [];
  const ending = new AbortController();
  const asking = (async () => {
    while (!ending.signal.aborted) {
      took.push(await askPage(side));
      await delay(10);
    }
  })();
  return {
    stop: async () => {
      ending.abort();
      await asking;
      return took;
    },
  };
}

async function askPage(side: Side): Promise<number> {
  const begunAt = performance.now();
  await (await fetch(`${side.url}${askedMeanwhile}`, { headers: side.headers })).arrayBuffer();
  return performance.now() - begunAt;
}

/** Has the folder of the notes away for a moment, after which all of it is read again. */
async function readAgain(side: Side): Promise<Ran> {
  const away = `${side.vault}-away`;
  const readBefore = timesRead(side);
  await rename(side.vault, away);
  while ((await fetch(`${side.url}/readyz`)).status === 200) await delay(20);
  await rename(away, side.vault);
  const begunAt = performance.now();
  while (timesRead(side) === readBefore) await delay(5);
  return { ms: performance.now() - begunAt, rows: side.notes };
}

const timesRead = (side: Side): number => side.log().split('The vault has been read').length;

/** Writes a backup beside the server. */
async function backUp(side: Side): Promise<Ran> {
  const begunAt = performance.now();
  const child = spawn(
    process.execPath,
    ['bootstrap/cli/backup.ts', 'backup', join(side.dataDir, `${Date.now()}.zip`)],
    {
      env: { ...programEnvironment(), DATA_DIR: side.dataDir, VAULT_DIR: side.vault, DATABASE_URL: side.databaseUrl },
      stdio: 'ignore',
    },
  );
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`The backup ended with ${child.exitCode}`);
  return { ms: performance.now() - begunAt, rows: 0 };
}

const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
