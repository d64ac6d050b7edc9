import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCallers } from '#test/faults/callers.ts';
import { Watcher } from '#test/faults/effects.ts';
import { deliveriesOf, sendAll } from '#test/faults/load.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { ofLaterVersion } from '#test/support/persistence/later-change.ts';
import { type Cluster, openCluster } from '#test/support/server/cluster.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await openCluster();
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

/** Has deliveries come in by all servers, and waits until each has had its effect, once. */
async function deliver(count: number): Promise<void> {
  const { vaultDir: notes, services } = cluster;
  const watcher = new Watcher({ notes, organizations: services.organizations });
  try {
    const { acknowledged } = await sendAll(cluster, deliveriesOf({ count }));
    await watcher.all(acknowledged, 60_000);
    expect(await watcher.effects(acknowledged)).toEqual({ lost: [], doubled: [] });
  } finally {
    await watcher.stop();
  }
}

describe('three servers behind a proxy that gives each request to the next', () => {
  it('start at the same moment on an empty database and share one folder of notes', async () => {
    const healthy = await Promise.all(cluster.servers.map(({ origin }) => fetch(`${origin}/readyz`)));
    expect(healthy.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('process deliveries that arrive at any of them, each once', async () => {
    const person = await cluster.signIn(cluster.servers[0]?.origin);
    await cluster.services.connect(person);
    await deliver(18);
    expect(Math.min(...cluster.proxy.counts())).toBeGreaterThan(0);
  });

  it('continue while one of them is stopped, and include it again afterwards', async () => {
    await cluster.servers[1]?.stop();
    const answers = await Promise.all(Array.from({ length: 6 }, () => fetch(`${cluster.baseUrl}/healthz`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    await cluster.servers[1]?.start();
    expect((await fetch(`${cluster.servers[1]?.origin}/readyz`)).status).toBe(200);
  });

  it('are upgraded one after the other under load, with old and new versions side by side (CLU-002, SET-024)', async () => {
    const { servers, proxy, baseUrl } = cluster;
    const callers = startCallers(baseUrl, await accessToken(cluster), 3);
    const end = ofLaterVersion();
    try {
      for (const [index, server] of servers.entries()) {
        await server.stop();
        // Health checks by /readyz leave out a server that is starting, which answers 503.
        proxy.use(index, false);
        await server.start();
        proxy.use(index, true);
        if (index === 0) await deliver(18);
      }
      await deliver(6);
    } finally {
      end();
    }
    const { failed, repeated, calls, streams } = await callers.stop();
    expect(failed).toEqual([]);
    expect(repeated).toBeLessThan(calls / 2);
    expect(streams).toBeGreaterThan(0);
    expect(await cluster.query('select name from badges')).toEqual([]);
  });
});
