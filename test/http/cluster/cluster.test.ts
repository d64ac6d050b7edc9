import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Watcher } from '#test/faults/effects.ts';
import { deliveriesOf, sendAll } from '#test/faults/load.ts';
import { type Cluster, openCluster } from '#test/support/server/cluster.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await openCluster();
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

describe('three servers behind a proxy that gives each request to the next', () => {
  it('start in the same moment on an empty database and share one folder of notes', async () => {
    const healthy = await Promise.all(cluster.servers.map(({ origin }) => fetch(`${origin}/readyz`)));
    expect(healthy.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('work off deliveries that come in by all of them, each once', async () => {
    const person = await cluster.signIn(cluster.servers[0]?.origin);
    await cluster.services.connect(person);
    const { vaultDir: notes, services } = cluster;
    const watcher = new Watcher({ notes, organizations: services.organizations });
    try {
      const { acknowledged } = await sendAll(cluster, deliveriesOf({ count: 18 }));
      await watcher.all(acknowledged, 60_000);
      expect(await watcher.effects(acknowledged)).toEqual({ lost: [], doubled: [] });
      expect(Math.min(...cluster.proxy.counts())).toBeGreaterThan(0);
    } finally {
      await watcher.stop();
    }
  });

  it('go on while one of them is stopped, and take it back in', async () => {
    await cluster.servers[1]?.stop();
    const answers = await Promise.all(Array.from({ length: 6 }, () => fetch(`${cluster.baseUrl}/healthz`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    await cluster.servers[1]?.start();
    expect((await fetch(`${cluster.servers[1]?.origin}/readyz`)).status).toBe(200);
  });
});
