import { z } from 'zod';
import { type LiveCheck, limitHeaders } from '#adapters/services/credentials/live-check.ts';

const found = z.object({ issues: z.array(z.unknown()) });

/** Asks whether Jira understands a query. */
const understands = (question: string, jql: string): LiveCheck => ({
  question,
  ask: async (ask) => {
    const path = `/rest/api/3/search/jql?maxResults=1&fields=id&jql=${encodeURIComponent(jql)}`;
    const { status, body } = await ask({ path });
    return `${found.safeParse(body).success ? 'yes' : 'no'} (it answered ${status})`;
  },
});

/** What the documents of Jira leave open. */
export const jiraChecks: readonly LiveCheck[] = [
  limitHeaders({ path: '/rest/api/3/myself' }),
  understands('Are times in milliseconds understood in JQL?', 'created >= 0 AND created >= 946684800000'),
  understands(
    'Is `project IS NOT EMPTY` restriction enough for a query?',
    'project IS NOT EMPTY ORDER BY created DESC',
  ),
];
