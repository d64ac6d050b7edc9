import { z } from 'zod';
import { type LiveCheck, limitHeaders } from '#adapters/services/credentials/live-check.ts';

const lists = z.object({ results: z.array(z.looseObject({ associations: z.looseObject({}).optional() })) });

/** What HubSpot's documents leave open. */
export const hubspotChecks: readonly LiveCheck[] = [
  limitHeaders({ path: '/crm/owners/2026-03?limit=1' }),
  {
    question: 'Under which names does a list of deals have their associations?',
    ask: async (ask) => {
      const path = '/crm/objects/2026-03/0-3?limit=100&associations=contacts,companies';
      const { status, body } = await ask({ path });
      const names = (lists.safeParse(body).data?.results ?? []).flatMap((one) => Object.keys(one.associations ?? {}));
      return names.length === 0 ? `unknown (it answered ${status})` : [...new Set(names)].join(', ');
    },
  },
];
