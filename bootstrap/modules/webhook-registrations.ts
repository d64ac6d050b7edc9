import { setTimeout as delay } from 'node:timers/promises';
import { ContainerModule, type ContainerModuleLoadOptions } from 'inversify';
import { ForgetRegistrations } from '#application/webhook-registrations/forget-registrations.ts';
import { ReconcileRegistrations } from '#application/webhook-registrations/reconcile-registrations.ts';
import { ViewRegistrations } from '#application/webhook-registrations/view-registrations.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { webhookAddress } from '#domain/webhook-registrations/desired-webhooks.ts';

type Bind = ContainerModuleLoadOptions['bind'];

/** Binds webhook registration: the desired webhooks, the registrations, and the use cases that reconcile them. */
export const registrations = new ContainerModule(({ bind }) => {
  bindWebhooks(bind);
  bindUseCases(bind);
});

function bindWebhooks(bind: Bind): void {
  bind(tokens.providerWebhooks)
    .toResolvedValue(
      (caller, { settings }, { ids }, clock) =>
        settings.services.flatMap(({ service, webhooks }) => {
          const secretId = ids[service.key]?.[0] ?? null;
          return webhooks?.registration?.({ caller, secretId, now: () => clock.now() }) ?? [];
        }),
      [tokens.runOperation, tokens.runtime, tokens.webhookSecrets, tokens.clock],
    )
    .inSingletonScope();
  bind(tokens.webhookAddress)
    .toResolvedValue(
      ({ settings }) =>
        ({ service, hasSecret, secretVariable }) =>
          webhookAddress(service, {
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
    tokens.webhookRegistrations,
    tokens.providerWebhooks,
    tokens.leases,
    tokens.clock,
    tokens.random,
    tokens.logger,
  ] as const;
  bind(tokens.reconcileRegistrations)
    .toResolvedValue(
      (registrations, providers, leases, clock, random, logger, connections, inbox, addressOf, automation) =>
        new ReconcileRegistrations({
          registrations,
          providers,
          leases,
          clock,
          random,
          logger,
          connections,
          inbox,
          addressOf,
          automation,
        }),
      [...shared, tokens.connections, tokens.inbox, tokens.webhookAddress, tokens.automationUser],
    )
    .inSingletonScope();
  bind(tokens.forgetRegistrations)
    .toResolvedValue(
      (registrations, providers, leases, clock, random, logger) =>
        new ForgetRegistrations({
          registrations,
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
  bind(tokens.viewRegistrations)
    .toResolvedValue(
      (registrations, providers, inbox, clock, addressOf, { baseUrl, settings }) =>
        new ViewRegistrations({
          registrations,
          providers,
          inbox,
          clock,
          addressOf,
          baseUrl,
          secretVariableOf: secretVariables(settings),
        }),
      [
        tokens.webhookRegistrations,
        tokens.providerWebhooks,
        tokens.inbox,
        tokens.clock,
        tokens.webhookAddress,
        tokens.runtime,
      ],
    )
    .inSingletonScope();
}

/** Returns the setting that holds the secret of a service's deliveries; '' for a service that sends none. */
function secretVariables({ services }: Settings): (service: ServiceKey) => string {
  const variables = new Map(services.map(({ service, webhooks }) => [service.key, webhooks?.secretVariable ?? '']));
  return (service) => variables.get(service) ?? '';
}
