import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkDatabase } from '#bootstrap/checks/database.ts';
import { findingLine } from '#bootstrap/checks/finding.ts';
import { checkServices } from '#bootstrap/checks/services.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { openSealedValues } from '#bootstrap/stores/open-sealed-values.ts';
import { personalToken, type SalesCrmEmulator, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { app } from '#test/emulators/sales-crm/oauth.ts';
import { hiddenFields, type PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { withStored } from '#test/support/server/stored-users.ts';
import { adminPassword, sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

const webhookSecret = 'hooks:entered-on-the-page';
const entered = { client_id: app.clientId, client_secret: app.clientSecret, webhook_secret: webhookSecret };

let crm: SalesCrmEmulator;
let server: WholeServer;
let admin: PlainBrowser;
/** Addresses and the vendor come from the environment, and the environment has the secret of the tracker's app. */
const environment = () => ({
  SALES_CRM_DIALECT: 'pipedrive',
  SALES_CRM_URL: crm.url,
  SALES_CRM_AUTHORIZE_URL: crm.authorizeUrl,
  SALES_CRM_TOKEN_URL: crm.tokenUrl,
  TRACKER_DIALECT: 'linear,jira',
  TRACKER_CLIENT_ID: 'set-in-the-environment',
  WEBHOOK_REGISTRATION: 'off',
});

beforeAll(async () => {
  crm = await startSalesCrmEmulator({ dialect: 'pipedrive', retryWaitsMs: [] });
  server = await startWholeServer(environment());
  admin = await server.signedIn();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await crm.close();
});

const json = (method: string, path: string, body?: unknown) => sendJson(server, admin, [method, path, body]);
const page = async (path: string) => (await admin.get(path)).text();
const settingsOf = async (service: string) => {
  const { body } = await json('GET', `/api/setup/${service}`);
  return JSON.parse(JSON.stringify(body)).settings;
};
const one = async (service: string, vendor: string, name: string) =>
  (await settingsOf(service)).find(
    (setting: Readonly<{ vendor: string; name: string }>) => setting.vendor === vendor && setting.name === name,
  );
/** Follows the way to the provider and back, as the browser of a user who agrees. */
async function connect(): Promise<string> {
  const begun = await admin.get('/connect/sales_crm');
  const asked = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
  const back = new URL(asked.headers.get('location') ?? '');
  return (await admin.get(`${back.pathname}${back.search}`)).headers.get('location') ?? '';
}
const stateOfConnection = async () => {
  const { body } = await json('GET', '/api/connections');
  return JSON.parse(JSON.stringify(body)).data.find(({ service }: { service: string }) => service === 'sales_crm')
    ?.state;
};
/** Enters the CRM's app and its webhook secret, and the secret of the tracker's app, as an administrator who has just signed in. */
const enter = async () => {
  const stored = [
    await json('PUT', '/api/setup/sales_crm', entered),
    await json('PUT', '/api/setup/tracker', { client_id: 'entered', client_secret: 'entered too' }),
  ];
  expect(stored.map(({ status }) => status)).toEqual([200, 200]);
};
/** Sends a delivery of the CRM with a secret; the status of its answer. */
const statusOfDelivery = async (secret: string) => {
  const answer = await fetch(`${server.origin}/webhooks/sales_crm`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Basic ${Buffer.from(secret).toString('base64')}` },
    body: JSON.stringify({ meta: { action: 'change', entity: 'deal', id: crypto.randomUUID() }, data: { id: 1 } }),
  });
  return answer.status;
};
/** Makes all sign-ins as old as that. */
const age = (ms: number) =>
  withStored(server.dataDir, ({ database }) =>
    database.em.fork().execute('update sessions set begun_at = begun_at - ?', [ms]),
  );

describe('settings that an administrator enters', () => {
  it('are used at once, without a restart, and never shown (PSET-001, PSET-002, PSET-003)', async () => {
    expect(await one('sales_crm', 'pipedrive', 'client_secret')).toEqual({
      vendor: 'pipedrive',
      name: 'client_secret',
      variable: 'SALES_CRM_CLIENT_SECRET',
      source: null,
      set_by: null,
      set_at: null,
    });
    const before = await admin.get('/connect/sales_crm');
    expect([before.status, await before.text()]).toEqual([409, expect.stringContaining('/setup/sales_crm')]);

    const fields = hiddenFields(await page('/setup/sales_crm'));
    const saved = await admin.post('/setup/sales_crm/settings', { ...fields, ...entered });
    expect([saved.status, saved.headers.get('location')]).toEqual([
      303,
      '/setup/sales_crm?vendor=pipedrive&done=saved#enter',
    ]);
    expect(await connect()).toContain('/page');
    expect(await stateOfConnection()).toBe('connected');
    expect(await one('sales_crm', 'pipedrive', 'client_secret')).toMatchObject({
      source: 'entered',
      set_by: { id: 1, email: 'admin@localhost' },
      set_at: expect.any(Number),
    });
    const shown = await page('/setup/sales_crm?done=saved');
    expect(shown).toContain('Entered by <bdi>admin@localhost</bdi>');
    const { body } = await json('GET', '/api/setup/sales_crm');
    for (const text of [shown, await page('/setup'), JSON.stringify(body), server.log()]) {
      expect(text).not.toContain(app.clientSecret);
      expect(text).not.toContain(webhookSecret);
    }
  });

  it('verify deliveries from then on (PSET-002)', async () => {
    await enter();
    expect(await statusOfDelivery(webhookSecret)).toBe(200);
    expect(await statusOfDelivery('hooks:another')).toBe(401);
    await json('PUT', '/api/setup/sales_crm', { webhook_secret: `hooks:the-next, ${webhookSecret}` });
    expect(await statusOfDelivery('hooks:the-next')).toBe(200);
    expect(await statusOfDelivery(webhookSecret)).toBe(200);
    await json('PUT', '/api/setup/sales_crm', { webhook_secret: 'hooks:the-next' });
    expect(await statusOfDelivery(webhookSecret)).toBe(401);
  });

  it('are stored encrypted, and used after a restart (PSET-004)', async () => {
    await enter();
    const file = await readFile(join(server.dataDir, 'portolan.sqlite'));
    const log = await readFile(join(server.dataDir, 'portolan.sqlite-wal')).catch(() => Buffer.alloc(0));
    for (const bytes of [file, log]) expect(bytes.includes(app.clientSecret)).toBe(false);
    await server.stop();
    server = await startWholeServer(environment(), server.dataDir);
    admin = await server.signedIn();
    expect((await one('sales_crm', 'pipedrive', 'client_id')).source).toBe('entered');
    expect((await admin.get('/connect/sales_crm')).status).toBe(302);
  });
});

describe('a sign-in of the last 10 minutes', () => {
  beforeEach(enter);

  it('is asked for, and the person is brought back (PSET-005)', async () => {
    await age(601_000);
    const fields = hiddenFields(await page('/setup/sales_crm'));
    // A session is known for up to two seconds.
    await expect.poll(() => page('/setup/sales_crm'), { timeout: 30_000 }).toContain('Sign in again');
    expect(await page('/setup/sales_crm')).not.toContain('name="client_secret"');
    const refused = await admin.post('/setup/sales_crm/settings', { ...fields, client_id: 'changed' });
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('within 10 minutes')]);
    expect(await json('PUT', '/api/setup/sales_crm', { client_id: 'changed' })).toMatchObject({
      status: 403,
      body: { reason: 'forbidden' },
    });
    expect((await json('DELETE', '/api/setup/sales_crm')).status).toBe(403);
    expect((await admin.get('/connect/sales_crm')).headers.get('location')).toContain(app.clientId);

    const wrong = await admin.post('/setup/sales_crm/sign-in', { ...fields, password: 'wrong' });
    expect([wrong.status, await wrong.text()]).toEqual([401, expect.stringContaining('The password is wrong.')]);
    const before = new Map(admin.cookies);
    const again = await admin.post('/setup/sales_crm/sign-in', { ...fields, password: adminPassword });
    expect([again.status, again.headers.get('location')]).toEqual([303, '/setup/sales_crm?vendor=pipedrive#enter']);
    expect(await page('/setup/sales_crm')).toContain('name="client_secret"');
    // The session before has ended.
    const former = await fetch(`${server.origin}/setup`, { headers: { cookie: `user=${before.get('user')}` } });
    expect(former.status).toBe(401);
  });
});

describe('another client id', () => {
  beforeEach(enter);

  it('has the connections of its app connected again, and no others (PSET-006)', async () => {
    expect(await connect()).toContain('/page');
    expect(await stateOfConnection()).toBe('connected');
    await json('PUT', '/api/setup/sales_crm', { client_secret: app.clientSecret, client_id: app.clientId });
    expect(await stateOfConnection()).toBe('connected');
    await json('PUT', '/api/setup/sales_crm', { client_id: 'another-app' });
    expect(await stateOfConnection()).toBe('reconnect');
    await json('PUT', '/api/setup/sales_crm', { client_id: app.clientId });
    expect(await connect()).toContain('/page');
    expect(await stateOfConnection()).toBe('connected');
    const { body } = await json('DELETE', '/api/setup/sales_crm?setting=client_id');
    expect(JSON.parse(JSON.stringify(body)).settings[0]).toMatchObject({ name: 'client_id', source: null });
    expect(await stateOfConnection()).toBe('reconnect');
    expect((await admin.get('/connect/sales_crm')).status).toBe(409);
    await json('PUT', '/api/setup/sales_crm', { client_id: app.clientId });
    await json('POST', '/save', { service: 'sales_crm', auth_method: 'personal_token', access_token: personalToken });
    await json('PUT', '/api/setup/sales_crm', { client_id: 'another-app' });
    expect(await stateOfConnection()).toBe('connected');
  });
});

describe('the environment', () => {
  beforeEach(enter);

  it('wins over what is entered, and is shown as such (PSET-007)', async () => {
    expect(await one('tracker', 'linear', 'client_id')).toMatchObject({ source: 'environment' });
    expect(await one('tracker', 'linear', 'client_secret')).toMatchObject({ source: 'entered' });
    const begun = await admin.get('/connect/tracker');
    expect(new URL(begun.headers.get('location') ?? '').searchParams.get('client_id')).toBe('set-in-the-environment');
    expect(await page('/setup/tracker')).toContain('In the environment');
    expect(await page('/setup/tracker')).toContain(join(process.cwd(), '.env'));
  });

  it('has the addresses: none can be entered (PSET-008)', async () => {
    for (const name of ['url', 'authorize_url', 'token_url', 'webhook_addresses', 'dialect']) {
      expect(await json('PUT', '/api/setup/sales_crm', { [name]: 'http://127.0.0.1:9' })).toMatchObject({
        status: 400,
        body: { reason: 'invalid_input' },
      });
    }
    expect((await settingsOf('suite_crm')).map(({ name }: { name: string }) => name)).not.toContain(
      'webhook_addresses',
    );
  });
});

describe('several vendors of a service', () => {
  beforeEach(enter);

  it('have settings of their own (PSET-009)', async () => {
    await json('PUT', '/api/setup/tracker', { vendor: 'jira', client_id: 'of-jira', client_secret: 'secret of Jira' });
    expect(await one('tracker', 'jira', 'client_id')).toMatchObject({
      variable: 'TRACKER_JIRA_CLIENT_ID',
      source: 'entered',
    });
    expect(await one('tracker', 'linear', 'client_secret')).toMatchObject({ source: 'entered' });
    const client = async (query: string) =>
      new URL((await admin.get(`/connect/tracker${query}`)).headers.get('location') ?? '').searchParams.get(
        'client_id',
      );
    expect([await client('?vendor=jira'), await client('?vendor=linear')]).toEqual([
      'of-jira',
      'set-in-the-environment',
    ]);
    expect(await json('PUT', '/api/setup/tracker', { vendor: 'asana', client_id: 'x' })).toMatchObject({ status: 404 });
    await json('DELETE', '/api/setup/tracker?vendor=linear&setting=client_secret');
    expect(await one('tracker', 'linear', 'client_secret')).toMatchObject({ source: null });
    expect(await one('tracker', 'jira', 'client_secret')).toMatchObject({ source: 'entered' });
  });
});

describe('what was entered', () => {
  beforeEach(enter);

  it('is in the audit log by its names (PSET-013)', async () => {
    await json('PUT', '/api/setup/sales_crm', { client_id: app.clientId });
    await json('PUT', '/api/setup/tracker', { vendor: 'jira', client_secret: 'secret of Jira' });
    await json('DELETE', '/api/setup/tracker?vendor=jira&setting=client_secret');
    const { body } = await json('GET', '/api/audit?action=setup.changed');
    expect(body).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({ subject: 'tracker', detail: 'jira: client_secret removed' }),
        expect.objectContaining({ subject: 'sales_crm', detail: 'pipedrive: client_id set' }),
      ]),
    });
    expect(JSON.stringify(body)).not.toContain(app.clientSecret);
  });

  it('is removed on the page, and used no longer (PSET-011)', async () => {
    expect(await statusOfDelivery(webhookSecret)).toBe(200);
    const fields = hiddenFields(await page('/setup/sales_crm'));
    const removed = await admin.post('/setup/sales_crm/settings/remove', { ...fields, setting: 'webhook_secret' });
    expect(removed.status).toBe(303);
    expect((await one('sales_crm', 'pipedrive', 'webhook_secret')).source).toBeNull();
    expect(await statusOfDelivery(webhookSecret)).toBe(401);
  });

  it('is known to doctor, and re-encrypted by a key rotation (PSET-004, PSET-012)', async () => {
    await json('DELETE', '/api/setup/tracker?vendor=jira');
    await server.stop();
    const former = (await readFile(join(server.dataDir, 'secret_key_base'), 'utf8')).trim();
    const settings = readSettings({ ...environment(), DATA_DIR: server.dataDir });
    settings.live.enter((await checkDatabase(settings, former)).entered);
    const [finding] = checkServices(settings.live.current);
    expect(finding && findingLine(finding)).toMatch(/^✓ Sales CRM \(Pipedrive\): .*; OAuth app; 1 webhook secret$/);

    const current = 'a secret that takes the place of the former one';
    const rotated = readSettings({
      ...environment(),
      DATA_DIR: server.dataDir,
      SECRET_KEY_BASE: current,
      SECRET_KEY_BASE_PREVIOUS: former,
    });
    const opened = await openSealedValues(rotated, null);
    const ofProviders = opened.values.find(({ name }) => name === 'provider settings');
    const counts = () => ofProviders?.count();
    expect(await counts()).toMatchObject([{ isCurrent: false, isKnown: true, values: 1 }]);
    await ofProviders?.reencrypt(() => {}, new AbortController().signal);
    expect(await counts()).toMatchObject([{ isCurrent: true, values: 1 }]);
    await opened.close();
    const after = readSettings({ ...environment(), DATA_DIR: server.dataDir });
    expect((await checkDatabase(after, current)).entered).toHaveLength(5);
    expect((await checkDatabase(after, former)).entered).toHaveLength(0);
  });
});
