import type { RunOperationFor } from '#application/operations/run-operation.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { OperationInfo } from '#application/ports/operation-catalog.ts';
import type { AskedOfChange, OperationCall } from '#application/ports/service-gateway.ts';
import { orWhenAborted } from '#application/workspace/or-when-aborted.ts';
import { type Failure, failed, type Outcome, recordIdOf, type Success } from '#domain/operations/outcome.ts';
import type { User } from '#domain/users/user.ts';

/** The maximum number of calls of one bulk. */
export const maxBulkItems = 50;

/** After so many failures in a row with the same reason the rest is not tried. */
export const maxEqualFailures = 5;

/** The input of one call, and what it asks of its change besides. */
export type BulkItem = Readonly<{ input: unknown; asked: AskedOfChange }>;

/** The calls of one operation. */
export type Bulk = Readonly<{
  operation: Pick<OperationInfo, 'service' | 'name'>;
  items: readonly BulkItem[];
  signal: AbortSignal;
  onProgress?: OperationCall['onProgress'];
}>;

/** How a bulk ended: the calls by their place in the list, from 1. `stopped` says why calls were not tried. */
export type BulkOutcome = Readonly<{
  done: readonly Readonly<{ item: number; id: string | null; outcome: Success }>[];
  refused: readonly Readonly<{ item: number; failure: Failure }>[];
  notTried: readonly number[];
  stopped: string | null;
}>;

/** The dependencies of the use case: `deadlineMs` is for all calls together. */
type RunBulkDependencies = Readonly<{ run: RunOperationFor; clock: Clock; deadlineMs: number }>;

/** The share of the deadline after which no further call begins, so that the last one can end. */
const beginningShare = 0.8;

/** Runs one operation many times, in order, each call under the user's rights as if it came alone. */
export class RunBulk {
  readonly #dependencies: RunBulkDependencies;

  constructor(dependencies: RunBulkDependencies) {
    this.#dependencies = dependencies;
  }

  /** Runs the calls one after the other, until the deadline, or until several in a row fail alike. */
  async run(user: User, { operation, items, signal, onProgress }: Bulk): Promise<BulkOutcome> {
    const { run, clock, deadlineMs } = this.#dependencies;
    const { service, name } = operation;
    const begunAt = clock.now();
    const until = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
    const outcomes: Outcome[] = [];
    let stopped: string | null = null;
    for (const { input, asked } of items) {
      stopped = stoppedBy(outcomes, { isCancelled: signal.aborted, isLate: isLate(clock.now() - begunAt, deadlineMs) });
      if (stopped !== null || until.aborted) break;
      outcomes.push(await orWhenAborted(run(user, { service, name, input, asked, signal: until }), until, unknown));
      onProgress?.({ done: outcomes.length, total: items.length, message: `${outcomes.length} of ${items.length}` });
    }
    const places = items.map(({ input }, index) => ({ input, item: index + 1, outcome: outcomes[index] }));
    const notTried = places.flatMap(({ item, outcome }) => (outcome === undefined ? [item] : []));
    return {
      done: places.flatMap(({ input, item, outcome }) =>
        outcome?.ok === true ? [{ item, id: recordIdOf(input, outcome.data), outcome }] : [],
      ),
      refused: places.flatMap(({ item, outcome }) => (outcome?.ok === false ? [{ item, failure: outcome }] : [])),
      notTried,
      stopped: notTried.length === 0 ? null : (stopped ?? outOfTime),
    };
  }
}

/** The outcome of the call that was under way when the time ended. */
const unknown: Outcome = failed('unavailable', 'The time ended before the answer.', { sent: 'unknown' });

const outOfTime = 'The time for one call is over.';

const isLate = (passedMs: number, deadlineMs: number): boolean => passedMs > deadlineMs * beginningShare;

/** Why a call failed; null for one that is still to be confirmed. */
const reasonOf = (outcome: Outcome) => (outcome.ok || outcome.toConfirm !== undefined ? null : outcome.reason);

function stoppedBy(
  outcomes: readonly Outcome[],
  { isCancelled, isLate }: Readonly<{ isCancelled: boolean; isLate: boolean }>,
): string | null {
  if (isCancelled) return 'The call was cancelled.';
  const last = outcomes.slice(-maxEqualFailures).map(reasonOf);
  const [reason = null] = last;
  if (reason !== null && last.length === maxEqualFailures && last.every((one) => one === reason)) {
    return `${maxEqualFailures} calls in a row failed with ${reason}.`;
  }
  return isLate ? outOfTime : null;
}
