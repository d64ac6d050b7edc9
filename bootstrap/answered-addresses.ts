import type { ConfiguredService } from '#adapters/services/service.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** The services whose answers say where people see their record, and how it is found in an answer. */
export function answeredAddresses(
  services: readonly ConfiguredService[],
): ReadonlyMap<ServiceKey, (data: unknown) => string | null> {
  return new Map(
    services.flatMap(({ service, answeredAddress }) =>
      answeredAddress === undefined ? [] : [[service.key, answeredAddress] as const],
    ),
  );
}
