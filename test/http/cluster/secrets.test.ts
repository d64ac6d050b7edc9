import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseServerFacts } from '#adapters/persistence/database-server-facts.ts';
import { takeSecret } from '#bootstrap/start/secret-fingerprint.ts';
import { freePort } from '#test/kit/free-port.ts';
import { openBeside } from '#test/support/persistence/sqlite-pool.ts';
import { type Cluster, openCluster } from '#test/support/server/cluster.ts';
import { serverInProcess } from '#test/support/server/cluster-server.ts';
import { serverSettings } from '#test/support/webhooks/webhook-server.ts';

const renewed = 'the secret that the servers are to have from now on, long enough';

let cluster: Cluster;
let ports: readonly string[];
beforeAll(async () => {
  cluster = await openCluster({ servers: 1 });
  ports = await Promise.all([freePort(), freePort()].map(async (port) => String(await port)));
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

/** A further server of the cluster's database, with these secrets. */
const serverWith = (index: number, secrets: Readonly<Record<string, string>>) => {
  const folder = join(cluster.vaultDir, '..', `further-${index}`);
  return serverInProcess(serverSettings(folder, { ...cluster.settings, PORT: ports[index] ?? '', ...secrets }));
};

/** What somebody sees who signed in at one server and asks at another. */
const seenAt = async (from: string, at: string): Promise<unknown> => {
  const cookie = (await cluster.signIn(from)).cookie('user');
  const answer = await fetch(`${at}/api/connections`, { headers: { cookie: `user=${cookie}` } });
  return { status: answer.status, body: await answer.json() };
};

describe('the secret of a database', () => {
  it('refuses a server with a different one, in a sentence that says what to do (SET-022)', async () => {
    const other = serverWith(0, { SECRET_KEY_BASE: renewed });
    const refused = other.start();
    await expect(refused).rejects.toThrow(/^SECRET_KEY_BASE: this is not the secret of this database; .*keys.* rotate/);
    expect((await fetch(`${cluster.servers[0]?.origin}/readyz`)).status).toBe(200);
  });

  it('can be rotated while servers run: first all know the new one, then all use it (SET-023)', async () => {
    const former = cluster.settings.SECRET_KEY_BASE;
    await cluster.servers[0]?.stop();
    const first = serverWith(0, { SECRET_KEY_BASE: former, SECRET_KEY_BASE_PREVIOUS: renewed });
    const second = serverWith(1, { SECRET_KEY_BASE: renewed, SECRET_KEY_BASE_PREVIOUS: former });
    await Promise.all([first.start(), second.start()]);
    try {
      await cluster.services.connectByKeys(await cluster.signIn(first.origin));
      for (const [from, at] of [
        [first.origin, second.origin],
        [second.origin, first.origin],
      ] as const) {
        const seen = JSON.stringify(await seenAt(from, at));
        expect(seen).toContain('"status":200');
        expect(seen).toContain('"service":"tracker"');
        expect(seen).not.toContain('reconnect');
      }
    } finally {
      await Promise.all([first.stop(), second.stop()]);
    }
  });

  it('is the new one once everything was re-encrypted: a server with only the former is refused (SET-022)', async () => {
    const database = await openBeside(cluster.databaseUrl);
    await takeSecret(new DatabaseServerFacts(database), renewed);
    await database.close();
    const former = serverWith(0, {});
    await expect(former.start()).rejects.toThrow('is not the secret of this database');
    const server = serverWith(1, { SECRET_KEY_BASE: renewed });
    await server.start();
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
    await server.stop();
  });
});
