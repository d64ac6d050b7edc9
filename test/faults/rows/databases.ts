import { setTimeout as delay } from 'node:timers/promises';
import { type DatabaseFault, databaseFaults } from '#test/faults/database-faults.ts';
import type { Kind } from '#test/faults/deliveries.ts';
import { deliveriesOf, sendAll } from '#test/faults/load.ts';
import { beat, longest, startPulse } from '#test/faults/pulse.ts';
import { type Extent, type FaultRow, type Measured, newTally, statusesText, type Tally } from '#test/faults/row.ts';
import { openStand, type Stand } from '#test/faults/stand.ts';

const holds =
  'While the database cannot write, /healthz answers 200 at once, /readyz 503, deliveries 503 with Retry-After, pages and tools a clear ' +
  'error; all is well by itself soon after, and nothing that was acknowledged is lost.';
const kinds: readonly Kind[] = ['deal', 'document', 'issue'];
/** How much longer than before /healthz may take, and for how long that is looked at. */
const healthWithinMs = 100;
const baselineMs = 2_000;
const readyWithinMs = 1_000;
const wellWithinMs = 5_000;
const settledWithinMs = 120_000;

/** The database cannot write for a while, for each of the reasons. */
export const databases: readonly FaultRow[] = databaseFaults.map((fault) => ({
  subject: 'database',
  fault: fault.name,
  holds,
  run: (extent: Extent) => whileItCannotWrite(fault, extent),
}));

async function whileItCannotWrite(fault: DatabaseFault, extent: Extent): Promise<Measured> {
  const place = await fault.prepare();
  if (typeof place === 'string') return notCarriedOut(place);
  try {
    await using stand = await openStand(place.options);
    const problems: string[] = [];
    const tally = await sendAll(stand, deliveriesOf({ kinds, count: extent.isShort ? 6 : 60 }));
    const allowance = (ms: number) => (extent.isShort ? 30_000 : ms);

    const health = startPulse(`${stand.baseUrl}/healthz`);
    // How quick it is before is compared with in full runs only.
    if (!extent.isShort) await delay(baselineMs);
    const usualMs = longest(health.beats);
    const from = health.beats.length;
    const healing = await place.begin(stand);
    const blocked = during(stand, { tally, extent, problems });
    await delay(extent.isShort ? 500 : 5_000);
    problems.push(...(await answersMeanwhile(stand, fault, allowance(readyWithinMs))));
    await healing();
    const endedAt = Date.now();

    const wellAfterMs = await firstReady(stand);
    const beats = (await health.stop()).slice(from);
    if (longest(beats) > allowance(healthWithinMs + usualMs))
      problems.push(`/healthz took ${Math.round(longest(beats))} ms.`);
    if (beats.some(({ status }) => status !== 200)) problems.push('/healthz did not always answer 200.');
    if (wellAfterMs > allowance(wellWithinMs)) problems.push(`It was ready ${wellAfterMs} ms after the end.`);
    await blocked;
    const settled = await stand.watcher.all(tally.acknowledged, settledWithinMs);
    const { lost, doubled } = await stand.watcher.effects(tally.acknowledged);
    return {
      load: `${tally.acknowledged.length} deliveries; ${statusesText(tally.statuses)}; ready after ${wellAfterMs} ms`,
      acknowledged: tally.acknowledged.length,
      lost: lost.length,
      doubled: doubled.length,
      recoveredAfterMs: settled === null ? null : Date.now() - endedAt,
      problems,
    };
  } finally {
    await place.end();
  }
}

/** Sends further deliveries; each must be acknowledged in the end, and refused meanwhile with a request to come again. */
function during(
  stand: Stand,
  { tally, extent, problems }: Readonly<{ tally: Tally; extent: Extent; problems: string[] }>,
): Promise<unknown> {
  const onStatus = (status: number, response: Response | null) => {
    if (status === 200) return;
    if (status !== 503) problems.push(`A delivery was answered ${status === 0 ? 'nothing' : status}.`);
    else if (response?.headers.get('retry-after') == null)
      problems.push('A delivery was answered 503 without Retry-After.');
  };
  const further = deliveriesOf({ kinds, records: 8, count: extent.isShort ? 6 : 60 });
  const sending = sendAll(stand, further, { tally, onStatus, againMs: 200 });
  // Whoever waits for the fault's end must not be waited for before it has ended.
  sending.catch((error: unknown) => problems.push(String(error)));
  return sending;
}

/** What the other ways in say while nothing can be written. */
async function answersMeanwhile(
  stand: Stand,
  { isReadable }: DatabaseFault,
  withinMs: number,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const ready = await beat(`${stand.baseUrl}/readyz`);
  if (ready.status !== 503) problems.push(`/readyz answered ${ready.status}.`);
  if (ready.tookMs > withinMs) problems.push(`/readyz took ${Math.round(ready.tookMs)} ms.`);
  const headers = { authorization: `Bearer ${stand.token}`, accept: 'application/json' };
  for (const path of ['/page', '/api/connections']) {
    const answer = await fetch(`${stand.baseUrl}${path}`, { headers, signal: AbortSignal.timeout(30_000) }).catch(
      () => null,
    );
    const status = answer?.status ?? 0;
    if (status !== 503 && !(isReadable && status === 200)) problems.push(`${path} answered ${status || 'nothing'}.`);
  }
  return problems;
}

/** How long after now the server says that it is ready, ms; as long as it is waited for when it never does. */
async function firstReady(stand: Stand): Promise<number> {
  const begunAt = Date.now();
  while (Date.now() - begunAt < 60_000) {
    if ((await beat(`${stand.baseUrl}/readyz`)).status === 200) break;
    await delay(50);
  }
  return Date.now() - begunAt;
}

function notCarriedOut(why: string): Measured {
  const { acknowledged } = newTally();
  return {
    load: `not carried out here: ${why}`,
    acknowledged: acknowledged.length,
    lost: 0,
    doubled: 0,
    recoveredAfterMs: null,
    problems: [],
  };
}
