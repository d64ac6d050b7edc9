import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqlLeases } from '#adapters/persistence/sql-leases.ts';
import { SqlWebhookInbox } from '#adapters/persistence/sql-webhook-inbox.ts';
import { SqlWebhookRegistrations } from '#adapters/persistence/sql-webhook-registrations.ts';
import { keyedSource } from '#adapters/services/webhooks/keyed-source.ts';
import { SealedWebhookKeys } from '#adapters/stores/sealed-webhook-keys.ts';
import { ForgetRegistrations } from '#application/webhook-registrations/forget-registrations.ts';
import { ReconcileRegistrations } from '#application/webhook-registrations/reconcile-registrations.ts';
import { connectedSince } from '#domain/connections/connection-status.ts';
import { ok } from '#domain/shared/result.ts';
import { AesGcmBox } from '#infrastructure/crypto/aes-gcm-box.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import { MemoryConnections } from '#test/doubles/memory-connections.ts';
import { MemoryServerFacts } from '#test/doubles/memory-server-facts.ts';
import { startSigningEmulator } from '#test/emulators/signing/emulator.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { openTestSqlite } from '#test/support/persistence/test-database.ts';
import { operationsOver } from '#test/support/services/operations-over.ts';
import { signingProvider } from '#test/support/services/providers.ts';
import { signingWebhookSource, signingWebhooks } from '#test/support/services/vendors.ts';
import { sentTo } from '#test/support/webhooks/sent-to.ts';
import { rememberingLogger, startAt } from '#test/support/webhooks/webhook-harness.ts';

const url = 'http://127.0.0.1:1/webhooks/signing';
const receiver = 'signing/pandadoc';
const hour = 3_600_000;

/** PandaDoc emulated, with its registrations in SQLite; user 1 is connected. */
async function openHarness() {
  const signing = await startSigningEmulator({ dialect: 'pandadoc', draftAfterMs: 0 });
  const { database, close } = await openTestSqlite();
  const http = new HttpClient(() => 0);
  const clock = new SettableClock(startAt);
  const connections = new MemoryConnections();
  const record = tokenRecord('signing', { authMethod: 'api_key', accessToken: signing.apiKey });
  await connections.save(record, connectedSince(0));
  const operations = operationsOver({
    providers: [signingProvider({ dialect: 'pandadoc', url: signing.url })],
    http,
    tokens: { find: async () => ok(record), renew: async () => ok(record) },
  });
  const keys = new SealedWebhookKeys(new MemoryServerFacts(), new AesGcmBox([deriveKey('secret', 'test')]), clock);
  const registrations = new SqlWebhookRegistrations(database);
  const webhooks = signingWebhooks({
    dialect: 'pandadoc',
    secrets: [],
    secretId: null,
    caller: operations,
    url,
    keepSecret: (secret) => keys.keep(receiver, secret),
  });
  const { lines: logged, logger } = rememberingLogger();
  const leases = new SqlLeases(database);
  const shared = { registrations, providers: [webhooks], leases, clock, random: systemRandom, logger };
  const reconciler = new ReconcileRegistrations({
    ...shared,
    connections,
    inbox: new SqlWebhookInbox(database, clock),
    automation: { id: 1, reasonToWait: async () => null },
    addressOf: () => ok(url),
  });
  const source = keyedSource(
    (kept) => signingWebhookSource({ dialect: 'pandadoc', secrets: ['configured', ...kept] }),
    { keys, receiver, configured: 1 },
  );
  return {
    signing,
    operations,
    registrations,
    keys,
    source,
    logged,
    subscriptions: () => [...signing.world.subscriptions.values()],
    line: async () => (await registrations.list())[0],
    reconcile: async (afterMs = 0) => {
      clock.advance(afterMs);
      return reconciler.run();
    },
    forget: new ForgetRegistrations({ ...shared, pause: async () => undefined }),
    /** Has the service send an event, and verifies the delivery as the receiver does. */
    delivered: async () => {
      const made = await operations.call({
        userId: 1,
        service: 'signing',
        name: 'documents.create',
        input: { name: 'Offer', url: 'https://example.com/offer.pdf' },
      });
      if (!made.ok) throw new Error(made.message);
      const [document] = signing.world.documents.values();
      if (document === undefined) throw new Error('There is no document.');
      signing.webhooks.emit('document_updated', document);
      await signing.webhooks.settled();
      const sent = signing.webhooks.deliveries.at(-1);
      const address = new URL(sent?.url ?? url);
      const query = Object.fromEntries(address.searchParams);
      const delivery = {
        ...sentTo('signing'),
        headers: { ...sent?.headers },
        query,
        body: Buffer.from(sent?.body ?? ''),
      };
      return source.verify(delivery, clock.now());
    },
    async [Symbol.asyncDispose]() {
      http.close();
      await signing.close();
      await close();
    },
  };
}

