import type { ServiceKey } from '#domain/services/service-key.ts';

/** How a service presents itself: its icon, and a sentence to try with an assistant; undefined for none. */
export type ServicePresence = Readonly<{ icon?: string | undefined; example?: string | undefined }>;

/** The services of one server, and their display names for people and models. */
export type ServiceNames = Readonly<{
  /** The keys of all services, in display order. */
  keys: readonly ServiceKey[];
  /** Returns a service's name: 'Sales CRM', or 'Sales CRM (Pipedrive)'; for an unknown service, its key. */
  of(service: ServiceKey): string;
  /** Returns how a service presents itself; nothing for an unknown one. */
  presenceOf(service: ServiceKey): ServicePresence;
}>;

/** Creates the display names from keys, names and, where there is one, how a service presents itself. */
export function serviceNames(
  named: readonly (readonly [key: ServiceKey, name: string, presence?: ServicePresence | undefined])[],
): ServiceNames {
  const names = new Map(named.map(([key, name, presence = {}]) => [key, { name, presence }]));
  return {
    keys: [...names.keys()],
    of: (service) => names.get(service)?.name ?? service,
    presenceOf: (service) => names.get(service)?.presence ?? {},
  };
}
