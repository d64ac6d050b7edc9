import { setTimeout as delay } from 'node:timers/promises';
import { startCallers } from '#test/faults/callers.ts';
import { type ClusterStand, openClusterStand, outOfOrder } from '#test/faults/cluster-stand.ts';
import type { Kind } from '#test/faults/deliveries.ts';
import { deliveriesOf, sendAll } from '#test/faults/load.ts';
import { type Extent, type FaultRow, type Measured, namesOf, statusesText } from '#test/faults/row.ts';
import { clientsOfKilled } from '#test/faults/rows/cluster-clients.ts';
import { listenersCut } from '#test/faults/rows/cluster-listening.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { startEmbeddedPostgres } from '#test/support/persistence/postgres.ts';
import type { ClusterOptions } from '#test/support/server/cluster.ts';

const kinds: readonly Kind[] = ['deal', 'document', 'issue', 'organization'];
const settledWithinMs = 120_000;
const takenOverWithinMs = 5_000;

/** What a fault of a cluster does while deliveries come in; it gives back what was wrong, a remark, and when it ended, Unix ms. */
type Fault = (
  stand: ClusterStand,
  extent: Extent,
) => Promise<Readonly<{ endedAt: number; problems: readonly string[]; remark?: string }>>;

/** The faults of several servers on one database. */
export const cluster: readonly FaultRow[] = [
  {
    subject: 'cluster',
    fault: 'each server killed',
    holds:
      'What a killed server was at is taken over within five seconds, once, in the order of each record (INBOX-013)',
    run: (extent) => under({ as: 'processes', ...few(extent) }, extent, killed),
  },
  {
    subject: 'cluster',
    fault: 'a server frozen, and back',
    holds: 'What it was at is taken over, and it doubles nothing when it wakes (INBOX-019)',
    run: (extent) => under({ as: 'processes', ...few(extent) }, extent, frozen),
  },
  {
    subject: 'cluster',
    fault: 'restarted one after the other',
    holds: 'Tools, deliveries and streams go on: what fails is mended by one repeated call (CLU-002)',
    run: (extent) => under({ as: 'processes', ...few(extent) }, extent, rolling),
  },
  clientsOfKilled,
  listenersCut,
  {
    subject: 'cluster',
    fault: 'PostgreSQL restarted',
    holds: 'All servers go on by themselves, and nothing that was acknowledged is lost or doubled.',
    run: async (extent) => {
      const postgres = await startEmbeddedPostgres();
      try {
        return await under({ ...few(extent), postgresUrl: postgres.url }, extent, async () => {
          for (let times = 0; times < (extent.isShort ? 1 : 5); times += 1) {
            await postgres.pause();
            await delay(500);
            await postgres.resume();
            await delay(1_000);
          }
          return { endedAt: Date.now(), problems: [] };
        });
      } finally {
        await postgres.stop();
      }
    },
  },
  {
    subject: 'cluster',
    fault: 'the proxy cuts connections',
    holds: 'Senders send again, and nothing that was acknowledged is lost or doubled.',
    run: (extent) =>
      under(few(extent), extent, async ({ proxy }) => {
        for (let times = 0; times < (extent.isShort ? 10 : 100); times += 1) {
          proxy.cut();
          await delay(50);
        }
        return { endedAt: Date.now(), problems: [] };
      }),
  },
];

const few = ({ isShort }: Extent): ClusterOptions => ({ servers: isShort ? 2 : 3 });

async function under(options: ClusterOptions, extent: Extent, fault: Fault): Promise<Measured> {
  await using stand = await openClusterStand(options);
  const isUnderWay = Promise.withResolvers<void>();
  const deliveries = deliveriesOf({ kinds, records: 8, count: extent.isShort ? 48 : 360 });
  const onAcknowledged = ({ acknowledged }: Readonly<{ acknowledged: readonly unknown[] }>) => {
    if (acknowledged.length === 12) isUnderWay.resolve();
  };
  const sending = sendAll(stand, deliveries, { onAcknowledged });
  await Promise.race([isUnderWay.promise, sending]);
  const [{ endedAt, problems, remark = null }, tally] = await Promise.all([fault(stand, extent), sending]);
  const settled = await stand.watcher.all(tally.acknowledged, settledWithinMs);
  const effects = await stand.watcher.effects(tally.acknowledged);
  return {
    load: [`${deliveries.length} deliveries`, statusesText(tally.statuses), ...(remark === null ? [] : [remark])].join(
      '; ',
    ),
    acknowledged: tally.acknowledged.length,
    lost: effects.lost.length,
    doubled: effects.doubled.length,
    recoveredAfterMs: settled === null ? null : Math.max(0, Date.now() - endedAt),
    problems: [...problems, ...namesOf(effects), ...(await outOfOrder(stand))],
  };
}

/** Kills the servers one after the other; each is started again when its work has been taken over. */
async function killed(stand: ClusterStand, { isShort }: Extent) {
  const problems: string[] = [];
  let worstMs = 0;
  for (const [index, server] of stand.servers.slice(0, isShort ? 1 : 3).entries()) {
    await server.kill();
    const [killedAt, open] = [Date.now(), await claims(stand)];
    while ((await claims(stand)).some((claim) => open.includes(claim))) {
      if (Date.now() - killedAt > settledWithinMs) break;
      await delay(100);
    }
    const tookMs = Date.now() - killedAt;
    if (open.length > 0) worstMs = Math.max(worstMs, tookMs);
    if (!isShort && tookMs > takenOverWithinMs) problems.push(`Server ${index}: taken over after ${tookMs} ms.`);
    if (tookMs > settledWithinMs) problems.push(`Server ${index}: not taken over.`);
    if (!isShort) await server.start();
  }
  return { endedAt: Date.now(), problems, remark: `taken over after ${worstMs} ms at the most` };
}

/** Restarts the servers one after the other, as a new version is brought in, under the calls of assistants. */
async function rolling({ servers, baseUrl, proxy }: ClusterStand) {
  const callers = startCallers(baseUrl, await accessToken({ origin: baseUrl }), 4);
  for (const [index, server] of servers.entries()) {
    await server.stop();
    // Health checks by /readyz leave out a server that is starting, which answers 503.
    proxy.use(index, false);
    await server.start();
    proxy.use(index, true);
  }
  const { failed, streams, calls, repeated } = await callers.stop();
  const problems = failed.map((said) => `A call failed twice: ${said}`);
  if (calls < 10 || streams < 2) problems.push(`Only ${calls} calls and ${streams} streams.`);
  if (repeated > calls / 10) problems.push(`${repeated} of ${calls} calls had to be repeated.`);
  return { endedAt: Date.now(), problems };
}

/** Stops a server for longer than its claims last, and lets it go on. Health checks take it out meanwhile. */
async function frozen({ servers, proxy }: ClusterStand, { isShort }: Extent) {
  const [server] = servers;
  server?.signal('SIGSTOP');
  await delay(1_000);
  proxy.use(0, false);
  await delay(isShort ? 5_000 : 29_000);
  server?.signal('SIGCONT');
  proxy.use(0, true);
  return { endedAt: Date.now(), problems: server?.isRunning() === true ? [] : ['The server has ended.'] };
}

/** The claims that servers have, or had when they ended; one that was taken over is another. */
async function claims({ query }: ClusterStand): Promise<readonly string[]> {
  const rows = await query("select seq, lease_owner from webhook_inbox where state = 'leased'");
  return rows.map(({ seq, lease_owner: owner }) => `${String(seq)} ${String(owner)}`);
}
