import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openClusterStand } from '#test/faults/cluster-stand.ts';
import type { Watcher } from '#test/faults/effects.ts';
import { deliveriesOf, sendAll } from '#test/faults/load.ts';
import { type Extent, type FaultRow, type Measured, namesOf, newTally, statusesText } from '#test/faults/row.ts';
import { openStand } from '#test/faults/stand.ts';
import { allowCall, type ReactionPlace, reactionPage } from '#test/faults/written-reaction.ts';
import type { EmulatedServices } from '#test/support/services/emulated-services.ts';
import { figures } from '#test/support/webhooks/webhook-server.ts';

/** Longer than a lease. */
const frozenMs = 4_000;
const awakeMs = 1_500;
/** How long the tracker takes for an answer, so that calls are in flight when a server is stopped. */
const answerMs = 150;
const settledWithinMs = 180_000;

const holds =
  'Every call is made once and recorded, and no person is asked: neither for what was not sent nor for what was answered (INBOX-019)';

/** Servers that are stopped again and again under load, and go on: as containers, virtual machines and laptops do. */
export const frozen: readonly FaultRow[] = [
  { subject: 'frozen', fault: 'one server, 8 times for 4 s', holds, run: one },
  { subject: 'frozen', fault: 'three servers in turn, 8 times for 4 s', holds, run: three },
];

type Frozen = ReactionPlace &
  Readonly<{
    services: Pick<EmulatedServices, 'emulators'>;
    watcher: Watcher;
    /** Sends a signal to one of the servers. */
    signal: (signal: NodeJS.Signals, turn: number) => void;
  }>;

async function one(extent: Extent): Promise<Measured> {
  await using stand = await openStand();
  const signal: Frozen['signal'] = (name) => stand.server().signal(name);
  return await under({ ...stand, services: stand, notes: join(stand.dataDir, 'vault'), signal }, extent);
}

async function three(extent: Extent): Promise<Measured> {
  await using stand = await openClusterStand({ servers: 3, as: 'processes' });
  const signal: Frozen['signal'] = (name, turn) => stand.servers[turn % 3]?.signal(name);
  return await under({ ...stand, notes: stand.vaultDir, person: await stand.signIn(), signal }, extent);
}

async function under(stand: Frozen, { isShort }: Extent): Promise<Measured> {
  const { tracker } = stand.services.emulators;
  const [times, perFreeze] = isShort ? [2, 10] : [8, 36];
  await allowCall(stand, `tracker.issues.create: { teamId: ${tracker.seed.eng.id}, title: "{{ deal.status }}" }`);
  const tally = newTally();
  for (let turn = 0; turn < times; turn += 1) {
    const deliveries = deliveriesOf({ kinds: ['deal'], records: 12, count: perFreeze });
    for (const _ of deliveries) tracker.delayNext(answerMs);
    const begun = Promise.withResolvers<void>();
    const onAcknowledged = ({ acknowledged }: typeof tally) => {
      if (acknowledged.length >= turn * perFreeze + perFreeze / 3) begun.resolve();
    };
    const sending = sendAll(stand, deliveries, { tally, onAcknowledged });
    await Promise.race([begun.promise, sending]);
    stand.signal('SIGSTOP', turn);
    await delay(frozenMs);
    stand.signal('SIGCONT', turn);
    await Promise.all([sending, delay(awakeMs)]);
  }
  const endedAt = Date.now();
  const { acknowledged } = tally;
  await stand.watcher.all(acknowledged, settledWithinMs);
  const isSettled = await settled(stand, settledWithinMs);
  const effects = await stand.watcher.effects(acknowledged);
  const made = Map.groupBy(tracker.space.all('Issue'), ({ title }) => String(title));
  const calls = acknowledged.map(({ mark }) => made.get(mark)?.length ?? 0);
  const failed = (tally.statuses[500] ?? 0) === 0 ? [] : ['A delivery was answered 500.'];
  return {
    load: `${acknowledged.length} deliveries; ${statusesText(tally.statuses)}`,
    acknowledged: acknowledged.length,
    lost: effects.lost.length + calls.filter((count) => count === 0).length,
    doubled: effects.doubled.length + calls.filter((count) => count > 1).length,
    recoveredAfterMs: isSettled ? Date.now() - endedAt : null,
    problems: [...namesOf(effects), ...failed, ...(isSettled ? [] : ['Deliveries are open.']), ...(await asked(stand))],
  };
}

/** Whether nothing is open any more within so long. */
async function settled({ baseUrl }: Frozen, withinMs: number): Promise<boolean> {
  const begunAt = Date.now();
  for (;;) {
    const entries = await entriesOf(baseUrl);
    if (entries('pending') + entries('leased') === 0) return true;
    if (Date.now() - begunAt > withinMs) return false;
    await delay(200);
  }
}

/** What a person would have to look after. */
async function asked(stand: Frozen): Promise<readonly string[]> {
  const dead = (await entriesOf(stand.baseUrl))('dead');
  const isAsked = (await reactionPage(stand)).includes('It took effect');
  return [...(dead === 0 ? [] : [`${dead} deliveries are dead.`]), ...(isAsked ? ['A person is asked.'] : [])];
}

async function entriesOf(baseUrl: string): Promise<(state: string) => number> {
  const name = 'portolan_webhook_inbox_entries';
  const depth = await figures(baseUrl, name);
  return (state) => depth[`${name}{state="${state}"}`] ?? 0;
}
