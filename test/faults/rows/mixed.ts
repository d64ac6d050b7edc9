import { setTimeout as delay } from 'node:timers/promises';
import { noteKinds } from '#test/faults/deliveries.ts';
import { hostileDeliveries } from '#test/faults/hostile-deliveries.ts';
import { deliveriesOf, sendAll } from '#test/faults/load.ts';
import { type Extent, type FaultRow, type Measured, statusesText } from '#test/faults/row.ts';
import { openStand } from '#test/faults/stand.ts';
import { figures, post } from '#test/support/webhooks/webhook-server.ts';

const settledWithinMs = 120_000;
const deadWithinMs = 60_000;
const pollMs = 50;

/** Signed deliveries that nobody would send, among good ones. */
export const mixed: readonly FaultRow[] = [
  {
    subject: 'deliveries',
    fault: 'bodies that cannot be used, among good ones at the same moment',
    holds: 'The good ones are acknowledged at once and done; no bad one gets a 5xx, and none is tried for ever.',
    run: amongGoodOnes,
  },
];

async function amongGoodOnes({ isShort }: Extent): Promise<Measured> {
  await using stand = await openStand();
  const problems: string[] = [];
  const good = deliveriesOf({ kinds: noteKinds, records: 20, count: isShort ? 24 : 180 });
  const bad = Array.from({ length: isShort ? 1 : 5 }, (_, round) => hostileDeliveries(round)).flat();
  const onStatus = (status: number) => {
    if (status !== 200) problems.push(`A good delivery was answered ${status || 'nothing'}.`);
  };
  const sending = sendAll(stand, good, { onStatus });
  await Promise.all(
    bad.map(async ({ name, delivery }) => {
      const status = await post(stand.baseUrl, delivery).then(
        async (response) => {
          await response.arrayBuffer();
          return response.status;
        },
        () => 0,
      );
      if (status === 0 || status >= 500) problems.push(`${name} was answered ${status || 'nothing'}.`);
    }),
  );
  const tally = await sending;
  const recoveredAfterMs = await stand.watcher.all(tally.acknowledged, settledWithinMs);
  const open = await openEntries(stand.baseUrl);
  if (open > 0) problems.push(`${open} deliveries that cannot succeed are still being tried.`);
  const { lost, doubled } = await stand.watcher.effects(tally.acknowledged);
  return {
    load: `${good.length} good, ${bad.length} bad; ${statusesText(tally.statuses)}`,
    acknowledged: tally.acknowledged.length,
    lost: lost.length,
    doubled: doubled.length,
    recoveredAfterMs,
    problems,
  };
}

/** How many entries of the inbox are neither done nor dead, once that does not change any more. */
async function openEntries(baseUrl: string): Promise<number> {
  const name = 'portolan_webhook_inbox_entries';
  const begunAt = Date.now();
  for (;;) {
    const depth = await figures(baseUrl, name);
    const open = (depth[`${name}{state="pending"}`] ?? 0) + (depth[`${name}{state="leased"}`] ?? 0);
    if (open === 0 || Date.now() - begunAt > deadWithinMs) return open;
    await delay(pollMs);
  }
}
