import type { ServiceKey } from '#domain/services/service-key.ts';

/** The services of one server, and their display names for people and models. */
export type ServiceNames = Readonly<{
  /** The keys of all services, in the order in which people see them. */
  keys: readonly ServiceKey[];
  /**
   * Returns a service's name: 'Sales CRM', or 'Sales CRM (Pipedrive)'; the key of a service that this server does not
   * have.
   */
  of(service: ServiceKey): string;
}>;

/** Creates the display names from pairs of key and name. */
export function serviceNames(named: readonly (readonly [ServiceKey, string])[]): ServiceNames {
  const names = new Map(named);
  return { keys: [...names.keys()], of: (service) => names.get(service) ?? service };
}
