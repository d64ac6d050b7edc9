import type { Dialect } from '#adapters/services/dialect.ts';
import { readSuccess } from '#adapters/services/tracker/answers.ts';
import { answerOf, failureOf, isRefused } from '#adapters/services/tracker/errors.ts';
import { budgets, limitIn, readBudgets } from '#adapters/services/tracker/limits.ts';
import { withoutEnd } from '#domain/text/without-end.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** The dialects of the tracker. */
export type TrackerDialect = 'neutral' | 'linear';

const linearUrl = 'https://api.linear.app';

/**
 * The tracker in one dialect. `url` is the base address below which `/graphql` is (a trailing `/graphql` is removed).
 * Null means no address in the neutral dialect, and the vendor's own in its dialect.
 */
export function trackerDialect(name: TrackerDialect, url: string | null): Dialect {
  const configured = url === null ? null : withoutEnd(url, '/').replace(/\/graphql$/, '');
  const base = configured ?? (name === 'linear' ? linearUrl : null);
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
