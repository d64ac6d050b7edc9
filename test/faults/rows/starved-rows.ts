import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { deliveriesOf, sendAll } from '#test/faults/load.ts';
import { type Beat, longest, startPulse } from '#test/faults/pulse.ts';
import { type Extent, type FaultRow, type Measured, namesOf, p95 } from '#test/faults/row.ts';
import {
  type Arrival,
  type MixedLoad,
  measure,
  newLoad,
  type Rates,
  sendAtRates,
  sendEnough,
  startWatch,
} from '#test/faults/starving/mixed-load.ts';
import { type Cause, openStarved, type StarvedStand } from '#test/faults/starving/starved-stand.ts';

const tooMuch = 3;
const leastShare = 0.8;
/** How many of those who send may wait in vain. */
const mostUnanswered = 0.05;
/** How long each load lasts; in the first seconds of each the server becomes used to it. */
const usualLengths = { usedToMs: 4_000, enoughMs: 8_000, tooMuchMs: 16_000 } as const;
const shortLengths = { usedToMs: 500, enoughMs: 1_000, tooMuchMs: 2_000 } as const;
const calmWithinMs = 60_000;
const settledWithinMs = 120_000;

const causes: readonly (readonly [Cause, string])[] = [
  ['core', '10 % of a core'],
  ['memory', '192 MB of memory'],
  ['disk', 'a disk that takes 50 ms for each sync'],
  ['provider', 'a provider that takes 2 s for each answer'],
  ['database', 'a PostgreSQL that is 40 ms away'],
];

const pairs = causes.flatMap((one, index) => causes.slice(index + 1).map((other) => [one, other] as const));

/** One server that has too little of something, or of two things, and three times the arrivals that it can do. */
export const starvedRows: readonly FaultRow[] = [...causes.map((one) => [one]), ...pairs].map((some) => ({
  subject: 'starved-rows',
  fault: `${some.map(([cause]) => cause).join('+')}: ${some.map(([, name]) => name).join(', and ')}`,
  holds:
    'Of each it does at least 0.8 of what it does when just enough arrives; what is too much is refused or waits, nothing acknowledged is lost, and all is well by itself (INBOX-021, INBOX-026, INBOX-027)',
  run: (extent: Extent) =>
    run(
      some.map(([cause]) => cause),
      extent,
    ),
}));

async function run(some: readonly Cause[], { isShort }: Extent): Promise<Measured> {
  const starved = await openStarved(some);
  if (typeof starved === 'string') return notCarriedOut(starved);
  await using held = starved;
  const { stand } = held;
  const lengths = isShort ? shortLengths : usualLengths;
  const load = newLoad(held, [
    'deliveries',
    ...(some.includes('provider') ? (['pushes'] as const) : []),
    'reads',
    'writes',
  ]);
  const warmed = await warm(held, load);
  await held.impose();
  const watch = await startWatch(held);
  const pulse = startPulse(`${stand.baseUrl}/healthz`);
  const enough = await whileSending(
    async (signal) => sendEnough(load, watch, signal),
    async () => {
      await delay(lengths.usedToMs);
      return measure(load, watch, lengths.enoughMs);
    },
  );
  const usualMs = p95(load.tookMs);
  const [before, from] = [sentOf(load), pulse.beats.length];
  const much = await whileSending(
    async (signal) => sendAtRates(load, times(enough, tooMuch), signal),
    async () => {
      await delay(lengths.usedToMs);
      return measure(load, watch, lengths.tooMuchMs);
    },
  );
  const arrived = times(difference(sentOf(load), before), 1_000 / (lengths.usedToMs + lengths.tooMuchMs));
  const beats = (await pulse.stop()).slice(from);
  const { deliveries, pushes } = watch.last();
  const endedAt = Date.now();
  const calmMs = await calm(load, usualMs);
  await held.lift();
  await watch.stop();
  const all = [...warmed, ...load.acknowledged];
  const settled = await stand.watcher.all(all, settledWithinMs);
  const effects = await stand.watcher.effects(all);
  const { said, isKilled } = held.memory();
  const lines = await linesOf(held, load);
  return {
    load: `${ratesText(load, { enough, arrived, much })}; ${answersText(load)}; ${deliveries.waiting + pushes.waiting} waited; /healthz ${beatsText(beats)}; reads as before after ${secondsText(calmMs)}; ${said}`,
    acknowledged: all.length + load.written.length,
    lost: effects.lost.length + lines.lost,
    doubled: effects.doubled.length + lines.doubled,
    recoveredAfterMs: settled === null ? null : Date.now() - endedAt,
    problems: [
      ...namesOf(effects),
      ...(lines.lost > 0 ? [`${lines.lost} lines that were acknowledged are not there.`] : []),
      ...(lines.doubled > 0 ? [`${lines.doubled} lines are there twice.`] : []),
      // So short a time says little about shares.
      ...(isShort ? [] : sharesWrong(load, enough, much)),
      ...answersWrong(load),
      ...(calmMs === null ? ['Reads did not become as quick as they were.'] : []),
      ...(settled === null ? ['Not all deliveries were done in the end.'] : []),
      ...(isKilled ? ['It was ended for want of memory.'] : []),
    ],
  };
}

