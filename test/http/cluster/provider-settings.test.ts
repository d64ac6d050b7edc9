import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SalesCrmEmulator, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { app } from '#test/emulators/sales-crm/oauth.ts';
import { type Cluster, openCluster } from '#test/support/server/cluster.ts';

// Three servers of one database, none of which is named a vendor, an app or a secret by its environment.

let crm: SalesCrmEmulator;
let cluster: Cluster;
beforeAll(async () => {
  crm = await startSalesCrmEmulator({ dialect: 'pipedrive', retryWaitsMs: [] });
  cluster = await openCluster({
    env: {
      SALES_CRM_URL: '',
      SALES_CRM_CLIENT_ID: '',
      SALES_CRM_CLIENT_SECRET: '',
      SALES_CRM_PIPEDRIVE_URL: crm.url,
      SALES_CRM_PIPEDRIVE_AUTHORIZE_URL: crm.authorizeUrl,
      SALES_CRM_PIPEDRIVE_TOKEN_URL: crm.tokenUrl,
    },
  });
});
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await crm?.close();
});

const path = '/api/setup/sales_crm';
const at = (index: number) => cluster.signIn(cluster.servers[index]?.origin);
const seen = async (index: number) => JSON.parse(JSON.stringify(await (await at(index)).call('GET', path)));
const sourcesAt = async (index: number) =>
  (await seen(index)).settings
    .filter(({ vendor }: { vendor: string }) => vendor === 'pipedrive')
    .map(({ name, source }: { name: string; source: string | null }) => `${name} ${source}`);
const restarted = async (index: number) => {
  await cluster.servers[index]?.stop();
  await cluster.servers[index]?.start();
};
/** Enters a vendor and its app at the first server, and restarts all once they know. */
const enterVendor = async () => {
  await (await at(0)).call('PUT', path, {
    vendors: ['pipedrive'],
    client_id: app.clientId,
    client_secret: app.clientSecret,
  });
  for (const index of [0, 1, 2]) {
    await expect
      .poll(async () => (await seen(index)).vendors, { timeout: 30_000 })
      .toMatchObject({ in_use: ['neutral'], from_next_start: ['pipedrive'], needs_restart: true });
  }
  for (const index of [0, 1, 2]) await restarted(index);
};
/** The status with which a server answers a delivery signed with that secret. */
const delivered = async (index: number, secret: string) => {
  const answer = await fetch(`${cluster.servers[index]?.origin}/webhooks/sales_crm`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Basic ${Buffer.from(secret).toString('base64')}` },
    body: JSON.stringify({ meta: { action: 'change', entity: 'deal', id: crypto.randomUUID() }, data: { id: 1 } }),
  });
  return answer.status;
};

describe('settings of a provider that were entered at one of three servers', () => {
  it('reach the others, with the vendor once each was restarted (PSET-002, PSET-014)', async () => {
    await enterVendor();
    for (const index of [0, 1, 2]) {
      expect((await seen(index)).vendors).toMatchObject({ in_use: ['pipedrive'], needs_restart: false });
    }
    await (await cluster.signIn()).connect('sales_crm');
    const { data } = JSON.parse(JSON.stringify(await (await at(2)).call('GET', '/api/connections')));
    expect(data).toContainEqual(expect.objectContaining({ service: 'sales_crm', state: 'connected' }));
  });

  it('are used and removed there at once (PSET-002, PSET-011)', async () => {
    if ((await seen(0)).vendors.in_use[0] !== 'pipedrive') await enterVendor();
    const secret = 'hooks:entered-at-the-second';
    await (await at(1)).call('PUT', path, { webhook_secret: secret });
    for (const index of [0, 1, 2]) {
      await expect.poll(() => delivered(index, secret), { timeout: 30_000 }).toBe(200);
      expect(await delivered(index, 'hooks:another')).toBe(401);
    }
    await (await at(2)).call('DELETE', `${path}?setting=webhook_secret`);
    for (const index of [0, 1, 2]) {
      await expect.poll(() => delivered(index, secret), { timeout: 30_000 }).toBe(401);
      await expect.poll(() => sourcesAt(index), { timeout: 30_000 }).toContain('webhook_secret null');
    }
  });
});
