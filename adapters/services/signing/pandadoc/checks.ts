import { z } from 'zod';
import { type LiveCheck, limitHeaders } from '#adapters/services/credentials/live-check.ts';

const list = z.object({ items: z.array(z.looseObject({})) });

/** What PandaDoc's documents leave open. */
export const pandadocChecks: readonly LiveCheck[] = [
  limitHeaders({ path: '/public/v1/documents?count=1' }),
  {
    question: 'Do webhook subscriptions show their shared key?',
    ask: async (ask) => {
      const { status, body } = await ask({ path: '/public/v1/webhook-subscriptions' });
      const [subscription] = list.safeParse(body).data?.items ?? [];
      if (subscription === undefined) return `unknown: there is no subscription (it answered ${status})`;
      return typeof subscription['shared_key'] === 'string' ? 'yes' : 'no';
    },
  },
];
