import { serviceNames } from '#domain/services/service-names.ts';

/** The names of the five services where no vendor is known, without loading their folders: for tests of what stands above them. */
export const neutralNames = serviceNames([
  ['sales_crm', 'Sales CRM'],
  ['signing', 'Signing service'],
  ['suite_crm', 'Suite CRM'],
  ['tracker', 'Tracker'],
  ['vault', 'Vault'],
]);

/** The keys of the five services. */
export const serviceKeys = neutralNames.keys;

/** The services among them that send webhooks. */
export const webhookServiceKeys = serviceKeys.filter((key) => key !== 'vault');
