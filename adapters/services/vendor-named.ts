import type { Provider } from '#adapters/services/provider.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import { nameWith } from '#domain/services/service-names.ts';

/** How the fixed sentences in the provider folders begin, which do not know whose dialect is spoken. */
const beginnings = {
  sales_crm: 'The sales CRM ',
  signing: 'The signing service ',
  suite_crm: 'The suite CRM ',
  tracker: 'The tracker ',
  vault: 'The vault ',
} as const;

/** The failure with the service called as everywhere on this server: 'The Sales CRM (Pipedrive) refused. …'. */
export function vendorNamed(failure: Failure, { service, vendor }: Pick<Provider, 'service' | 'vendor'>): Failure {
  const beginning = beginnings[service];
  if (vendor === null || !failure.message.startsWith(beginning)) return failure;
  return { ...failure, message: `The ${nameWith(service, vendor)} ${failure.message.slice(beginning.length)}` };
}
