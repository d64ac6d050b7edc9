import type { Clock } from '#application/ports/clock.ts';
import type { ConnectionGate } from '#application/ports/connection-gate.ts';
import type { Ending, InboxEntry } from '#application/ports/webhook-inbox.ts';
import type { WorkHold } from '#application/ports/work-scope.ts';
import type { NoteRuns } from '#application/reactions/note-runs.ts';
import type { ApplySteps } from '#application/webhooks/apply-steps.ts';
import { AttemptResults } from '#application/webhooks/attempt-results.ts';
import type { EntryPlan, PlanEntry } from '#application/webhooks/plan-entry.ts';
import type { ServiceHealth } from '#application/webhooks/service-health.ts';
import type { Slots } from '#application/webhooks/slots.ts';
import type { Failure, FailureReason } from '#domain/operations/outcome.ts';
import type { ReactionResult } from '#domain/reactions/run-result.ts';
import { type CalledService, calledBy, type Step } from '#domain/reactions/step.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { isGivenUp, retryDelayMs } from '#domain/webhooks/retry-delay.ts';
import { maxStatedRestMs, maxStatedWaitMs } from '#domain/webhooks/stated-wait.ts';

/**
 * The dependencies of the use case; `chance` returns a number in [0, 1), for jitter. `onAnswer` is called for each
 * service that answered.
 */
export type WorkOnEntryDependencies = Readonly<{
  plan: Pick<PlanEntry, 'run'>;
  applySteps: Pick<ApplySteps, 'run'>;
  /** Records what deliveries come to for reactions; they are not recorded when not given. */
  runs?: Pick<NoteRuns, 'run'>;
  gate: ConnectionGate;
  health: ServiceHealth;
  slots: Slots;
  names: ServiceNames;
  clock: Clock;
  chance: () => number;
  onAnswer: (entry: InboxEntry, service: ServiceKey) => Promise<void>;
}>;

/** One attempt: its steps, what they came to, and its hold of the delivery. */
type Attempt = Readonly<{ steps: readonly Step[]; attempt: AttemptResults; hold: Pick<WorkHold, 'isHeld'> }>;

type PlannedSteps = Extract<EntryPlan, { kind: 'steps' }>;

/**
 * The maximum number of times an entry is claimed: one that crashes the process each time must not be retried forever.
 */
const maxAttempts = 5000;

/** Failures that a retry cannot resolve: the input is unacceptable, and an administrator has to look into it. */
const permanentFailures: readonly FailureReason[] = ['invalid_input', 'rejected', 'too_large'];

/** Failures of the service or of the connection to it, which would affect its other deliveries as well. */
const failuresOfService: readonly FailureReason[] = ['unavailable', 'unauthorized'];

/**
 * Processes one claimed entry: plans it, then applies its steps in order, each when the service that it calls is
 * available.
 */
export class WorkOnEntry {
  readonly #dependencies: WorkOnEntryDependencies;

  constructor(dependencies: WorkOnEntryDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns how the attempt ended. Throws when processing itself fails, for example when the body cannot be decrypted.
   */
  async run(entry: InboxEntry, hold: Pick<WorkHold, 'isHeld'>): Promise<Ending> {
    if (entry.attempts > maxAttempts) return { kind: 'dead', error: `given up after ${maxAttempts} tries` };
    const { plan: plans, health, onAnswer } = this.#dependencies;
    const { service } = entry;
    // It waited for its own service, which has its record.
    const hasWaited = entry.calls === service;
    if (hasWaited) health.begins(service, entry.seq);
    const plan = await plans.run(entry);
    if (plan.kind === 'unfetched') return this.#failed(entry, service, plan.failure);
    const isFetched = plan.kind === 'steps' && plan.fetched !== undefined;
    if (hasWaited || isFetched) await onAnswer(entry, service);
    switch (plan.kind) {
      case 'steps':
        return this.#work(entry, plan, hold);
      case 'failed':
        return this.again(entry, { error: plan.error, calls: null });
      case 'ignored':
        if (hold.isHeld()) await this.#note(entry, plan.results ?? [], true);
        return { kind: 'ignored', outcome: plan.outcome };
      case 'dead':
        return plan;
    }
  }

  /** Applies the steps, and records what the attempt came to for each reaction unless the delivery only waits. */
  async #work(entry: InboxEntry, plan: PlannedSteps, hold: Pick<WorkHold, 'isHeld'>): Promise<Ending> {
    const attempt = new AttemptResults(plan.said);
    const ending = await this.#apply(entry, { steps: plan.steps, attempt, hold });
    if (ending.kind === 'waits' || !hold.isHeld()) return ending;
    const how = { isGivenUp: ending.kind === 'dead', error: 'error' in ending ? ending.error : null };
    const results = [...attempt.results(plan.steps, how), ...(plan.results ?? [])];
    await this.#note(entry, results, ending.kind !== 'retry');
    return ending;
  }

