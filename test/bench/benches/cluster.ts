import type { Bench, Figure } from '#test/bench/bench.ts';
import { callTool, databaseStatements } from '#test/bench/database-statements.ts';
import { processorTime } from '#test/bench/processor-time.ts';
import { openClusterStand } from '#test/faults/cluster-stand.ts';
import { deliveriesOf, sendAll } from '#test/faults/load.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';

const callers = 16;
const seconds = Number(process.env['BENCH_SECONDS'] ?? 3);
const deliveries = 240;

/** Servers as processes on one PostgreSQL: what a second brings with one, two and three, and what the database is asked. */
export const bench: Bench = {
  name: 'cluster',
  run: async () => [],
  measure: async () => {
    const figures: Figure[] = [];
    for (const servers of [1, 2, 3]) figures.push(...(await throughput(servers, figures)));
    return [...figures, ...(await databaseStatements())];
  },
};

async function throughput(servers: number, before: readonly Figure[]): Promise<readonly Figure[]> {
  await using stand = await openClusterStand({ servers, as: 'processes' });
  const token = await accessToken({ origin: stand.origin });
  const used = stand.servers.map(({ pid }) => processorTime(pid()));
  const cpu = () => used.reduce((sum, ms) => sum + (ms() ?? 0), 0);
  await Promise.all(stand.servers.map(({ origin }) => callTool(origin, token)));

  const [cpuBefore, begunAt] = [cpu(), performance.now()];
  let calls = 0;
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      while (performance.now() - begunAt < seconds * 1_000) {
        const server = stand.servers[caller % servers];
        if (!(await callTool(server?.origin ?? '', token))) throw new Error('A call failed.');
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
