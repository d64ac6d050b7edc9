import type { ServiceKey } from '#domain/services/service-key.ts';

/** How a delivery was sent to a service's receiver, for tests that do not pass it over HTTP. */
export function sentTo(service: ServiceKey) {
  return { service, method: 'POST', url: `https://portolan.example/webhooks/${service}` };
}
