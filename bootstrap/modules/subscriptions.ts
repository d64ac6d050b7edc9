import { setTimeout as delay } from 'node:timers/promises';
import { ContainerModule, type ContainerModuleLoadOptions } from 'inversify';
import { SqlDeliveryLog } from '#adapters/persistence/sql-delivery-log.ts';
import { SalesCrmHooks } from '#adapters/services/sales-crm/webhook-registration.ts';
import { SuiteCrmHooks } from '#adapters/services/suite-crm/webhook-registration.ts';
import { TrackerHooks } from '#adapters/services/tracker/webhook-registration.ts';
import { ForgetSubscriptions } from '#application/subscriptions/forget-subscriptions.ts';
import { ReconcileSubscriptions } from '#application/subscriptions/reconcile-subscriptions.ts';
import { ViewSubscriptions } from '#application/subscriptions/view-subscriptions.ts';
import { tokens } from '#bootstrap/tokens.ts';
import { hookAddress } from '#domain/subscriptions/wished-hooks.ts';

type Bind = ContainerModuleLoadOptions['bind'];

/** The hooks at the providers: what they should be, the ledger of what they are, and who sees to it. */
export const subscriptions = new ContainerModule(({ bind }) => {
  bindHooks(bind);
  bindUseCases(bind);
});

function bindHooks(bind: Bind): void {
  bind(tokens.deliveryLog)
    .toResolvedValue((database) => new SqlDeliveryLog(database), [tokens.database])
    .inSingletonScope();
  bind(tokens.providerHooks)
    .toResolvedValue(
      (gateway, { settings }, { values, ids }, clock) => [
        new SalesCrmHooks({
          gateway,
          dialect: settings.SALES_CRM_DIALECT === 'pipedrive' ? 'pipedrive' : 'neutral',
          secrets: values.sales_crm,
          secretId: ids.sales_crm[0] ?? null,
        }),
        new SuiteCrmHooks({
          gateway,
          tokens: values.suite_crm,
          secretId: ids.suite_crm[0] ?? null,
          now: () => clock.now(),
        }),
        new TrackerHooks({
          gateway,
          dialect: settings.TRACKER_DIALECT === 'linear' ? 'linear' : 'neutral',
          secrets: values.tracker,
          secretId: ids.tracker[0] ?? null,
        }),
      ],
      [tokens.runOperation, tokens.runtime, tokens.webhookSecrets, tokens.clock],
    )
    .inSingletonScope();
  bind(tokens.hookAddress)
    .toResolvedValue(
      ({ settings }) =>
        ({ service, hasSecret, secretVariable }) =>
          hookAddress(service, {
            isOn: settings.WEBHOOK_REGISTRATION,
            baseUrl: settings.BASE_URL ?? null,
            hasSecret,
            secretVariable,
          }),
      [tokens.runtime],
    )
    .inSingletonScope();
}

function bindUseCases(bind: Bind): void {
  const shared = [
    tokens.subscriptionLedger,
    tokens.providerHooks,
    tokens.leases,
    tokens.clock,
    tokens.random,
    tokens.logger,
  ] as const;
  bind(tokens.reconcileSubscriptions)
    .toResolvedValue(
      (ledger, providers, leases, clock, random, logger, outbound, standings, deliveries, addressOf, { settings }) =>
        new ReconcileSubscriptions({
          ledger,
          providers,
          leases,
          clock,
          random,
          logger,
          tokens: outbound,
          standings,
          deliveries,
          addressOf,
          userId: settings.AUTOMATION_USER_ID,
        }),
      [...shared, tokens.outboundTokens, tokens.standings, tokens.deliveryLog, tokens.hookAddress, tokens.runtime],
    )
    .inSingletonScope();
  bind(tokens.forgetSubscriptions)
    .toResolvedValue(
      (ledger, providers, leases, clock, random, logger) =>
        new ForgetSubscriptions({
          ledger,
          providers,
          leases,
          clock,
          random,
          logger,
          pause: (ms) => delay(ms),
        }),
      [...shared],
    )
    .inSingletonScope();
  bind(tokens.viewSubscriptions)
    .toResolvedValue(
      (ledger, providers, deliveries, clock, addressOf, { baseUrl }) =>
        new ViewSubscriptions({ ledger, providers, deliveries, clock, addressOf, baseUrl }),
      [
        tokens.subscriptionLedger,
        tokens.providerHooks,
        tokens.deliveryLog,
        tokens.clock,
        tokens.hookAddress,
        tokens.runtime,
      ],
    )
    .inSingletonScope();
}
