import type { ServiceKey } from '#domain/services/service-key.ts';

/** The display names of the services on this server, for people and models: 'Sales CRM', or 'Sales CRM (Pipedrive)'. */
export type ServiceNames = Readonly<Record<ServiceKey, string>>;

/** The names of the services without a vendor. */
export const neutralNames: ServiceNames = {
  sales_crm: 'Sales CRM',
  signing: 'Signing service',
  suite_crm: 'Suite CRM',
  tracker: 'Tracker',
  vault: 'Vault',
};

/** Adds the vendor to a service's name; `vendor` is null for the neutral dialect. */
export function nameWith(service: ServiceKey, vendor: string | null): string {
  return vendor === null ? neutralNames[service] : `${neutralNames[service]} (${vendor})`;
}
