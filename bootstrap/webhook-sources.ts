import { salesCrmWebhookSource } from '#adapters/services/sales-crm/webhook-source.ts';
import { signingWebhookSource } from '#adapters/services/signing/webhook-source.ts';
import { suiteCrmWebhookSource } from '#adapters/services/suite-crm/webhook-source.ts';
import { trackerWebhookSource } from '#adapters/services/tracker/webhook-source.ts';
import type { WebhookSource } from '#application/ports/webhook-source.ts';
import type { Settings } from '#bootstrap/settings.ts';
import type { WebhookSecrets } from '#bootstrap/webhook-secrets.ts';

/** The receivers of the four services, in the dialects that are set. */
export function webhookSources(settings: Settings, secrets: WebhookSecrets['values']): readonly WebhookSource[] {
  return [
    salesCrmWebhookSource({
      secrets: secrets.sales_crm,
      dialect: settings.SALES_CRM_DIALECT === 'pipedrive' ? 'pipedrive' : 'neutral',
    }),
    signingWebhookSource({
      secrets: secrets.signing,
      dialect: settings.SIGNING_DIALECT === 'pandadoc' ? 'pandadoc' : 'neutral',
    }),
    suiteCrmWebhookSource({ secrets: secrets.suite_crm, addresses: settings.SUITE_CRM_WEBHOOK_ADDRESSES }),
    trackerWebhookSource({
      secrets: secrets.tracker,
      dialect: settings.TRACKER_DIALECT === 'linear' ? 'linear' : 'neutral',
    }),
  ];
}
