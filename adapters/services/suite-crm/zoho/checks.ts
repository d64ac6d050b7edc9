import { z } from 'zod';
import { type LiveCheck, limitHeaders } from '#adapters/services/credentials/live-check.ts';

const info = z.object({ info: z.object({ page: z.number().optional(), next_page_token: z.string().nullish() }) });

/** What Zoho's documents leave open. */
export const zohoChecks: readonly LiveCheck[] = [
  limitHeaders({ path: '/crm/v8/users?per_page=1' }),
  {
    question: 'Which info.page does the answer to a page_token state?',
    ask: async (ask) => {
      const list = '/crm/v8/Contacts?fields=id&per_page=1';
      const first = await ask({ path: list });
      const token = info.safeParse(first.body).data?.info.next_page_token;
      if (typeof token !== 'string')
        return `unknown: there is no second page of contacts (it answered ${first.status})`;
      const { status, body } = await ask({ path: `${list}&page_token=${encodeURIComponent(token)}` });
      return `${info.safeParse(body).data?.info.page ?? 'none'} (it answered ${status})`;
    },
  },
];
