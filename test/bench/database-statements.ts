import { setTimeout as delay } from 'node:timers/promises';
import type { Figure } from '#test/bench/bench.ts';
import { type ClusterStand, openClusterStand } from '#test/faults/cluster-stand.ts';
import { deliveriesOf, sendAll } from '#test/faults/load.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { countStatements, isByTheClock } from '#test/support/network/statement-counter.ts';
import { startEmbeddedPostgres } from '#test/support/persistence/postgres.ts';

const countedCalls = 200;
const countedDeliveries = 120;
const idleMs = 20_000;

/** One call of a tool at one server. */
export function callTool(origin: string, token: string): Promise<boolean> {
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

/** What two servers ask the database; the baseline is one statement for each call or delivery, and one a second of each server. */
export async function databaseStatements(): Promise<readonly Figure[]> {
  const postgres = await startEmbeddedPostgres();
  const counter = await countStatements(Number(new URL(postgres.url).port));
  try {
    const reachedBy = async (url: string) => Object.assign(new URL(url), { port: String(counter.port) }).href;
    await using stand = await openClusterStand({ servers: 2, postgresUrl: postgres.url, reachedBy });
    const idle = await idleMinute(counter.count);
    const token = await accessToken({ origin: stand.origin });
    await callAll(stand, token);
    counter.texts();
    await callAll(stand, token);
    const calls = counter.texts().filter((text) => !isByTheClock(text)).length;
    const worked = await counted(counter.count, idle, async () => {
      const { acknowledged } = await sendAll(stand, deliveriesOf({ records: 20, count: countedDeliveries }));
      await stand.watcher.all(acknowledged, 300_000);
    });
    return [
      { figure: 'statements of an idle minute of a server', unit: 'statements', value: idle / 2, baseline: 60 },
      {
        figure: 'statements of 100 warm tool calls',
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
    if (!(await callTool(server?.origin ?? '', token))) throw new Error('A call failed.');
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
