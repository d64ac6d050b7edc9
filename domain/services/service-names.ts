import type { ServiceKey } from '#domain/services/service-key.ts';

/** The services of one server, and their display names for people and models. */
export type ServiceNames = Readonly<{
  /** The keys of all services, in display order. */
  keys: readonly ServiceKey[];
  /** Returns a service's name: 'Sales CRM', or 'Sales CRM (Pipedrive)'; for an unknown service, its key. */
  of(service: ServiceKey): string;
}>;

/** Creates the display names from pairs of key and name. */
export function serviceNames(named: readonly (readonly [ServiceKey, string])[]): ServiceNames {
  const names = new Map(named);
  return { keys: [...names.keys()], of: (service) => names.get(service) ?? service };
}
