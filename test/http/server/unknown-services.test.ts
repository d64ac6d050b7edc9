import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Stores } from '#adapters/contracts/stores.ts';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { sqlStores } from '#adapters/persistence/sql-stores.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

const gone = 'help_desk';

/** What a server with a further service has left behind. */
async function leaveBehind(
  stores: Pick<Stores, 'users' | 'connections' | 'webhookInbox' | 'receiptLog' | 'webhookRegistrations'>,
) {
  await stores.users.change(1, { permissions: [gone, 'tracker', 'vault'] });
  const refused = {
    state: 'degraded',
    since: 1,
    reason: 'no',
    rejections: { firstAt: 1, probes: 0, probeAt: 1 },
  } as const;
  const expiring = { authMethod: 'oauth', refreshToken: 'sealed', expiresAt: 1 } as const;
  await stores.connections.save(tokenRecord(gone, { userId: 1, ...expiring }), refused);
  const entry = { orderKey: 'k', event: 'ticket.opened', body: 'sealed' };
  await stores.webhookInbox.keep([{ ...entry, service: gone, deliveryId: '1' }]);
  await stores.webhookInbox.keep([{ ...entry, service: gone, deliveryId: '2', orderKey: 'dead' }]);
  await stores.receiptLog.noteUse({ service: gone, secretId: 'abcd1234', usedAt: 1 });
  await stores.receiptLog.noteStale({ service: gone, deliveryId: '3', receivedAt: 1, ageMs: 1 });
  const address = { url: 'http://127.0.0.1:1', secretFingerprint: null, account: null, remoteId: '9', reason: null };
  const times = { since: 1, registeredAt: 1, expiresAt: null, checkedAt: 1, retryAt: null };
  const where = { userId: 1, service: gone, name: 'tickets', events: ['ticket.opened'] };
  await stores.webhookRegistrations.keep({ ...where, ...address, ...times, state: 'active', failures: 0, version: 0 });
}

describe('rows of a service that was removed', () => {
  let folder: string;
  let server: WholeServer;
  let browser: PlainBrowser;

  const withStores = async <Value>(work: (stores: ReturnType<typeof sqlStores>) => Promise<Value>): Promise<Value> => {
    const url = `sqlite:${join(folder, 'portolan.sqlite')}`;
    const database = await openDatabase({ url, entities, migrations });
    try {
      return await work(sqlStores(database));
    } finally {
      await database.close();
    }
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portolan-unknown-'));
    await (await startWholeServer({}, folder)).stop();
    await withStores(leaveBehind);
    server = await startWholeServer({ BASE_URL: 'http://localhost:3000' }, folder);
    browser = await server.signedIn();
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const json = (method: string, path: string, body?: unknown) => sendJson(server, browser, [method, path, body]);

  it('are left out of pages, lists and tools (CONF-008)', async () => {
    const connections = await json('GET', '/api/connections');
    expect(connections).toMatchObject({ status: 200, body: { data: [{ service: 'vault' }] } });
    for (const path of ['/page', '/deliveries', '/deliveries/senders', '/floki/index']) {
      const page = await browser.get(path);
      expect([page.status, (await page.text()).includes(gone)]).toEqual([200, false]);
    }
    expect((await browser.get('/deliveries/1')).status).toBe(404);
    const listed = await json('POST', '/message', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(JSON.stringify(listed.body)).toContain('vault_note_read');
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  });

  it('are logged once for each store, without further errors (CONF-008)', async () => {
    const message = 'Stored rows of an unknown service are ignored';
    const logged = () =>
      server
        .log()
        .split('\n')
        .filter((line) => line.includes(message))
        .map((line) => String(JSON.parse(line).store));
    expect((await browser.get('/metrics')).status).toBe(200);
    await expect
      .poll(() => [...new Set(logged())].toSorted(), { timeout: 60_000 })
      .toEqual(['connections', 'receiptLog', 'users', 'webhookInbox', 'webhookRegistrations']);
    await browser.get('/deliveries');
    await browser.get('/deliveries/senders');
    expect(logged().toSorted()).toEqual([...new Set(logged())].toSorted());
    expect(
      server
        .log()
        .split('\n')
        .filter((line) => /ZodError|"level":"error"/.test(line)),
    ).toEqual([]);
  });

  it('stay stored, and deliveries use no attempt (CONF-008)', async () => {
    await server.stop();
    await withStores(async (stores) => {
      expect((await stores.users.find(1))?.permissions).toEqual([gone, 'tracker', 'vault']);
      expect(await stores.connections.places()).toContainEqual({ userId: 1, service: gone });
      expect(await stores.webhookInbox.find(1)).toMatchObject({ state: 'pending', attempts: 0, service: gone });
      expect(await stores.webhookInbox.counts()).toMatchObject({ pending: 2, dead: 0 });
      expect(await stores.webhookRegistrations.list()).toHaveLength(1);
    });
  });
});
