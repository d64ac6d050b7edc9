import type { Settings } from '#bootstrap/settings.ts';
import type { WebhookServiceKey } from '#domain/services/service-key.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { keyedDigest } from '#infrastructure/crypto/keyed-digest.ts';

/** The webhook secrets by service, the current one first, and their ids in the same order. */
export type WebhookSecrets = Readonly<{
  values: Readonly<Record<WebhookServiceKey, readonly string[]>>;
  /** Eight characters each, from which no secret can be told. */
  ids: Readonly<Record<WebhookServiceKey, readonly string[]>>;
}>;

/** The secrets of the settings. The sales CRM's is the client secret when none is set, save where it signs nothing. */
export function webhookSecrets(settings: Settings, secret: string): WebhookSecrets {
  const clientSecret = settings.SALES_CRM_CLIENT_SECRET;
  const fallback = settings.SALES_CRM_DIALECT === 'neutral' && clientSecret !== undefined ? [clientSecret] : [];
  const values = {
    sales_crm: settings.SALES_CRM_WEBHOOK_SECRET ?? fallback,
    signing: settings.SIGNING_WEBHOOK_KEY ?? [],
    suite_crm: settings.SUITE_CRM_WEBHOOK_TOKEN ?? [],
    tracker: settings.TRACKER_WEBHOOK_SECRET ?? [],
  };
  const key = deriveKey(secret, 'webhook secret ids');
  const idsOf = (service: WebhookServiceKey) =>
    values[service].map((value) => keyedDigest(key, [service, value]).slice(0, 8));
  const ids = {
    sales_crm: idsOf('sales_crm'),
    signing: idsOf('signing'),
    suite_crm: idsOf('suite_crm'),
    tracker: idsOf('tracker'),
  };
  return { values, ids };
}