/** Has the code of the server run that is used, before it is starved; what it did. */
async function warm({ stand }: StarvedStand, load: MixedLoad) {
  const { acknowledged } = await sendAll(stand, deliveriesOf({ records: 40, count: 360 }));
  const pushed = await sendAll(stand, deliveriesOf({ kinds: ['organization'], records: 10, count: 10 }));
  for (let index = 0; index < 40; index += 1) await load.send('writes');
  for (let index = 0; index < 200; index += 1) await load.send('reads');
  const all = [...acknowledged, ...pushed.acknowledged];
  await stand.watcher.all(all, settledWithinMs);
  load.tookMs.length = 0;
  return all;
}

async function whileSending(send: (signal: AbortSignal) => Promise<void>, look: () => Promise<Rates>): Promise<Rates> {
  const ending = new AbortController();
  const sending = send(ending.signal);
  const rates = await look();
  ending.abort();
  await sending;
  return rates;
}

/** How long it takes until three reads in a row are as quick as nearly all were before, in ms; null when it takes too long. */
async function calm(load: MixedLoad, usualMs: number): Promise<number | null> {
  const begunAt = performance.now();
  for (let quick = 0; performance.now() - begunAt < calmWithinMs; ) {
    const before = load.tookMs.length;
    await load.send('reads');
    const took = load.tookMs[before];
    quick = took !== undefined && took <= 1.5 * usualMs + 50 ? quick + 1 : 0;
    if (quick === 3) return performance.now() - begunAt;
    await delay(50);
  }
  return null;
}

/** How many of the lines that were written are not there, or twice. */
async function linesOf({ stand }: StarvedStand, { written }: MixedLoad) {
  const names = Array.from({ length: 20 }, (_, index) => join(stand.dataDir, 'vault', 'Load', `${index}.md`));
  const texts = await Promise.all(names.map((name) => readFile(name, 'utf8')));
  const counts = new Map<string, number>();
  for (const [line] of texts.join('\n').matchAll(/line-\d+\./g)) counts.set(line, (counts.get(line) ?? 0) + 1);
  const lost = written.filter((line) => !counts.has(line)).length;
  return { lost, doubled: [...counts.values()].filter((count) => count > 1).length };
}

const sentOf = ({ answers }: MixedLoad): Rates => ofEach((what) => answers[what].sent);
const ofEach = (value: (what: Arrival) => number): Rates => ({
  deliveries: value('deliveries'),
  pushes: value('pushes'),
  reads: value('reads'),
  writes: value('writes'),
});
const times = (rates: Rates, factor: number) => ofEach((what) => rates[what] * factor);
const difference = (to: Rates, from: Rates) => ofEach((what) => to[what] - from[what]);

function sharesWrong({ arrivals }: MixedLoad, enough: Rates, much: Rates): readonly string[] {
  const few = arrivals.filter((what) => much[what] < leastShare * enough[what]);
  return few.map((what) => `Too few ${what} were done: ${(much[what] / enough[what]).toFixed(2)} of enough.`);
}

function answersWrong({ arrivals, answers }: MixedLoad): readonly string[] {
  return arrivals.flatMap((what) => {
    const { sent, unanswered, wrong } = answers[what];
    const many = unanswered > mostUnanswered * sent;
    return [
      ...(many ? [`${unanswered} of ${sent} ${what} had no answer.`] : []),
      ...[...wrong].map(([said, count]) => `${count} ${what} were answered ${said}`),
    ];
  });
}

function ratesText(
  { arrivals }: MixedLoad,
  { enough, arrived, much }: Readonly<Record<'enough' | 'arrived' | 'much', Rates>>,
): string {
  const of = (what: Arrival) =>
    `${what} ${enough[what].toFixed(1)}/s, of ${arrived[what].toFixed(1)}/s ${much[what].toFixed(1)}/s (${(much[what] / enough[what]).toFixed(2)})`;
  return arrivals.map(of).join('; ');
}

function answersText({ arrivals, answers }: MixedLoad): string {
  const of = (what: Arrival) => {
    const { ok, refused, unanswered } = answers[what];
    return `${what} ${ok} ok, ${refused} refused, ${unanswered} unanswered`;
  };
  return arrivals.map(of).join('; ');
}

const beatsText = (beats: readonly Beat[]) =>
  `p95 ${p95(beats.map(({ tookMs }) => tookMs)).toFixed(0)} ms, longest ${longest(beats).toFixed(0)} ms`;

const secondsText = (ms: number | null) => (ms === null ? 'more than 60 s' : `${(ms / 1_000).toFixed(1)} s`);

function notCarriedOut(why: string): Measured {
  return {
    load: `not carried out here: ${why}`,
    acknowledged: 0,
    lost: 0,
    doubled: 0,
    recoveredAfterMs: null,
    problems: [],
  };
}
