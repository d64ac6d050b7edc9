import { setTimeout as delay } from 'node:timers/promises';
import { badMoods, type Mood } from '#test/emulators/bad-mood.ts';
import { type Kind, type Marked, marked } from '#test/faults/deliveries.ts';
import { deliveriesOf, sendAll } from '#test/faults/load.ts';
import { type Extent, type FaultRow, type Measured, newTally, p95, statusesText } from '#test/faults/row.ts';
import { openStand, type Stand } from '#test/faults/stand.ts';
import type { FrontName } from '#test/support/services/emulated-services.ts';

const holds =
  'Deliveries of the others reach their notes as if nothing were, and those that need it are done when it is well again.';
const othersP95Ms = 1_000;
const othersWithinMs = 60_000;
/** A service that is known to be down is asked again after a while that grows; here it is down for seconds. */
const recoveredWithinMs = 60_000;
const spacingMs = 50;

type Case = Readonly<{ name: string; front: FrontName; needing: Kind; others: readonly Kind[] }>;

/** The suite CRM is what organizations of the sales CRM are pushed to; nothing else needs it. */
const suiteCrm: Case = {
  name: 'the suite CRM',
  front: 'suiteCrm',
  needing: 'organization',
  others: ['issue', 'document', 'deal'],
};

/** One service is of no use, in each of the ways, while deliveries of the others come in at 20 a second. */
export const providers: readonly FaultRow[] = badMoods.map((mood) => ({
  subject: 'provider',
  fault: `${suiteCrm.name} ${mood}`,
  holds,
  run: (extent: Extent) => whileOneIs(mood, suiteCrm, extent),
}));

async function whileOneIs(mood: Mood, { front, needing, others }: Case, { isShort }: Extent): Promise<Measured> {
  await using stand = await openStand();
  const problems: string[] = [];
  await stand.fronts[front].be(mood);
  const needed = deliveriesOf({ kinds: [needing], records: 20, count: isShort ? 3 : 12 });
  const tally = await sendAll(stand, needed);
  const count = isShort ? 12 : 400;
  const sent = await sendEvenly(stand, count, others);
  for (const one of sent) tally.acknowledged.push(one.delivery);
  tally.statuses[200] = (tally.statuses[200] ?? 0) + sent.length;
  const done = await stand.watcher.all(
    sent.map(({ delivery }) => delivery),
    othersWithinMs,
  );
  const times = sent.map(({ delivery, at }) => (stand.watcher.seenAt(delivery.mark) ?? Number.POSITIVE_INFINITY) - at);
  if (done === null) problems.push(`Deliveries of the others were not done within ${othersWithinMs / 1000} s.`);
  const slow = p95(times);
  // How quick a busy machine is says little; a short run only asks that they are done while the provider is of no use.
  if (!isShort && slow > othersP95Ms) problems.push(`Of the others 95 in 100 took up to ${Math.round(slow)} ms.`);

  await stand.fronts[front].be('well');
  const recoveredAfterMs = await stand.watcher.all(tally.acknowledged, recoveredWithinMs);
  const { lost, doubled } = await stand.watcher.effects(tally.acknowledged);
  return {
    load: `${needed.length} that need it, ${count} others at 20/s, p95 ${Math.round(slow)} ms; ${statusesText(tally.statuses)}`,
    acknowledged: tally.acknowledged.length,
    lost: lost.length,
    doubled: doubled.length,
    recoveredAfterMs,
    problems,
  };
}

/** Sends at 20 a second, each about a record of its own turn; the deliveries with when they were sent. */
async function sendEvenly(stand: Stand, count: number, kinds: readonly Kind[]) {
  const sent: Readonly<{ delivery: Marked; at: number }>[] = [];
  const sending: Promise<unknown>[] = [];
  for (let index = 0; index < count; index += 1) {
    const delivery = marked(kinds[index % kinds.length] ?? 'deal', String(index % 40));
    sent.push({ delivery, at: Date.now() });
    sending.push(sendAll(stand, [delivery], { tally: newTally() }));
    await delay(spacingMs);
  }
  await Promise.all(sending);
  return sent;
}
