import type { ContainerModuleLoadOptions } from 'inversify';
import { metricsRoute } from '#adapters/http/monitoring/metrics-route.ts';
import { deliveryRoutes } from '#adapters/http/webhooks/delivery-routes.ts';
import { PrometheusMetrics } from '#adapters/metrics/prometheus-metrics.ts';
import { soonestExpiries } from '#application/webhook-registrations/soonest-expiries.ts';
import { Deliveries } from '#application/webhooks/deliveries.ts';
import { desiredOf } from '#bootstrap/modules/desired-webhooks.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';

/** Binds the views of deliveries: metrics, lists and pages. */
export function bindWebhookViews(bind: ContainerModuleLoadOptions['bind']): void {
  bind(tokens.metrics)
    .toResolvedValue(
      (inbox, registrations, clock, { settings }, unreadable) =>
        new PrometheusMetrics({
          counts: () => inbox.counts(),
          oldestOpen: () => inbox.oldestOpen(),
          expiries: () => soonestExpiries(registrations, desiredOf(settings), clock.now()),
          unreadable: () => unreadable.all(),
          now: () => clock.now(),
        }),
      [tokens.inbox, tokens.webhookRegistrations, tokens.clock, tokens.runtime, tokens.unreadableRows],
    )
    .inSingletonScope();
  bind(tokens.operationMetrics).toResolvedValue((metrics) => metrics, [tokens.metrics]);
  bind(tokens.deliveries)
    .toResolvedValue(
      (inbox, receipts, plan, gate, targets, { values, ids }, worker) =>
        new Deliveries({
          inbox,
          receipts,
          plan,
          gate,
          targets,
          secrets: Object.values(values).flat(),
          secretIds: ids,
          onReplay: () => worker.wake(),
        }),
      [
        tokens.inbox,
        tokens.receiptLog,
        tokens.planEntry,
        tokens.deliveryConnections,
        tokens.targets,
        tokens.webhookSecrets,
        tokens.inboxWorker,
      ],
    )
    .inSingletonScope();
  bind(tokens.deliveryRoutes)
    .toResolvedValue(
      (deliveries, formGuard, names, clock, metrics, { settings }) => [
        ...deliveryRoutes({ deliveries, formGuard, names, now: () => clock.now() }),
        metricsRoute({ page: () => metrics.page(), token: settings.METRICS_TOKEN ?? null }),
      ],
      [tokens.deliveries, tokens.formGuard, tokens.serviceNames, tokens.clock, tokens.metrics, tokens.runtime],
    )
    .inSingletonScope();
}
