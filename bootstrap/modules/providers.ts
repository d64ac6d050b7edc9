import type { GrantSources } from '#adapters/services/credentials/provider-grants.ts';
import type { Provider } from '#adapters/services/definitions/provider.ts';
import type { ConfiguredService } from '#adapters/services/definitions/service.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** Returns the services' providers for the gateway, with the configured dialects and URLs. */
export function providersFrom({ services }: Pick<Settings, 'services'>): readonly Provider[] {
  return services.map((service) => service.provider());
}

/** Returns the OAuth facts of the services that support OAuth, with the app that this server has there at that time. */
export function grantSources({ live }: Pick<Settings, 'live'>): GrantSources {
  const all = () =>
    live.current.flatMap(({ service: { key }, grants }) => (grants === null ? [] : [[key, grants] as const]));
  return { get: (key) => new Map(all()).get(key), entries: () => new Map(all()).entries() };
}

/** Returns, for each service whose answers contain the record's web address, the function that extracts it. */
export function answeredAddresses(
  services: readonly ConfiguredService[],
): ReadonlyMap<ServiceKey, (data: unknown) => string | null> {
  return new Map(
    services.flatMap(({ service, all }) => {
      const found = all.flatMap(({ answeredAddress }) => answeredAddress ?? []);
      const addressIn = (data: unknown) =>
        found.map((answeredAddress) => answeredAddress(data)).find((address) => address !== null) ?? null;
      return found.length === 0 ? [] : [[service.key, addressIn] as const];
    }),
  );
}
