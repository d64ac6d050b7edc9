import { nameOf, type Provider } from '#adapters/services/provider.ts';
import type { Failure } from '#domain/operations/outcome.ts';

/** The failure with the service called as everywhere on this server: 'The Sales CRM (Pipedrive) refused. …'. */
export function vendorNamed(failure: Failure, provider: Pick<Provider, 'title' | 'noun' | 'vendor'>): Failure {
  // Fixed sentences in a service's folder do not know whose dialect is spoken.
  const beginning = `The ${provider.noun} `;
  if (provider.vendor === null || !failure.message.startsWith(beginning)) return failure;
  return { ...failure, message: `The ${nameOf(provider)} ${failure.message.slice(beginning.length)}` };
}
