import type { Dialect } from '#adapters/services/definitions/dialect.ts';
import { readSuccess } from '#adapters/services/tracker/neutral/answers.ts';
import { answerOf, failureOf, isRefused } from '#adapters/services/tracker/neutral/errors.ts';
import { budgets, limitIn, readBudgets } from '#adapters/services/tracker/neutral/limits.ts';
import { withoutEnd } from '#domain/text/without-end.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/**
 * The dialect of a tracker with the GraphQL interface. `url` is the base address below which `/graphql` is (a trailing
 * `/graphql` is removed), null for none.
 */
export function trackerDialect(name: string, url: string | null): Dialect {
  const base = url === null ? null : withoutEnd(url, '/').replace(/\/graphql$/, '');
  return {
    name,
    baseUrl: () => base,
    trust: () => true,
    credentials,
    headers: {},
    mediaTypes: {},
    readError: (answer, body) => failureOf(body, answer.status),
    limitIn,
    isFailure: (_, body) => {
      const answer = answerOf(body);
      return answer !== null && (answer.data === null ? answer.errors.length > 0 : isRefused(answer));
    },
    readSuccess,
    budgets,
    readBudgets,
  };
}

/** Sends a personal key bare, an OAuth token as Bearer (TRACK-001); a key as Bearer would be rejected. */
function credentials({ authMethod, accessToken }: TokenRecord) {
  return { headers: { authorization: authMethod === 'oauth' ? `Bearer ${accessToken}` : accessToken } };
}
