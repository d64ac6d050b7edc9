import type { Clock } from '#application/ports/clock.ts';
import type { OperationCaller } from '#application/ports/operation-caller.ts';
import type { ReactionLog, RecordedCall, TouchedRecord } from '#application/ports/reaction-log.ts';
import { type Failure, type FailureReason, failed, type Outcome } from '#domain/operations/outcome.ts';
import type { CallStep } from '#domain/reactions/step.ts';
import { ok, type Result } from '#domain/shared/result.ts';

/** The dependencies of the use case. `userId` is the user whose connections are used. */
export type ApplyCallStepDependencies = Readonly<{
  log: Pick<ReactionLog, 'approvals' | 'begin' | 'wait' | 'end'>;
  caller: OperationCaller;
  userId: number;
  clock: Clock;
}>;

/** How long a call that was begun may still be in flight in another process, in ms. */
const maxUnderWayMs = 60_000;

/** Failures after which the service certainly did nothing. */
const certain: readonly FailureReason[] = [
  'invalid_input',
  'not_connected',
  'forbidden',
  'unauthorized',
  'not_found',
  'gone',
  'conflict',
  'rate_limited',
  'rejected',
];

/** Those among them that an administrator has to look into. */
const permanent: readonly FailureReason[] = ['invalid_input', 'forbidden', 'not_found', 'gone', 'conflict', 'rejected'];

/** Matches connection errors before anything was sent, and answers that say that nothing was done. */
const unsent = /\b(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|answered 503)\b/;

/** The result of a call: a line for people; `isFault` when a retry would not help. */
export type CallEffect = Readonly<{ line: string; isFault: boolean }>;

/**
 * Makes the call of a reaction, once per key and only if an administrator has allowed the reaction's digest. The call
 * is recorded before it is sent and completed after.
 */
export class ApplyCallStep {
  readonly #dependencies: ApplyCallStepDependencies;

  constructor(dependencies: ApplyCallStepDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Makes the call and returns its result. A failure is temporary, or `rejected` when an administrator has to decide.
   */
  async run(step: CallStep): Promise<Result<CallEffect, Failure>> {
    const { log, clock } = this.#dependencies;
    const { key, by: reaction, seq, depth, digest } = step;
    const operation = `${step.service}.${step.name}`;
    const call = { key, reaction, operation, seq, depth, at: clock.now() };
    const isAllowed = (await log.approvals()).some((approval) => approval.digest === digest);
    if (!isAllowed) {
      await log.wait(call);
      return done(`${operation} waits until an administrator allows this text of ${reaction}`);
    }
    const before = await log.begin(call);
    if (before !== null) return this.#again(before);
    const outcome = await this.#send(step);
    if (outcome.ok) {
      const record = touchedBy(step, outcome.data);
      const line = `${operation}${record === null ? '' : ` → ${record.id}`}`;
      await log.end(key, { state: 'done', outcome: line, record, at: clock.now() });
      return done(line);
    }
    return this.#failed(step, outcome);
  }

  #send({ service, name, input }: CallStep): Promise<Outcome> {
    return this.#dependencies.caller.call({ userId: this.#dependencies.userId, service, name, input });
  }

  async #failed({ key, service, name, by }: CallStep, failure: Failure): Promise<Result<CallEffect, Failure>> {
    const { log, clock } = this.#dependencies;
    const { reason, message } = failure;
    if (certain.includes(reason) || unsent.test(message)) {
      await log.end(key, { state: 'free' });
      if (permanent.includes(reason)) return ok({ line: `${service}.${name} was refused: ${message}`, isFault: true });
      return { ok: false, failure };
    }
    await log.end(key, { state: 'unknown', outcome: message, at: clock.now() });
    return { ok: false, failure: undecided(by, `${service}.${name}`, message) };
  }

  /** Returns the result of a call that was begun before, which is not made again. */
  async #again(before: RecordedCall): Promise<Result<CallEffect, Failure>> {
    const { log, clock } = this.#dependencies;
    const { key, state, outcome, at, reaction, operation } = before;
    if (state === 'done') return done(outcome ?? operation);
    if (state === 'begun') {
      const age = clock.now() - at;
      if (age < maxUnderWayMs) {
        const retryAfterMs = maxUnderWayMs - age;
        return {
          ok: false,
          failure: failed('unavailable', `${operation} was begun and has not ended yet.`, { retryAfterMs }),
        };
      }
      await log.end(key, { state: 'unknown', outcome: 'the server stopped before its answer', at: clock.now() });
    }
    return { ok: false, failure: undecided(reaction, operation, outcome ?? 'the server stopped before its answer') };
  }
}

const done = (line: string): Result<CallEffect, Failure> => ok({ line, isFault: false });

function undecided(reaction: string, operation: string, why: string): Failure {
  return failed(
    'rejected',
    `Nobody can tell whether ${operation} of ${reaction} had its effect (${why.slice(0, 200)}). Look at the service, then decide on /reactions.`,
  );
}

/** Returns the record that a call created or changed: by the id in its answer, else in its input. */
function touchedBy({ service, input }: CallStep, data: unknown): TouchedRecord | null {
  const id = idIn(data) ?? idIn(input);
  return id === null ? null : { service, id };
}

function idIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'string' || typeof value.id === 'number' ? String(value.id) : null;
}
