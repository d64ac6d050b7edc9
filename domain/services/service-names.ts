import type { ServiceKey } from '#domain/services/service-key.ts';

/** The display names of the services on this server, for people and models. */
export type ServiceNames = Readonly<{
  /**
   * Returns a service's name: 'Sales CRM', or 'Sales CRM (Pipedrive)'; the key of a service that this server does not
   * have.
   */
  of(service: ServiceKey): string;
}>;

/** Creates the display names from pairs of key and name. */
export function serviceNames(named: readonly (readonly [ServiceKey, string])[]): ServiceNames {
  const names = new Map(named);
  return { of: (service) => names.get(service) ?? service };
}
