import type { ConfiguredService } from '#adapters/services/definitions/service.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { keyedDigest } from '#infrastructure/crypto/keyed-digest.ts';

/** The webhook secrets of each service that sends webhooks, the current one first; `ids` are in the same order. */
export type WebhookSecrets = Readonly<{
  values: Readonly<Record<string, readonly string[]>>;
  /** Eight characters each, derived from the secret without revealing it. */
  ids: Readonly<Record<string, readonly string[]>>;
}>;

/**
 * Returns the webhook secrets as they are set when they are read, those of a service's vendors one after the other;
 * `secret` is this server's own, from which the ids are derived.
 */
export function webhookSecrets({ live }: Pick<Settings, 'live'>, secret: string): WebhookSecrets {
  const key = deriveKey(secret, 'webhook secret ids');
  let of = live.current;
  let secrets = secretsOf(of, key);
  const current = () => {
    if (of !== live.current) [of, secrets] = [live.current, secretsOf(live.current, key)];
    return secrets;
  };
  return {
    get values() {
      return current().values;
    },
    get ids() {
      return current().ids;
    },
  };
}

function secretsOf(services: readonly ConfiguredService[], key: Uint8Array): WebhookSecrets {
  const values = services.flatMap(({ service, all }) => {
    const sent = all.flatMap(({ webhooks }) => webhooks ?? []);
    return sent.length === 0 ? [] : [[service.key, sent.flatMap(({ secrets }) => secrets)] as const];
  });
  const ids = values.map(([service, secrets]) => {
    return [service, secrets.map((value) => keyedDigest(key, [service, value]).slice(0, 8))] as const;
  });
  return { values: Object.fromEntries(values), ids: Object.fromEntries(ids) };
}

/** Returns the webhooks that this version registers, by service and name. */
export function desiredOf({ services }: Pick<Settings, 'services'>) {
  return services.flatMap(({ service, all }) =>
    all.flatMap(({ webhooks }) => (webhooks?.desired ?? []).map(({ name }) => ({ service: service.key, name }))),
  );
}

/** The name under which the secrets that a vendor chose for its webhooks are stored. */
export function receiverOf(service: ServiceKey, vendor: string): string {
  return `${service}/${vendor}`;
}
