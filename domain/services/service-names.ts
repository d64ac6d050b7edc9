import type { ServiceKey } from '#domain/services/service-key.ts';

/** What services are called on this server, in text that people and models read. */
export type ServiceNames = Readonly<{
  /** A service's name: 'Sales CRM', or 'Sales CRM (Pipedrive)'. One that this server does not have is called by its key. */
  of(service: ServiceKey): string;
}>;

/** The services by these names. */
export function serviceNames(named: readonly (readonly [ServiceKey, string])[]): ServiceNames {
  const names = new Map(named);
  return { of: (service) => names.get(service) ?? service };
}
