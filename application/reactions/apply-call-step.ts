import type { Clock } from '#application/ports/clock.ts';
import { type OperationCaller, UnsentError } from '#application/ports/operation-caller.ts';
import type {
  CallEnd,
  NewReactionCall,
  ReactionLog,
  RecordedCall,
  TouchedRecord,
} from '#application/ports/reaction-log.ts';
import type { WebhookInbox } from '#application/ports/webhook-inbox.ts';
import { type Failure, type FailureReason, failed, type Outcome } from '#domain/operations/outcome.ts';
import type { StepEffect, StepResult } from '#domain/reactions/run-result.ts';
import type { CallStep } from '#domain/reactions/step.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** The dependencies of the use case. `userId` is the user whose connections are used. */
export type ApplyCallStepDependencies = Readonly<{
  log: Pick<ReactionLog, 'approvals' | 'refusals' | 'begin' | 'wait' | 'end'>;
  inbox: Pick<WebhookInbox, 'replay'>;
  caller: OperationCaller;
  /** Whether an operation only reads: one without an answer is then repeated. */
  isReading: (operation: Pick<CallStep, 'service' | 'name'>) => boolean;
  userId: number;
  clock: Clock;
  pause: (ms: number) => Promise<void>;
}>;

/** How long a call that was begun may still be in flight in another process, in ms. */
const maxUnderWayMs = 60_000;

/** How soon a delivery whose call is in flight elsewhere is tried again, in ms. */
const lookAgainMs = 5_000;

/** The delays in ms after which a call's end is recorded again while the log fails. */
const recordRetryDelaysMs = [200, 1_000, 3_000, 10_000] as const;

/** Failures that pass by themselves, or once a user has connected the service again. */
const temporary: readonly FailureReason[] = ['unavailable', 'rate_limited', 'unauthorized', 'not_connected'];

/**
 * Makes the call of a reaction, once per key and only if an administrator has allowed the reaction's digest. The call
 * is recorded before it is sent and completed after. A call of which nothing was sent is made again; one whose outcome
 * is unknown waits for an administrator.
 */
export class ApplyCallStep {
  readonly #dependencies: ApplyCallStepDependencies;
  /** The calls of this process that have not been completed in the log: in flight (null), or ended while it failed. */
  readonly #open = new Map<string, CallEnd | null>();

  constructor(dependencies: ApplyCallStepDependencies) {
    this.#dependencies = dependencies;
  }

  /** Makes the call and returns its result. A failure is temporary: the call is to be tried again. */
  async run(step: CallStep): Promise<Result<StepEffect, Failure>> {
    const { log, clock } = this.#dependencies;
    const { key, by: reaction, seq, depth, digest } = step;
    const operation = `${step.service}.${step.name}`;
    const call = { key, reaction, operation, seq, depth, at: clock.now() };
    const isAllowed = (await log.approvals()).some((approval) => approval.digest === digest);
    if (!isAllowed) {
      const isRefused = (await log.refusals()).some((refusal) => refusal.digest === digest);
      if (isRefused)
        return effect('off', `${operation} is not made: an administrator refused this text of ${reaction}`);
      await log.wait(call);
      return effect('waits', `${operation} waits until an administrator allows this text of ${reaction}`);
    }
    const ended = this.#open.get(key);
    if (ended === null) return underWay(operation, lookAgainMs);
    if (ended !== undefined) await this.#end(call, ended);
    const before = await log.begin(call);
    return before === null ? this.#make(step, call) : this.#again(before);
  }

  async #make(step: CallStep, call: NewReactionCall): Promise<Result<StepEffect, Failure>> {
    this.#open.set(call.key, null);
    try {
      const outcome = await this.#send(step);
      const end = this.#endOf(step, outcome);
      await this.#end(call, end);
      return resultOf(call, outcome, end);
    } catch (error) {
      if (error instanceof UnsentError) await this.#end(call, { state: 'free' });
      throw error;
    } finally {
      if (this.#open.get(call.key) === null) this.#open.delete(call.key);
    }
  }

  #send({ service, name, input }: CallStep): Promise<Outcome> {
    return this.#dependencies.caller.call({ userId: this.#dependencies.userId, service, name, input });
  }

  /** Returns what is recorded of a call with this outcome. */
  #endOf(step: CallStep, outcome: Outcome): CallEnd {
    const at = this.#dependencies.clock.now();
    if (outcome.ok) {
      const record = touchedBy(step, outcome.data);
      const line = `${step.service}.${step.name}${record === null ? '' : ` → ${record.id}`}`;
      return { state: 'done', outcome: line, record, at };
    }
    const isUnknown = outcome.sent === 'unknown' && !this.#dependencies.isReading(step);
    return isUnknown ? { state: 'unknown', outcome: outcome.message, at } : { state: 'free' };
  }

  /** Records how a call ended, also while the log fails for some seconds; else it is kept for the next attempt. */
  async #end(call: NewReactionCall, end: CallEnd): Promise<void> {
    this.#open.set(call.key, end);
    for (const waitMs of recordRetryDelaysMs) {
      try {
        return await this.#record(call, end);
      } catch {
        await this.#dependencies.pause(waitMs);
      }
    }
    return this.#record(call, end);
  }

  /**
   * Records the end once. A server that was suspended may be so late that another has given the call up: the delivery
   * is then worked on again.
   */
  async #record(call: NewReactionCall, end: CallEnd): Promise<void> {
    const { log, inbox, clock } = this.#dependencies;
    const isLate = clock.now() - call.at >= maxUnderWayMs;
    const before = isLate ? await log.begin(call) : null;
    await log.end(call.key, end);
    this.#open.delete(call.key);
    if (before?.state === 'unknown' && end.state !== 'unknown') await inbox.replay(call.seq);
  }

  /** Returns the result of a call that was begun before, which is not made again. */
  async #again({ key, state, outcome, at, reaction, operation }: RecordedCall): Promise<Result<StepEffect, Failure>> {
    const { log, clock } = this.#dependencies;
    if (state === 'done') return effect('once', outcome ?? operation);
    if (state === 'begun') {
      const leftMs = maxUnderWayMs - (clock.now() - at);
      if (leftMs > 0) return underWay(operation, Math.min(leftMs, lookAgainMs));
      await log.end(key, { state: 'unknown', outcome: stopped, at: clock.now() });
    }
    return undecided(reaction, operation, outcome ?? stopped);
  }
}

const stopped = 'the server stopped before its answer';

const effect = (result: StepResult, line: string): Result<StepEffect, Failure> => ok({ line, result });

const underWay = (operation: string, retryAfterMs: number): Result<StepEffect, Failure> =>
  err(failed('unavailable', `${operation} was started and has not finished yet.`, { retryAfterMs }));

function resultOf(
  { reaction, operation }: NewReactionCall,
  outcome: Outcome,
  end: CallEnd,
): Result<StepEffect, Failure> {
  if (outcome.ok) return effect('ran', end.state === 'done' ? end.outcome : operation);
  if (end.state === 'unknown') return undecided(reaction, operation, outcome.message);
  if (temporary.includes(outcome.reason)) return err(outcome);
  return effect('failed', `${operation} was refused: ${outcome.message}`);
}

/** The result of a call that an administrator decides on; it stops nothing else. */
function undecided(reaction: string, operation: string, why: string): Result<StepEffect, Failure> {
  const line = `It is unknown whether ${operation} of ${reaction} took effect (${why.slice(0, 200)}). Check in the service, then decide on /reactions.`;
  return effect('failed', line);
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
