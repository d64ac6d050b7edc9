import { SqlLeases } from '#adapters/persistence/sql-leases.ts';
import { SqlWebhookInbox } from '#adapters/persistence/sql-webhook-inbox.ts';
import { SqlWebhookRegistrations } from '#adapters/persistence/sql-webhook-registrations.ts';
import { SuiteCrmWebhooks } from '#adapters/services/suite-crm/neutral/webhook-registration.ts';
import type { WebhookAddress } from '#application/ports/provider-webhooks.ts';
import { ForgetRegistrations } from '#application/webhook-registrations/forget-registrations.ts';
import {
  type ReconcileDependencies,
  ReconcileRegistrations,
} from '#application/webhook-registrations/reconcile-registrations.ts';
import { ViewRegistrations } from '#application/webhook-registrations/view-registrations.ts';
import { connectedSince } from '#domain/connections/connection-status.ts';
import { failed } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { WebhookRegistration } from '#domain/webhook-registrations/webhook-registration.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { MemoryConnections } from '#test/doubles/memory-connections.ts';
import { personalToken, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { startSuiteCrmEmulator } from '#test/emulators/suite-crm/suite-crm-emulator.ts';
import { startTrackerEmulator } from '#test/emulators/tracker/emulator.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { openTestSqlite } from '#test/support/persistence/test-database.ts';
import { operationsOver } from '#test/support/services/operations-over.ts';
import { salesCrmProvider, suiteCrmProvider, trackerProvider } from '#test/support/services/providers.ts';
import { salesCrmWebhooks, trackerWebhooks } from '#test/support/services/vendors.ts';
import { rememberingLogger } from '#test/support/webhooks/webhook-harness.ts';

/** Where deliveries are to go in these tests: nobody listens there. */
export const webhookUrl = (service: ServiceKey) => `http://127.0.0.1:1/webhooks/${service}`;

/** The secrets of the receivers, by service. */
export const webhookSecrets = { sales_crm: 'portolan:a password', suite_crm: 'a-token', tracker: 'a signing secret' };

const everywhere: WebhookAddress = ({ service }) => ok(webhookUrl(service));

/** The three services that have webhooks, emulated in one of the dialects, with their registrations in SQLite; user 1 is connected to all. */
export async function openRegistrationHarness(isVendor: boolean) {
  const sales = await startSalesCrmEmulator({ dialect: isVendor ? 'pipedrive' : 'neutral', retryWaitsMs: [] });
  const suite = await startSuiteCrmEmulator({ dialect: isVendor ? 'zoho' : 'neutral' });
  const tracker = await startTrackerEmulator({ dialect: isVendor ? 'linear' : 'neutral' });
  const { database, close } = await openTestSqlite();
  const http = new HttpClient(() => 0);
  const connections = new MemoryConnections();
  const keys: Readonly<Record<ServiceKey, string>> = {
    sales_crm: personalToken,
    suite_crm: 'emulated-token',
    tracker: tracker.credentials.apiKey,
  };
  const connect = async (service: ServiceKey, extra: TokenRecord['extra'] = {}) =>
    connections.save(recordOf(service, keys[service] ?? '', extra), connectedSince(0));
  for (const service of Object.keys(keys)) await connect(service);

  const none = { authorizeUrl: null, tokenUrl: null };
  const providers = [
    salesCrmProvider({ dialect: isVendor ? 'pipedrive' : 'neutral', url: sales.url, ...none }),
    suiteCrmProvider({ dialect: isVendor ? 'zoho' : 'neutral', url: `${suite.url}/us`, ...none }),
    trackerProvider({ dialect: isVendor ? 'linear' : 'neutral', url: tracker.url, ...none }),
  ];
  const gateway = operationsOver({
    providers,
    http,
    tokens: {
      find: async (userId, service) => {
        const found = await connections.find(userId, service);
        return found === null ? err(failed('not_connected', 'You are not connected.')) : ok(found.record);
      },
      renew: async () => err(failed('unauthorized', 'It was refused.')),
    },
  });
  const clock = { now: () => suite.state.clock.now() };
  const { lines: logged, logger } = rememberingLogger();
  const registrations = new SqlWebhookRegistrations(database);
  const inbox = new SqlWebhookInbox(database, clock);
  let deliveries = 0;
  const deliver = async (service: ServiceKey) => {
    deliveries += 1;
    const deliveryId = `delivery-${deliveries}`;
    await inbox.keep([{ service, deliveryId, orderKey: deliveryId, event: 'a.b', body: '{}' }]);
  };
  /** The webhooks' adapters, distinguished by `mark`: another one stands for another secret. */
  const webhooksWith = (secretId: string) => [
    salesCrmWebhooks({
      caller: gateway,
      dialect: isVendor ? 'pipedrive' : 'neutral',
      secrets: [webhookSecrets.sales_crm],
      secretId: secretId,
    }),
    new SuiteCrmWebhooks({ caller: gateway, tokens: [webhookSecrets.suite_crm], secretId: secretId, now: clock.now }),
    trackerWebhooks({
      caller: gateway,
      dialect: isVendor ? 'linear' : 'neutral',
      secrets: [webhookSecrets.tracker],
      secretId: secretId,
    }),
  ];
  const shared = {
    registrations,
    providers: webhooksWith('mark'),
    leases: new SqlLeases(database),
    clock,
    random: systemRandom,
    logger,
  };
  const reconcileDependencies: ReconcileDependencies = {
    ...shared,
    connections,
    inbox,
    automation: { id: 1, reasonToWait: async () => null },
    addressOf: everywhere,
  };
  /** A reconciler of its own, as another process has one. */
  const reconciler = (change: Partial<ReconcileDependencies> = {}) =>
    new ReconcileRegistrations({ ...reconcileDependencies, ...change });
  const forget = new ForgetRegistrations({ ...shared, pause: async () => undefined });
  const view = new ViewRegistrations({
    ...shared,
    inbox,
    addressOf: everywhere,
    baseUrl: 'https://portolan.example',
    secretVariableOf: () => 'SIGNING_WEBHOOK_KEY',
  });

  return {
    sales,
    suite,
    tracker,
    connections,
    /** The operations of the services, as user 1 calls them. */
    operations: gateway,
    registrations,
    logged,
    clock,
    forget,
    view,
    deliver,
    webhooksWith,
    reconciler,
    reconcile: () => reconciler().run(),
    connect,
    disconnect: async (service: ServiceKey) => {
      await forget.run(1, service);
      await connections.remove(1, service);
    },
    /** The stored registrations of a service. */
    linesOf: async (service: ServiceKey): Promise<readonly WebhookRegistration[]> =>
      (await registrations.list()).filter((line) => line.service === service),
    /** How many webhooks each provider has. */
    remoteCounts: () => ({
      sales_crm: sales.webhooks.registered().length,
      suite_crm: suite.openChannels().length,
      tracker: tracker.space.all('Webhook').length,
    }),
    close: async () => {
      http.close();
      await Promise.all([sales.close(), suite.close(), tracker.close()]);
      await close();
    },
  };
}

/** What `openRegistrationHarness` opens. */
export type RegistrationHarness = Awaited<ReturnType<typeof openRegistrationHarness>>;

function recordOf(service: ServiceKey, accessToken: string, extra: TokenRecord['extra']): TokenRecord {
  return tokenRecord(service, { authMethod: service === 'suite_crm' ? 'oauth' : 'personal_token', accessToken, extra });
}
