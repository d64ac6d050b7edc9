import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Figure } from '#test/bench/bench.ts';
import { changeDelays } from '#test/bench/change-delays.ts';
import { callTool, databaseStatements } from '#test/bench/database-statements.ts';
import { familyTime, parentOf, processorTime } from '#test/bench/processor-time.ts';
import { type ClusterStand, openClusterStand } from '#test/faults/cluster-stand.ts';
import { deliveriesOf, sendAll } from '#test/faults/load.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { countStatements, type StatementCounter } from '#test/support/network/statement-counter.ts';
import { startEmbeddedPostgres } from '#test/support/persistence/postgres.ts';

const callers = 16;
const seconds = Number(process.env['BENCH_SECONDS'] ?? 3);
const deliveries = 900;
/** How long the servers are left alone to count what that costs, in seconds. */
const idleSeconds = 5;
/** What each server has done before it is measured: a program that has just started is several times slower. */
const warmUp = { calls: 4_000, deliveries: 800 } as const;

/**
 * Servers as processes on one PostgreSQL: what a second brings with one, two and three, what a call and a delivery cost them and
 * the database, how soon one follows what another changes, and what the database is asked.
 */
export const bench: Bench = {
  name: 'cluster',
  run: async () => [],
  measure: async () => {
    const figures: Figure[] = [];
    for (const servers of [1, 2, 3]) figures.push(...(await throughput(servers, figures)));
    return [...figures, ...(await changeDelays()), ...(await databaseStatements())];
  },
};

async function throughput(servers: number, before: readonly Figure[]): Promise<readonly Figure[]> {
  const postgres = await startEmbeddedPostgres();
  const counter = await countStatements(Number(new URL(postgres.url).port));
  try {
    const reachedBy = async (url: string) => Object.assign(new URL(url), { port: String(counter.port) }).href;
    const options = { servers, as: 'processes', postgresUrl: postgres.url, reachedBy } as const;
    // The limits of what one user may send are not what is measured.
    await using stand = await openClusterStand({ ...options, env: { RATE_LIMITS: 'off' } });
    return await figuresOf(stand, counter, before);
  } finally {
    await counter.close();
    await postgres.stop();
  }
}

async function figuresOf(
  stand: ClusterStand,
  counter: StatementCounter,
  before: readonly Figure[],
): Promise<readonly Figure[]> {
  const servers = stand.servers.length;
  const token = await accessToken({ origin: stand.origin });
  const used = await processorTimes(stand);
  await call(stand, token, (calls) => calls < warmUp.calls * servers);
  await deliver(stand, warmUp.deliveries * servers);

  const resting = used();
  await delay(idleSeconds * 1_000);
  const idle = resting();
  const calling = used();
  const begunAt = performance.now();
  const calls = await call(stand, token, () => performance.now() - begunAt < seconds * 1_000);
  const [callMs, perCall] = [performance.now() - begunAt, calling()];
  const [delivering, statementsBefore] = [used(), counter.count()];
  const deliveryMs = await deliver(stand, deliveries);
  const [perDelivery, statements] = [delivering(), counter.count() - statementsBefore];

  const name = `${servers} server${servers === 1 ? '' : 's'}`;
  const row = (what: string, unit: string, value: number): Figure => {
    const first = before.find(({ figure }) => figure === `${what}, 1 server`);
    return { figure: `${what}, ${name}`, unit, value, baseline: first?.value ?? value };
  };
  return [
    row('tool calls', 'a second', calls / (callMs / 1_000)),
    row('processor time of a call', 'µs', (perCall.servers * 1_000) / calls),
    row('processor time of a call in PostgreSQL', 'µs', (perCall.postgres * 1_000) / calls),
    row('deliveries', 'a second', deliveries / (deliveryMs / 1_000)),
    row('processor time of a delivery', 'µs', (perDelivery.servers * 1_000) / deliveries),
    row('processor time of a delivery in PostgreSQL', 'µs', (perDelivery.postgres * 1_000) / deliveries),
    row('statements of a delivery', 'statements', statements / deliveries),
    row('processor time of an idle second of a server', 'ms', idle.servers / idleSeconds / servers),
    row('processor time of an idle second in PostgreSQL', 'ms', idle.postgres / idleSeconds),
  ];
}

/** Begins to count processor time, in ms, of the servers and of PostgreSQL; what comes back ends a count. */
async function processorTimes({ servers, query }: ClusterStand) {
  const [child] = await query("select pid from pg_stat_activity where backend_type = 'checkpointer'");
  const postgres = parentOf(Number(child?.['pid'])) ?? 0;
  return () => {
    const own = servers.map(({ pid }) => processorTime(pid()));
    const database = familyTime(postgres);
    return () => ({ servers: own.reduce((sum, ms) => sum + (ms() ?? 0), 0), postgres: database() ?? 0 });
  };
}

/** Calls all servers at once, while `goesOn` says so; returns how often. */
async function call({ servers }: ClusterStand, token: string, goesOn: (calls: number) => boolean): Promise<number> {
  let calls = 0;
  const one = async (caller: number) => {
    while (goesOn(calls)) {
      calls += 1;
      if (!(await callTool(servers[caller % servers.length]?.origin ?? '', token))) throw new Error('A call failed.');
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => one(caller)));
  return calls;
}

/** Sends deliveries through the proxy; how long until the last has had its effect, in ms. */
async function deliver(stand: ClusterStand, count: number): Promise<number> {
  const begunAt = performance.now();
  const { acknowledged } = await sendAll(stand, deliveriesOf({ records: 20, count }));
  await stand.watcher.all(acknowledged, 300_000);
  return performance.now() - begunAt;
}
