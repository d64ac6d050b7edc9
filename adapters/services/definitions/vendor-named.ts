import { nameOf, type Provider } from '#adapters/services/definitions/provider.ts';
import type { Failure } from '#domain/operations/outcome.ts';

/**
 * Replaces the service's noun at the start of a failure's message by its display name: 'The Sales CRM (Pipedrive)
 * refused. …'.
 */
export function vendorNamed(failure: Failure, provider: Pick<Provider, 'title' | 'noun' | 'vendor'>): Failure {
  // Fixed sentences in a service's folder are independent of the dialect.
  const beginning = `The ${provider.noun} `;
  if (provider.vendor === null || !failure.message.startsWith(beginning)) return failure;
  return { ...failure, message: `The ${nameOf(provider)} ${failure.message.slice(beginning.length)}` };
}
