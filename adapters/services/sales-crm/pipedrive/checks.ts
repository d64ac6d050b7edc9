import { z } from 'zod';
import { type LiveCheck, limitHeaders } from '#adapters/services/credentials/live-check.ts';

const list = z.object({ data: z.array(z.looseObject({})) });

/** What Pipedrive's documents leave open. */
export const pipedriveChecks: readonly LiveCheck[] = [
  {
    question: 'Does it accept a personal token as the query parameter api_token?',
    ask: async (ask, { authMethod }) => {
      if (authMethod === 'oauth') return 'not asked: this connection is by OAuth';
      const { status } = await ask({ path: '/v1/users/me', tokenIn: 'api_token' });
      return `${status === 200 ? 'yes' : 'no'} (it answered ${status})`;
    },
  },
  limitHeaders({ path: '/v1/users/me' }),
  {
    question: 'Do activities have custom fields?',
    ask: async (ask) => {
      const { status, body } = await ask({ path: '/api/v2/activities?limit=1' });
      const [activity] = list.safeParse(body).data?.data ?? [];
      if (activity === undefined) return `unknown: there is no activity (it answered ${status})`;
      return 'custom_fields' in activity ? 'yes' : 'no';
    },
  },
];
