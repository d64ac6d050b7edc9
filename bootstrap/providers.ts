import type { Provider } from '#adapters/services/provider.ts';
import type { GrantSource } from '#adapters/services/provider-grants.ts';
import type { Settings } from '#bootstrap/settings.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** The services as the gateway calls them, in the dialects and at the addresses that are set. */
export function providersFrom({ services }: Pick<Settings, 'services'>): readonly Provider[] {
  return services.map((service) => service.provider());
}

/** The OAuth facts of the services that have OAuth, with the app under which each knows this server. */
export function grantSources({ services }: Pick<Settings, 'services'>): ReadonlyMap<ServiceKey, GrantSource> {
  return new Map(services.flatMap(({ service, grants }) => (grants === null ? [] : [[service.key, grants] as const])));
}
