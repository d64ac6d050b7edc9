import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Figure } from '#test/bench/bench.ts';
import { processorTime } from '#test/bench/processor-time.ts';
import { type ClusterStand, openClusterStand } from '#test/faults/cluster-stand.ts';
import { deliveriesOf, sendAll } from '#test/faults/load.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { countStatements } from '#test/support/network/statement-counter.ts';
import { startEmbeddedPostgres } from '#test/support/persistence/postgres.ts';

const callers = 16;
const seconds = Number(process.env['BENCH_SECONDS'] ?? 3);
const deliveries = 240;
const countedCalls = 200;
const countedDeliveries = 120;
const idleMs = 20_000;

/** Servers as processes on one PostgreSQL: what a second brings with one, two and three, and what the database is asked. */
export const bench: Bench = {
  name: 'cluster',
  run: async () => [],
  measure: async () => {
    const figures: Figure[] = [];
    for (const servers of [1, 2, 3]) figures.push(...(await throughput(servers, figures)));
    return [...figures, ...(await statements())];
  },
};

/** One call of a tool at one server. */
function call(origin: string, token: string): Promise<boolean> {
  const params = { name: 'vault_vault_list', arguments: {} };
  return fetch(`${origin}/message`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  }).then(async (answer) => (await answer.text()).includes('"result"'));
}

async function throughput(servers: number, before: readonly Figure[]): Promise<readonly Figure[]> {
  await using stand = await openClusterStand({ servers, as: 'processes' });
  const token = await accessToken({ origin: stand.origin });
  const used = stand.servers.map(({ pid }) => processorTime(pid()));
  const cpu = () => used.reduce((sum, ms) => sum + (ms() ?? 0), 0);
  await Promise.all(stand.servers.map(({ origin }) => call(origin, token)));

  const [cpuBefore, begunAt] = [cpu(), performance.now()];
  let calls = 0;
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      while (performance.now() - begunAt < seconds * 1_000) {
        const server = stand.servers[caller % servers];
        if (!(await call(server?.origin ?? '', token))) throw new Error('A call failed.');
        calls += 1;
      }
    }),
  );
  const [callMs, perCall] = [performance.now() - begunAt, (cpu() - cpuBefore) / calls];

  const [cpuAt, sentAt] = [cpu(), performance.now()];
  const { acknowledged } = await sendAll(stand, deliveriesOf({ records: 20, count: deliveries }));
  await stand.watcher.all(acknowledged, 300_000);
  const [tookMs, perDelivery] = [performance.now() - sentAt, (cpu() - cpuAt) / deliveries];
  const name = `${servers} server${servers === 1 ? '' : 's'}`;
  const row = (what: string, unit: string, value: number): Figure => {
    const first = before.find(({ figure }) => figure === `${what}, 1 server`);
    return { figure: `${what}, ${name}`, unit, value, baseline: first?.value ?? value };
  };
  return [
    row('tool calls', 'a second', calls / (callMs / 1_000)),
    row('processor time of a call', 'µs', perCall * 1_000),
    row('deliveries', 'a second', deliveries / (tookMs / 1_000)),
    row('processor time of a delivery', 'µs', perDelivery * 1_000),
  ];
}

/** What two servers ask the database; the baseline is one statement for each call or delivery, and one a second of each server. */
async function statements(): Promise<readonly Figure[]> {
  const postgres = await startEmbeddedPostgres();
  const counter = await countStatements(Number(new URL(postgres.url).port));
  try {
    const reachedBy = async (url: string) => Object.assign(new URL(url), { port: String(counter.port) }).href;
    await using stand = await openClusterStand({ servers: 2, postgresUrl: postgres.url, reachedBy });
    const idle = await idleMinute(counter.count);
    const token = await accessToken({ origin: stand.origin });
    const calls = await counted(counter.count, idle, () => callAll(stand, token));
    const worked = await counted(counter.count, idle, async () => {
      const { acknowledged } = await sendAll(stand, deliveriesOf({ records: 20, count: countedDeliveries }));
      await stand.watcher.all(acknowledged, 300_000);
    });
    return [
      { figure: 'statements of an idle minute of a server', unit: 'statements', value: idle / 2, baseline: 60 },
      {
        figure: 'statements of 100 tool calls',
        unit: 'statements',
        value: (calls * 100) / countedCalls,
        baseline: 100,
      },
      {
        figure: 'statements of 100 deliveries',
        unit: 'statements',
        value: (worked * 100) / countedDeliveries,
        baseline: 100,
      },
    ];
  } finally {
    await counter.close();
    await postgres.stop();
  }
}

async function callAll({ servers }: ClusterStand, token: string): Promise<void> {
  for (let calls = 0; calls < countedCalls; calls += 1) {
    const server = servers[calls % servers.length];
    if (!(await call(server?.origin ?? '', token))) throw new Error('A call failed.');
  }
}

/** The statements of an idle minute, of all servers together. */
async function idleMinute(count: () => number): Promise<number> {
  await delay(2_000);
  const before = count();
  await delay(idleMs);
  return ((count() - before) * 60_000) / idleMs;
}

/** The statements of some work, without those that an idle server sends in the same time. */
async function counted(count: () => number, idle: number, work: () => Promise<void>): Promise<number> {
  const [before, begunAt] = [count(), performance.now()];
  await work();
  return Math.max(0, count() - before - (idle * (performance.now() - begunAt)) / 60_000);
}