  async #note(entry: InboxEntry, results: readonly ReactionResult[], isFinal: boolean): Promise<void> {
    if (results.length > 0) await this.#dependencies.runs?.run(entry, results, isFinal);
  }

  /** Returns a retry of the entry, no sooner than `leastMs` from now, or its end when it has failed for too long. */
  again(
    entry: InboxEntry,
    { error, calls, leastMs = 0 }: Readonly<{ error: string; calls: ServiceKey | null; leastMs?: number }>,
  ): Ending {
    const { clock, chance } = this.#dependencies;
    if (isGivenUp(entry.failingSince, clock.now())) return { kind: 'dead', error };
    return { kind: 'retry', error, calls, delayMs: Math.max(leastMs, retryDelayMs(entry.attempts, chance())) };
  }

  async #apply(entry: InboxEntry, { steps, attempt, hold }: Attempt): Promise<Ending> {
    for (const step of steps) {
      const service = calledBy(step);
      if ('by' in step && attempt.isWaiting(step.by)) continue;
      if (!hold.isHeld()) return { kind: 'waits', error: entry.error, delayMs: 0, calls: entry.calls };
      const wait = await this.#admit(entry, service);
      if (wait !== null) return wait;
      const effect = await this.#dependencies.applySteps.run(step);
      if (!effect.ok) {
        if (service !== null) return this.#failed(entry, service, effect.failure);
        // A call that waits stops only its own reaction (WRITE-024).
        if ('by' in step) attempt.wait(step.by, effect.failure);
        continue;
      }
      if (service !== null) await this.#dependencies.onAnswer(entry, service);
      attempt.add(step, effect.value);
    }
    const { failure, outcome, isFaulty } = attempt;
    return failure === null ? { kind: 'done', outcome, isFaulty } : this.#failedCall(entry, failure);
  }

  /** Checks whether the entry may call the service now; returns null when it may, else how it waits. */
  async #admit(entry: InboxEntry, service: CalledService | null): Promise<Ending | null> {
    const { gate, health, slots, names } = this.#dependencies;
    const reasonToPause = await gate.reasonToPause();
    if (reasonToPause !== null) return { kind: 'waits', error: reasonToPause, delayMs: 0, calls: entry.calls };
    if (service === null) return null;
    const waits = (error: string | null): Ending => ({ kind: 'waits', error, delayMs: 0, calls: service });
    const reasonToWait = await gate.reasonToWait(service);
    if (reasonToWait !== null) return waits(reasonToWait);
    if (health.of(service) === 'down') return waits(`The ${names.of(service)} does not answer.`);
    if (!slots.moveTo(entry, service)) return waits(entry.error);
    health.begins(service, entry.seq);
    return null;
  }

  /** Returns how the attempt ends after a user-written call failed for now; such calls have no lane. */
  #failedCall(entry: InboxEntry, { reason, message, retryAfterMs = 0 }: Failure): Ending {
    const leastMs = Math.min(retryAfterMs, maxStatedWaitMs);
    return this.again(entry, { error: `${reason}: ${message}`, calls: null, leastMs });
  }

  async #failed(entry: InboxEntry, service: ServiceKey, failure: Failure): Promise<Ending> {
    const { gate, health, onAnswer } = this.#dependencies;
    const { reason, message, retryAfterMs = 0 } = failure;
    const error = `${reason}: ${message}`;
    const leastMs = Math.min(retryAfterMs, maxStatedWaitMs);
    if (failuresOfService.includes(reason)) {
      const reasonToWait = await gate.reasonToWait(service);
      if (reasonToWait !== null) return { kind: 'waits', error: reasonToWait, delayMs: 0, calls: service };
      const backOffMs = health.failed(service, entry.seq);
      if (backOffMs === null) return this.again(entry, { error, calls: service, leastMs });
      return { kind: 'waits', error, calls: service, delayMs: Math.max(leastMs, backOffMs) };
    }
    if (reason === 'rate_limited') {
      if (leastMs > 0) health.askedForPause(service, Math.min(leastMs, maxStatedRestMs));
      return this.again(entry, { error, calls: null, leastMs });
    }
    if (reason !== 'not_connected') await onAnswer(entry, service);
    if (permanentFailures.includes(reason)) return { kind: 'dead', error };
    return this.again(entry, { error, calls: reason === 'not_connected' ? service : null, leastMs });
  }
}
