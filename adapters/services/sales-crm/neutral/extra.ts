import { z } from 'zod';
import { counted } from '#adapters/services/requests/counted.ts';
import { planNames } from '#adapters/services/sales-crm/neutral/limits.ts';
import { hostLabel } from '#adapters/services/sales-crm/pipedrive/company-domain.ts';

/** What a connection stores in `extra`; plan and seats raise the enforced rate limits. */
export const salesCrmExtra = z.object({
  company_domain: z.string().regex(hostLabel, { error: 'must be the name before the first dot: acme' }).optional(),
  plan: z.enum(planNames, { error: `must be one of ${planNames.join(', ')}` }).optional(),
  seats: counted.optional(),
});
