import type { Dialect } from '#adapters/services/dialect.ts';
import { readSuccess } from '#adapters/services/tracker/answers.ts';
import { answerOf, failureOf, isRefused } from '#adapters/services/tracker/errors.ts';
import { budgets, limitIn, readBudgets } from '#adapters/services/tracker/limits.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** The dialects of the tracker. */
export type TrackerDialect = 'neutral' | 'linear';

const linearUrl = 'https://api.linear.app';

/**
 * The tracker in one dialect. `url` is where `/graphql` is below (a trailing `/graphql` is taken off); null: the neutral
 * dialect has no address, the provider's own has the real one.
 */
export function trackerDialect(name: TrackerDialect, url: string | null): Dialect {
  const base = url?.replace(/\/+$/, '').replace(/\/graphql$/, '') ?? (name === 'linear' ? linearUrl : null);
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

/** A personal key goes bare, a token of an OAuth app as Bearer (TRACK-001); a key as Bearer is refused. */
function credentials({ authMethod, accessToken }: TokenRecord) {
  return { headers: { authorization: authMethod === 'oauth' ? `Bearer ${accessToken}` : accessToken } };
}
