import type { ContainerModuleLoadOptions } from 'inversify';
import { metricsRoute } from '#adapters/http/monitoring/metrics-route.ts';
import { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { deliveryRoutes } from '#adapters/http/webhooks/delivery-routes.ts';
import { PrometheusMetrics } from '#adapters/metrics/prometheus-metrics.ts';
import { DeliveryConnections } from '#application/connections/delivery-connections.ts';
import { soonestExpiries } from '#application/webhook-registrations/soonest-expiries.ts';
import { Deliveries } from '#application/webhooks/deliveries.ts';
import { InboxWorker } from '#application/webhooks/inbox-worker.ts';
import { PlanEntry } from '#application/webhooks/plan-entry.ts';
import { desiredOf } from '#bootstrap/modules/desired-webhooks.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';

/** Binds the views of deliveries: metrics, lists and pages. */
export function bindWebhookViews(bind: ContainerModuleLoadOptions['bind']): void {
  bind(PrometheusMetrics).toDynamicValue((on) => {
    const inbox = on.get(tokens.inbox);
    const registrations = on.get(tokens.webhookRegistrations);
    const clock = on.get(tokens.clock);
    const { settings } = on.get(tokens.runtime);
    const unreadable = on.get(tokens.unreadableRows);
    return new PrometheusMetrics({
      counts: () => inbox.counts(),
      oldestOpen: () => inbox.oldestOpen(),
      expiries: () => soonestExpiries(registrations, desiredOf(settings), clock.now()),
      unreadable: () => unreadable.all(),
      now: () => clock.now(),
    });
  });
  bind(tokens.operationMetrics).toDynamicValue((on) => on.get(PrometheusMetrics));
  bind(Deliveries).toDynamicValue((on) => {
    const { values, ids } = on.get(tokens.webhookSecrets);
    const worker = on.get(InboxWorker);
    return new Deliveries({
      inbox: on.get(tokens.inbox),
      receipts: on.get(tokens.receiptLog),
      plan: on.get(PlanEntry),
      gate: on.get(DeliveryConnections),
      targets: on.get(tokens.targets),
      secrets: Object.values(values).flat(),
      secretIds: ids,
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
        now: () => clock.now(),
      }),
      metricsRoute({ page: () => metrics.page(), token: on.get(tokens.runtime).settings.METRICS_TOKEN ?? null }),
    ];
  });
}
