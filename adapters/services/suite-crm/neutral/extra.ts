import { z } from 'zod';
import { counted } from '#adapters/services/requests/counted.ts';
import { dataCenterNames, dataCenterOfApi } from '#adapters/services/suite-crm/zoho/data-centers.ts';

/**
 * The schema of what users may set in a connection's `extra`. Its address must be one of the provider's own, or the
 * configured one.
 */
export function extraOf(url: string | null) {
  const originOf = (address: string) => (URL.canParse(address) ? new URL(address).origin : null);
  const isOurs = (address: string) =>
    (originOf(address)?.startsWith('https:') === true && dataCenterOfApi(address) !== null) ||
    (url !== null && originOf(address) !== null && originOf(address) === originOf(url));
  return z.strictObject({
    api_domain: z.url().refine(isOurs, { error: "must be an address of the provider's own" }).optional(),
    data_center: z.enum(dataCenterNames).optional(),
    plan: z.enum(['free', 'standard', 'professional', 'enterprise', 'ultimate']).optional(),
    users: counted.optional(),
  });
}
