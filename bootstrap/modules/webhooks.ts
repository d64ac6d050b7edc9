import { ContainerModule, type ContainerModuleLoadOptions } from 'inversify';
import { metricsRoute } from '#adapters/http/monitoring/metrics-route.ts';
import { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { deliveryRoutes } from '#adapters/http/webhooks/delivery-routes.ts';
import { PrometheusMetrics } from '#adapters/metrics/prometheus-metrics.ts';
import { GatewayDealNames } from '#adapters/services/sales-crm/ports/deal-names.ts';
import { GatewayOrganizations } from '#adapters/services/sales-crm/ports/organizations.ts';
import { GatewayPartyDirectory } from '#adapters/services/suite-crm/ports/party-directory.ts';
import { GatewayVaultNotes } from '#adapters/services/vault/ports/vault-notes.ts';
import { DeliveryCalls } from '#adapters/services/webhooks/delivery-calls.ts';
import { FetchedRecords } from '#adapters/services/webhooks/fetched-records.ts';
import { SealedWebhookKeys } from '#adapters/stores/sealed-webhook-keys.ts';
import { meteredWebhooks, UsageMeter } from '#application/activity/usage-meter.ts';
import { DeliveryConnections } from '#application/connections/delivery-connections.ts';
import { VendorUsers } from '#application/connections/vendor-users.ts';
import { Notify } from '#application/notifications/notify.ts';
import { RunOperation } from '#application/operations/run-operation.ts';
import { BuiltInSwitches } from '#application/reactions/built-in-switches.ts';
import { NoteRuns } from '#application/reactions/note-runs.ts';
import { scheduleSource } from '#application/reactions/schedule-source.ts';
import { soonestExpiries } from '#application/webhook-registrations/soonest-expiries.ts';
import { Deliveries } from '#application/webhooks/deliveries.ts';
import { DrainInbox } from '#application/webhooks/drain-inbox.ts';
import { InboxWorker, inboxPollMs } from '#application/webhooks/inbox-worker.ts';
import { NoteReceipts } from '#application/webhooks/note-receipts.ts';
import { PlanEntry } from '#application/webhooks/plan-entry.ts';
import { ReceiveDelivery } from '#application/webhooks/receive-delivery.ts';
import { stepsAppliedTo } from '#application/webhooks/targets.ts';
import { claimTiming } from '#application/webhooks/work-pace.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { desiredOf, webhookSecrets } from '#bootstrap/modules/webhook-secrets.ts';
import { webhookSources } from '#bootstrap/modules/webhook-sources.ts';
import { boxFor } from '#bootstrap/stores/boxes.ts';
import { Storage } from '#bootstrap/stores/storage.ts';
import { scheduleService } from '#domain/events/schedule-event.ts';
import type { NoteTemplates } from '#domain/notes/templates.ts';
import { allReactions } from '#domain/reactions/react.ts';
import { isTeams } from '#domain/tokens/token-record.ts';
import { elapsedClock } from '#infrastructure/time/elapsed-clock.ts';
import { every } from '#infrastructure/time/every.ts';

type Bind = ContainerModuleLoadOptions['bind'];

/**
 * Binds the processing of webhooks: receivers, the durable inbox, the worker that applies reactions to deliveries, and
 * the views of them.
 */
export const webhooks = (templates: NoteTemplates) =>
  new ContainerModule(({ bind }) => {
    bindStores(bind);
    bindReceipt(bind);
    bindWork(bind, templates);
    bindWebhookViews(bind);
  });

function bindStores(bind: Bind): void {
  bind(tokens.inbox).toDynamicValue((on) => on.get(tokens.stores).webhookInbox);
  bind(tokens.noteLinks).toDynamicValue((on) => on.get(tokens.stores).noteLinks);
  bind(tokens.partyLinks).toDynamicValue((on) => on.get(tokens.stores).partyLinks);
  bind(tokens.receiptLog).toDynamicValue((on) => on.get(tokens.stores).receiptLog);
  bind(tokens.webhookRegistrations).toDynamicValue((on) => on.get(tokens.stores).webhookRegistrations);
}

function bindReceipt(bind: Bind): void {
  bind(tokens.webhookSecrets).toDynamicValue((on) => {
    const { settings, secrets } = on.get(tokens.runtime);
    return webhookSecrets(settings, secrets[0] ?? '');
  });
  bind(tokens.senders).toDynamicValue((on) =>
    on
      .get(tokens.runtime)
      .settings.services.filter(({ service }) => service.sendsWebhooks)
      .map(({ service }) => service.key),
  );
  bind(tokens.webhookSources).toDynamicValue(webhookSources);
  bind(tokens.webhookKeys).toDynamicValue(
    (on) =>
      new SealedWebhookKeys(
        on.get(tokens.serverFacts),
        boxFor('webhookKeys', on.get(tokens.runtime).secrets),
        on.get(tokens.clock),
      ),
  );
  bind(tokens.reactions).toDynamicValue((on) => {
    const { settings } = on.get(tokens.runtime);
    const config = on.get(tokens.config);
    return [...allReactions, ...settings.services.flatMap(({ service }) => service.reactions), ...config.reactions];
  });
  bind(NoteReceipts).toDynamicValue((on) => {
    const current = on.get(tokens.webhookSecrets);
    return new NoteReceipts({
      log: on.get(tokens.receiptLog),
      get secretIds() {
        return current.ids;
      },
      clock: on.get(tokens.clock),
      logger: on.get(tokens.logger),
    });
  });
  bind(ReceiveDelivery).toDynamicValue((on) => {
    const worker = on.get(InboxWorker);
    return new ReceiveDelivery({
      sources: on.get(tokens.webhookSources),
      reactions: on.get(tokens.reactions),
      inbox: on.get(tokens.inbox),
      receipts: on.get(NoteReceipts),
      metrics: meteredWebhooks(on.get(PrometheusMetrics), on.get(UsageMeter)),
      clock: on.get(tokens.clock),
      logger: on.get(tokens.logger),
      tracer: on.get(tokens.tracer),
      onKept: () => worker.wake(),
      pace: on.get(DrainInbox).intake,
    });
  });
}

function bindWork(bind: Bind, templates: NoteTemplates): void {
  bind(DeliveryCalls).toDynamicValue((on) => new DeliveryCalls(on.get(RunOperation), on.get(tokens.serviceNames)));
  bind(tokens.vaultNotes).toDynamicValue((on) => {
    const calls = on.get(DeliveryCalls);
    const connections = on.get(tokens.connections);
    const userId = on.get(tokens.runtime).settings.AUTOMATION_USER_ID;
    const isServedHere = async () => {
      const vault = await connections.find(userId, 'vault');
      return vault !== null && isTeams(vault.record);
    };
    return new GatewayVaultNotes(calls, userId, isServedHere);
  });
  bind(VendorUsers).toDynamicValue((on) => {
    const { settings } = on.get(tokens.runtime);
    return new VendorUsers({
      connections: on.get(tokens.stores).connections,
      users: on.get(tokens.users),
      clock: on.get(tokens.clock),
      userId: settings.AUTOMATION_USER_ID,
      firstVendors: new Map(settings.services.map(({ service, settings: { dialect } }) => [service.key, dialect])),
    });
  });
  bind(tokens.userOfVendor).toDynamicValue((on) => {
    const { settings } = on.get(tokens.runtime);
    const hasSeveral = settings.services.some(({ all }) => all.length > 1);
    return hasSeveral ? on.get(VendorUsers).of : async () => settings.AUTOMATION_USER_ID;
  });
  bind(tokens.recordNames).toDynamicValue(
    (on) => new GatewayDealNames(on.get(DeliveryCalls), on.get(tokens.userOfVendor), on.get(tokens.clock)),
  );
  bind(tokens.organizations).toDynamicValue(
    (on) => new GatewayOrganizations(on.get(DeliveryCalls), on.get(tokens.userOfVendor)),
  );
  bind(tokens.partyDirectory).toDynamicValue(
    (on) => new GatewayPartyDirectory(on.get(DeliveryCalls), on.get(tokens.runtime).settings.AUTOMATION_USER_ID),
  );
  bind(tokens.eventRecords).toDynamicValue(
    (on) =>
      new FetchedRecords({
        sources: on.get(tokens.webhookSources),
        caller: on.get(DeliveryCalls),
        userOf: on.get(tokens.userOfVendor),
        names: on.get(tokens.serviceNames),
      }),
  );
  bind(PlanEntry).toDynamicValue((on) => {
    const sources = on.get(tokens.webhookSources);
    const written = on.get(tokens.planReactions);
    return new PlanEntry({
      inbox: on.get(tokens.inbox),
      sources: [...sources, scheduleSource],
      reactions: on.get(tokens.reactions),
      names: on.get(tokens.recordNames),
      records: on.get(tokens.eventRecords),
      surroundings: { templates, baseUrl: on.get(tokens.runtime).baseUrl },
      switches: on.get(BuiltInSwitches),
      ...(written === null ? {} : { written }),
    });
  });
  bind(DrainInbox).toDynamicValue((on) => {
    const senders = on.get(tokens.senders);
    const { load } = on.get(tokens.runtime);
    return new DrainInbox({
      inbox: on.get(tokens.inbox),
      plan: on.get(PlanEntry),
      applySteps: stepsAppliedTo(on.get(tokens.targets)),
      runs: on.get(NoteRuns),
      gate: on.get(DeliveryConnections),
      scope: on.get(DeliveryCalls),
      notify: on.get(Notify),
      names: on.get(tokens.serviceNames),
      senders: [...senders, scheduleService],
      metrics: meteredWebhooks(on.get(PrometheusMetrics), on.get(UsageMeter)),
      clock: on.get(tokens.clock),
      chance: Math.random,
      logger: on.get(tokens.logger),
      tracer: on.get(tokens.tracer),
      owner: on.get(tokens.random).token(12),
      timing: claimTiming,
      ...(load === undefined ? {} : { load }),
      uptime: elapsedClock(),
    });
  });
  bind(InboxWorker).toDynamicValue((on) => {
    const storage = on.get(Storage);
    return new InboxWorker({
      drain: on.get(DrainInbox),
      repeat: every,
      logger: on.get(tokens.logger),
      pollMs: inboxPollMs,
      renewMs: claimTiming.renewMs,
      trouble: storage.trouble,
    });
  });
}

/** Binds the views of deliveries: metrics, lists and pages. */
function bindWebhookViews(bind: ContainerModuleLoadOptions['bind']): void {
  bind(PrometheusMetrics).toDynamicValue((on) => {
    const inbox = on.get(tokens.inbox);
    const registrations = on.get(tokens.webhookRegistrations);
    const clock = on.get(tokens.clock);
    const { settings } = on.get(tokens.runtime);
    const unreadable = on.get(tokens.unreadableRows);
    return new PrometheusMetrics({
      counts: () => inbox.counts(),
      faulty: () => inbox.faulty(),
      oldestOpen: () => inbox.oldestOpen(),
      expiries: () => soonestExpiries(registrations, desiredOf(settings), clock.now()),
      unreadable: () => unreadable.all(),
      notifications: () => on.get(tokens.stores).notifications.waiting(),
      now: () => clock.now(),
    });
  });
  bind(tokens.operationMetrics).toDynamicValue((on) => on.get(PrometheusMetrics));
  bind(Deliveries).toDynamicValue((on) => {
    const current = on.get(tokens.webhookSecrets);
    const worker = on.get(InboxWorker);
    return new Deliveries({
      inbox: on.get(tokens.inbox),
      reactionLog: on.get(tokens.reactionLog),
      receipts: on.get(tokens.receiptLog),
      plan: on.get(PlanEntry),
      gate: on.get(DeliveryConnections),
      targets: on.get(tokens.targets),
      get secrets() {
        return Object.values(current.values).flat();
      },
      get secretIds() {
        return current.ids;
      },
      onReplay: () => worker.wake(),
    });
  });
  bind(tokens.deliveryRoutes).toDynamicValue((on) => {
    const clock = on.get(tokens.clock);
    const metrics = on.get(PrometheusMetrics);
    return [
      ...deliveryRoutes({
        deliveries: on.get(Deliveries),
        formGuard: on.get(FormGuard),
        names: on.get(tokens.serviceNames),
        note: on.get(tokens.note),
        now: () => clock.now(),
      }),
      metricsRoute({ page: () => metrics.page(), token: on.get(tokens.runtime).settings.METRICS_TOKEN ?? null }),
    ];
  });
}
