import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type ClusterStand, openClusterStand } from '#test/faults/cluster-stand.ts';
import { type Marked, marked, sendOnce } from '#test/faults/deliveries.ts';
import { deliveriesOf, sendAll } from '#test/faults/load.ts';
import { type FaultRow, type Measured, namesOf, newTally, statusesText, type Tally } from '#test/faults/row.ts';
import { starve } from '#test/faults/starve.ts';

/** How much of a core each server gets, and the length of one turn of running and pausing. */
const starvation = { share: 0.05, periodMs: 1_000 } as const;
/** How long each load lasts; after the first seconds the servers have become used to it. */
const lengths = { usedToMs: 10_000, enoughMs: 30_000, tooMuchMs: 60_000, windowMs: 30_000 } as const;
const tooMuch = 10;
const leastShare = 0.5;
/** Enough is what keeps so many waiting, and no more. */
const enoughWaiting = 60;
const senders = 30;
/** How long a sender waits for an answer. */
const giveUpMs = 5_000;
const records = 300;
const settledWithinMs = 300_000;

/** Three servers that have far too little processor time for what arrives. */
export const starved: readonly FaultRow[] = [
  {
    subject: 'starved',
    fault: 'three servers with 5 % of a core each, and ten times the arrivals that they can do',
    holds:
      'In any 30 s they do at least half of what they do when just enough arrives, and nothing acknowledged is lost (INBOX-020, INBOX-021)',
    run,
  },
];

async function run(): Promise<Measured> {
  await using stand = await openClusterStand({ servers: 3, as: 'processes' });
  const tally = newTally();
  await warm(stand, tally);
  const samples = startSamples(stand);
  const feed = starve(stand.servers, starvation);
  const enough = await whenJustEnough(stand, tally, samples);
  const worst = await whenTooMuch(stand, tally, { samples, perSecond: enough * tooMuch });
  await feed();
  const endedAt = Date.now();
  samples.stop();
  const settled = await stand.watcher.all(tally.acknowledged, settledWithinMs);
  const effects = await stand.watcher.effects(tally.acknowledged);
  const isEnough = worst >= enough * leastShare;
  const rates = `${enough.toFixed(1)} a second when just enough arrives, ${worst.toFixed(1)} in the worst 30 s (${(worst / enough).toFixed(2)})`;
  return {
    load: `${rates}; ${statusesText(tally.statuses)}`,
    acknowledged: tally.acknowledged.length,
    lost: effects.lost.length,
    doubled: effects.doubled.length,
    recoveredAfterMs: settled === null ? null : Date.now() - endedAt,
    problems: [...namesOf(effects), ...(isEnough ? [] : [`Too little was done: ${rates}.`])],
  };
}

/** Has all code of the servers run before they are starved. */
async function warm(stand: ClusterStand, tally: Tally): Promise<void> {
  const { acknowledged } = await sendAll(stand, deliveriesOf({ kinds: ['deal'], records: 40, count: 400 }), { tally });
  await stand.watcher.all(acknowledged, settledWithinMs);
}

/** Sends as much as is done, and returns how many a second that is. */
async function whenJustEnough(stand: ClusterStand, tally: Tally, samples: Samples): Promise<number> {
  const ending = new AbortController();
  const sending = Array.from({ length: senders }, async () => {
    while (!ending.signal.aborted) {
      if (samples.last().waiting < enoughWaiting) await send(stand, tally);
      else await delay(500);
    }
  });
  await delay(lengths.usedToMs);
  const from = samples.last();
  await delay(lengths.enoughMs);
  const to = samples.last();
  ending.abort();
  await Promise.all(sending);
  return perSecondBetween(from, to);
}

/** Sends so many a second, whatever the answers; returns how many a second were done in the worst window. */
async function whenTooMuch(
  stand: ClusterStand,
  tally: Tally,
  { samples, perSecond }: Readonly<{ samples: Samples; perSecond: number }>,
): Promise<number> {
  const begunAt = Date.now();
  const sending = new Set<Promise<void>>();
  for (let sent = 0; Date.now() - begunAt < lengths.tooMuchMs; sent += 1) {
    const one = send(stand, tally).finally(() => sending.delete(one));
    sending.add(one);
    await delay(Math.max(0, begunAt + (sent * 1_000) / perSecond - Date.now()));
  }
  const during = samples.since(begunAt);
  await Promise.all(sending);
  const windows = during.flatMap((from) => {
    const to = during.find(({ at }) => at >= from.at + lengths.windowMs);
    return to === undefined ? [] : [perSecondBetween(from, to)];
  });
  return Math.min(...windows);
}

let sent = 0;

async function send({ servers }: ClusterStand, tally: Tally): Promise<void> {
  sent += 1;
  const one: Marked = marked('deal', String(1 + (sent % records)));
  const answer = await sendOnce(one, servers[sent % servers.length]?.origin ?? '', giveUpMs);
  const status = answer?.status ?? 0;
  tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
  if (status === 200) tally.acknowledged.push(one);
}

type Sample = Readonly<{ at: number; done: number; waiting: number }>;

/** What was done and what waited, every half second. */
type Samples = Readonly<{ last(): Sample; since(at: number): readonly Sample[]; stop(): void }>;

const counts = z.tuple([z.object({ done: z.coerce.number(), waiting: z.coerce.number() })]);

function startSamples({ query }: ClusterStand): Samples {
  const all: Sample[] = [{ at: Date.now(), done: 0, waiting: 0 }];
  const take = async () => {
    const [{ done, waiting }] = counts.parse(
      await query(
        "select count(*) filter (where state = 'done') as done, count(*) filter (where state in ('pending', 'leased')) as waiting from webhook_inbox",
      ),
    );
    all.push({ at: Date.now(), done, waiting });
  };
  const timer = setInterval(() => void take().catch(() => undefined), 500);
  return {
    last: () => all.at(-1) ?? { at: Date.now(), done: 0, waiting: 0 },
    since: (at) => all.filter((one) => one.at >= at),
    stop: () => clearInterval(timer),
  };
}

const perSecondBetween = (from: Sample, to: Sample) => ((to.done - from.done) * 1_000) / Math.max(1, to.at - from.at);