describe('the webhook subscription of PandaDoc', () => {
  let harness: Awaited<ReturnType<typeof openHarness>>;
  beforeEach(async () => {
    harness = await openHarness();
  });
  afterEach(() => harness[Symbol.asyncDispose]());

  it('is registered once for all events, and its key verifies deliveries without a setting (WREG-010)', async () => {
    expect(await harness.reconcile()).toBe(1);
    expect(await harness.reconcile(hour)).toBe(0);
    const [subscription] = harness.subscriptions();
    expect(harness.subscriptions()).toHaveLength(1);
    expect(subscription).toMatchObject({ url, active: true, name: 'Portolan' });
    expect(subscription?.triggers).toEqual([
      'document_state_changed',
      'recipient_completed',
      'document_updated',
      'document_deleted',
      'document_creation_failed',
      'document_completed_pdf_ready',
    ]);
    expect(await harness.line()).toMatchObject({ state: 'active', remoteId: subscription?.uuid, reason: null });
    expect(harness.keys.of(receiver)).toEqual([subscription?.sharedKey]);
    expect(await harness.delivered()).toMatchObject({ ok: true });
  });

  it('is switched on again under the same key when PandaDoc has deactivated it (WREG-010, WREG-002)', async () => {
    await harness.reconcile();
    const [before] = harness.subscriptions();
    if (before === undefined) throw new Error('There is no subscription.');
    before.isDeactivated = true;
    expect(await harness.reconcile(hour)).toBe(1);
    expect(harness.subscriptions()).toEqual([{ ...before, isDeactivated: false }]);
    expect(harness.logged).toContainEqual(expect.objectContaining({ why: 'disabled', service: 'signing' }));
  });

  it('is created again when it was deleted, and set right when its address or events were changed (WREG-010, WREG-006)', async () => {
    await harness.reconcile();
    harness.signing.world.subscriptions.clear();
    await harness.reconcile(hour);
    const [again] = harness.subscriptions();
    if (again === undefined) throw new Error('There is no subscription.');
    Object.assign(again, { url: 'https://elsewhere.example/', triggers: ['document_deleted'] });
    await harness.reconcile(hour);
    expect(harness.subscriptions()).toMatchObject([{ uuid: again.uuid, url }]);
    expect(again.triggers).toHaveLength(6);
    expect(await harness.delivered()).toMatchObject({ ok: true });
  });

  it('accepts the key that somebody regenerated there from the next check on, and the former one too (WREG-010)', async () => {
    await harness.reconcile();
    const [subscription] = harness.subscriptions();
    if (subscription === undefined) throw new Error('There is no subscription.');
    const former = subscription.sharedKey;
    subscription.sharedKey = 'a regenerated key';
    expect(await harness.delivered()).toMatchObject({ ok: false, failure: { reason: 'bad_signature' } });
    await harness.reconcile(hour);
    expect(harness.keys.of(receiver)).toEqual(['a regenerated key', former]);
    expect(await harness.delivered()).toMatchObject({ ok: true });
  });

  it('that was made by hand for this address is taken over, not doubled, and one elsewhere is left alone (WREG-010)', async () => {
    harness.signing.subscribe(url, 'the key by hand', ['document_state_changed']);
    harness.signing.subscribe('https://elsewhere.example/', 'the key of others', ['document_state_changed']);
    await harness.reconcile();
    expect(harness.subscriptions().map(({ sharedKey, triggers }) => [sharedKey, triggers.length])).toEqual([
      ['the key by hand', 6],
      ['the key of others', 1],
    ]);
    expect(harness.keys.of(receiver)).toEqual(['the key by hand']);
  });

  it('is removed on disconnecting (WREG-005)', async () => {
    await harness.reconcile();
    expect(await harness.forget.run(1, 'signing')).toBe(0);
    expect(harness.subscriptions()).toEqual([]);
  });

  it('cannot be read or changed by users, whose calls do not know its requests (WREG-010)', async () => {
    await harness.reconcile();
    for (const name of ['subscriptions.list', 'subscriptions.create', 'subscriptions.update', 'subscriptions.delete']) {
      const call = { userId: 1, service: 'signing', name, input: {}, isUsers: true };
      expect(await harness.operations.call(call)).toMatchObject({ reason: 'invalid_input', sent: 'no' });
    }
  });

  it('says why it could not be registered, and is tried again (WREG-010)', async () => {
    const refused = { type: 'permissions_error', detail: 'You do not have permission to perform this action.' };
    harness.signing.failNext({ status: 403, times: 1, body: refused });
    await harness.reconcile();
    expect(await harness.line()).toMatchObject({
      state: 'wanted',
      failures: 1,
      reason: expect.stringContaining('You do not have permission'),
    });
    await harness.reconcile(120_000);
    expect(await harness.line()).toMatchObject({ state: 'active', reason: null });
  });
});
