import type { ConfiguredService } from '#adapters/services/service.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** Returns, for each service whose answers contain the record's web address, the function that extracts it. */
export function answeredAddresses(
  services: readonly ConfiguredService[],
): ReadonlyMap<ServiceKey, (data: unknown) => string | null> {
  return new Map(
    services.flatMap(({ service, answeredAddress }) =>
      answeredAddress === undefined ? [] : [[service.key, answeredAddress] as const],
    ),
  );
}
