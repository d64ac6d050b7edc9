import { listServices } from '#domain/services/service-key.ts';
import { serviceNames } from '#domain/services/service-names.ts';

/** The five services by key and kind, listed without loading their folders: for tests of what stands above them. */
listServices([
  { key: 'sales_crm', sendsWebhooks: true },
  { key: 'signing', sendsWebhooks: true },
  { key: 'suite_crm', sendsWebhooks: true },
  { key: 'tracker', sendsWebhooks: true },
  { key: 'vault', sendsWebhooks: false },
]);

/** Their names where no vendor is known. */
export const neutralNames = serviceNames([
  ['sales_crm', 'Sales CRM'],
  ['signing', 'Signing service'],
  ['suite_crm', 'Suite CRM'],
  ['tracker', 'Tracker'],
  ['vault', 'Vault'],
]);
