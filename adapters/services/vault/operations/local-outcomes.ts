import { malformedQuery, refusalText } from '#adapters/services/vault/errors.ts';
import { problemOf, type VaultFailure, type VaultProblem } from '#application/vault/problems.ts';
import { type Failure, failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import type { Result } from '#domain/shared/result.ts';

/** The outcome of what answers nothing. */
export const emptied = (result: Result<unknown, VaultFailure>): Outcome =>
  result.ok ? succeeded(null) : refusedFor(result.failure);

/** The outcome of a result. */
export const outcomeOf = (result: Result<unknown, VaultFailure>): Outcome =>
  result.ok ? succeeded(result.value) : refusedFor(result.failure);

/** The failure of a refused call, as over the REST interface. */
export function refusedFor(failure: VaultFailure): Failure {
  const outcome = refused(problemOf(failure));
  return failure.reason === 'query_unreadable' ? { ...outcome, message: malformedQuery } : outcome;
}

/** Error codes that leave it open whether something was done: a failed disk or program. */
const doubtful: readonly number[] = [50000, 50700];

/** The failure of a problem, as over the REST interface. */
export function refused({ errorCode, reason, message, retryAfterS }: VaultProblem): Failure {
  return failed(reason, refusalText(message), {
    details: { errorCode },
    sent: doubtful.includes(errorCode) ? 'unknown' : 'yes',
    ...(retryAfterS === undefined ? {} : { retryAfterMs: retryAfterS * 1_000 }),
  });
}
