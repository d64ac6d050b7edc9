import type { ServiceKey } from '#domain/services/service-key.ts';

/** How the services are called on this server, in text that people and models read: 'Sales CRM', or 'Sales CRM (Pipedrive)'. */
export type ServiceNames = Readonly<Record<ServiceKey, string>>;

/** The names of the services by their kind alone, where no vendor is known. */
export const neutralNames: ServiceNames = {
  sales_crm: 'Sales CRM',
  signing: 'Signing service',
  suite_crm: 'Suite CRM',
  tracker: 'Tracker',
  vault: 'Vault',
};

/** The name of a service with its vendor; `vendor` is null where the neutral dialect is spoken. */
export function nameWith(service: ServiceKey, vendor: string | null): string {
  return vendor === null ? neutralNames[service] : `${neutralNames[service]} (${vendor})`;
}
