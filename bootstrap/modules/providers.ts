import type { Provider } from '#adapters/services/provider.ts';
import type { GrantSource } from '#adapters/services/provider-grants.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** Returns the services' providers for the gateway, with the configured dialects and URLs. */
export function providersFrom({ services }: Pick<Settings, 'services'>): readonly Provider[] {
  return services.map((service) => service.provider());
}

/** Returns the OAuth facts of the services that support OAuth, with the app registered for this server. */
export function grantSources({ services }: Pick<Settings, 'services'>): ReadonlyMap<ServiceKey, GrantSource> {
  return new Map(services.flatMap(({ service, grants }) => (grants === null ? [] : [[service.key, grants] as const])));
}
