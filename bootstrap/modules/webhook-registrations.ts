import { setTimeout as delay } from 'node:timers/promises';
import { ContainerModule, type ContainerModuleLoadOptions, type ResolutionContext } from 'inversify';
import type { ConfiguredService } from '#adapters/services/definitions/service.ts';
import { liveWebhooks } from '#adapters/services/webhooks/live-webhooks.ts';
import { VendorUsers } from '#application/connections/vendor-users.ts';
import { RunOperation } from '#application/operations/run-operation.ts';
import { AutomationUser } from '#application/users/automation-user.ts';
import { ForgetRegistrations } from '#application/webhook-registrations/forget-registrations.ts';
import { ReconcileRegistrations } from '#application/webhook-registrations/reconcile-registrations.ts';
import { ViewRegistrations } from '#application/webhook-registrations/view-registrations.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { receiverOf } from '#bootstrap/modules/webhook-secrets.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { webhookAddress } from '#domain/webhook-registrations/desired-webhooks.ts';

type Bind = ContainerModuleLoadOptions['bind'];

/** Binds webhook registration: the desired webhooks, the registrations, and the use cases that reconcile them. */
export const registrations = new ContainerModule(({ bind }) => {
  bindWebhooks(bind);
  bindUseCases(bind);
});

function bindWebhooks(bind: Bind): void {
  bind(tokens.vendorWebhooks).toDynamicValue((on) => {
    const { live } = on.get(tokens.runtime).settings;
    const made = vendorWebhooks(on);
    let of = live.current;
    let webhooks = made(of);
    const current = () => {
      if (of !== live.current) [of, webhooks] = [live.current, made(live.current)];
      return webhooks;
    };
    return webhooks.map(({ vendor, webhooks: first }, at) => ({
      vendor,
      webhooks: liveWebhooks(() => current()[at]?.webhooks ?? first),
    }));
  });
  bind(tokens.providerWebhooks).toDynamicValue((on) => on.get(tokens.vendorWebhooks).map(({ webhooks }) => webhooks));
  bind(tokens.isWebhookUsed).toDynamicValue((on) => {
    const vendors = new Map(on.get(tokens.vendorWebhooks).map(({ vendor, webhooks }) => [webhooks, vendor]));
    const users = on.get(VendorUsers);
    return async (webhooks, userId) => {
      const vendor = vendors.get(webhooks) ?? null;
      return vendor === null || users.isAt(userId, webhooks.service, vendor);
    };
  });
  bind(tokens.webhookAddress).toDynamicValue((on) => {
    const { settings } = on.get(tokens.runtime);
    return ({ service, hasSecret, secretVariable }) =>
      webhookAddress(service, {
        isOn: settings.WEBHOOK_REGISTRATION,
        baseUrl: settings.BASE_URL ?? null,
        hasSecret,
        secretVariable,
      });
  });
}

/** Returns the webhooks of all vendors that have them registered, for services as configured. */
function vendorWebhooks(on: ResolutionContext) {
  const caller = on.get(RunOperation);
  const secrets = on.get(tokens.webhookSecrets);
  const clock = on.get(tokens.clock);
  const keys = on.get(tokens.webhookKeys);
  const { BASE_URL: baseUrl } = on.get(tokens.runtime).settings;
  return (services: readonly ConfiguredService[]) =>
    services.flatMap(({ service, all }) => {
      const url = baseUrl === undefined ? null : `${baseUrl}/webhooks/${service.key}`;
      const secretIds = [...(secrets.ids[service.key] ?? [])];
      return all.flatMap(({ settings, webhooks }) => {
        const [secretId = null] = secretIds.splice(0, webhooks?.secrets.length ?? 0);
        const keepSecret = (secret: string) => keys.keep(receiverOf(service.key, settings.dialect), secret);
        const made = webhooks?.registration?.({ caller, secretId, now: () => clock.now(), url, keepSecret });
        return made === undefined ? [] : [{ vendor: all.length > 1 ? settings.dialect : null, webhooks: made }];
      });
    });
}

function bindUseCases(bind: Bind): void {
  bind(ReconcileRegistrations).toDynamicValue(
    (on) =>
      new ReconcileRegistrations({
        registrations: on.get(tokens.webhookRegistrations),
        providers: on.get(tokens.providerWebhooks),
        isUsed: on.get(tokens.isWebhookUsed),
        leases: on.get(tokens.leases),
        clock: on.get(tokens.clock),
        random: on.get(tokens.random),
        logger: on.get(tokens.logger),
        connections: on.get(tokens.connections),
        inbox: on.get(tokens.inbox),
        addressOf: on.get(tokens.webhookAddress),
        automation: on.get(AutomationUser),
      }),
  );
  bind(ForgetRegistrations).toDynamicValue(
    (on) =>
      new ForgetRegistrations({
        registrations: on.get(tokens.webhookRegistrations),
        providers: on.get(tokens.providerWebhooks),
        isUsed: on.get(tokens.isWebhookUsed),
        leases: on.get(tokens.leases),
        clock: on.get(tokens.clock),
        random: on.get(tokens.random),
        logger: on.get(tokens.logger),
        pause: (ms) => delay(ms),
      }),
  );
  bind(ViewRegistrations).toDynamicValue((on) => {
    const { baseUrl, settings } = on.get(tokens.runtime);
    return new ViewRegistrations({
      registrations: on.get(tokens.webhookRegistrations),
      providers: on.get(tokens.providerWebhooks),
      isUsed: on.get(tokens.isWebhookUsed),
      inbox: on.get(tokens.inbox),
      clock: on.get(tokens.clock),
      addressOf: on.get(tokens.webhookAddress),
      baseUrl,
      secretVariableOf: secretVariables(settings),
    });
  });
}

/** Returns the setting that holds the secret of a service's deliveries; '' for a service that sends none. */
function secretVariables({ services }: Settings): (service: ServiceKey) => string {
  const variables = new Map(services.map(({ service, webhooks }) => [service.key, webhooks?.secretVariable ?? '']));
  return (service) => variables.get(service) ?? '';
}
