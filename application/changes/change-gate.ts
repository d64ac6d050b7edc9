import type { AllowedChange, AskApproval } from '#application/approvals/ask-approval.ts';
import type { BegunChange, KeepChange } from '#application/changes/keep-change.ts';
import type { Differences } from '#application/ports/differences.ts';
import type { OperationCall } from '#application/ports/service-gateway.ts';
import { digestOfChange } from '#domain/changes/change-digest.ts';
import type { OnPlanned, PlannedChange } from '#domain/changes/planned-change.ts';
import { differenceAsJson } from '#domain/changes/shown-difference.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import type { User } from '#domain/users/user.ts';

/** The dependencies of the gate. */
export type ChangeGateDependencies = Readonly<{ asking: AskApproval; keeping: KeepChange; differences: Differences }>;

/** A change that passed the gate: its outcome, and the id under which it is kept, null for none. */
export type PassedChange = Readonly<{ outcome: Outcome; keptId: string | null }>;

/** Makes a change; `onPlanned` is called before any of it is sent. */
export type MakeChange = (onPlanned: OnPlanned<Outcome>) => Promise<Outcome>;

/**
 * What every change of an app passes before it is sent: shown instead of made (dry run), asked of a person or in the
 * client, or kept so that it can be taken back.
 */
export class ChangeGate {
  readonly #dependencies: ChangeGateDependencies;

  constructor(dependencies: ChangeGateDependencies) {
    this.#dependencies = dependencies;
  }

  /** Makes the change, or returns what stands in its place: what would change, or the question to the user. */
  async run(user: User, call: OperationCall, make: MakeChange): Promise<PassedChange> {
    const { asking } = this.#dependencies;
    const { approval, isDry = false } = call.asked ?? {};
    const { program } = call;
    if (isDry) {
      const show = async (plan: PlannedChange): Promise<Outcome> => {
        program?.onPlanned?.(plan);
        return this.#shown(plan);
      };
      return { outcome: await make(show), keptId: null };
    }
    if (program?.allowed !== undefined) return this.#made(user, call, make, inPlan(call, program.allowed));
    if (approval === undefined) {
      const stop: OnPlanned<Outcome> = async (plan) =>
        (await asking.question(user, call, plan)) ?? asking.confirmation(call, plan);
      return this.#made(user, call, make, stop);
    }
    const claimed = await asking.outcomeOrClaim(user, call, approval);
    if (!claimed.ok) return { outcome: claimed.failure, keptId: null };
    return this.runAllowed(user, call, { allowed: claimed.value, make });
  }

  /** Makes a change that a person allowed, as long as it is what they saw; else it waits again. */
  async runAllowed(
    user: User,
    call: OperationCall,
    { allowed, make }: Readonly<{ allowed: AllowedChange; make: MakeChange }>,
  ): Promise<PassedChange> {
    const { asking } = this.#dependencies;
    const passed = await this.#made(user, call, make, (plan) => asking.again(call, plan, allowed));
    await asking.end(allowed.id, passed.outcome);
    return passed;
  }

  /** Makes a change once `stop` lets it go on, and keeps what it takes to take it back. */
  async #made(user: User, call: OperationCall, make: MakeChange, stop: OnPlanned<Outcome>): Promise<PassedChange> {
    const { keeping } = this.#dependencies;
    const all: BegunChange[] = [];
    const outcome = await make(async (plan) => {
      const stopped = await stop(this.#stated(plan));
      if (stopped !== null) return stopped;
      const begun = await keeping.begin(user, call, plan);
      if (begun !== null) all.push(begun);
      return null;
    });
    let keptId: string | null = null;
    for (const begun of all) keptId = (await keeping.settle(begun, outcome)) ?? keptId;
    return { outcome, keptId };
  }

  /** A plan that also says what is too large to be kept, or that nothing is; found out only where somebody reads it. */
  #stated(plan: PlannedChange): PlannedChange {
    const { keeping } = this.#dependencies;
    return {
      ...plan,
      get irreversible() {
        return keeping.whyIrreversible(plan);
      },
    };
  }

  /** What would change, as an outcome, or that there is no such record; nothing was sent. */
  #shown(plan: PlannedChange): Outcome {
    const { differences, effect, irreversible, missing } = this.#stated(plan);
    if (missing !== undefined) return missing;
    const changes = this.#dependencies.differences.shown(differences).map(differenceAsJson);
    const whyNot = irreversible === null ? {} : { why_not: irreversible };
    return succeeded({ dry: true, effect, changes, can_be_taken_back: irreversible === null, ...whyNot });
  }
}

/** Lets a change go on that a person allowed with the plan of its program, if it is still what they saw. */
function inPlan({ service, name }: OperationCall, allowed: string | null): OnPlanned<Outcome> {
  return async ({ input, state, account }) => {
    if (allowed === null) return null;
    const digest = digestOfChange({ service, operation: name, input, state, account });
    return digest === allowed ? null : changedSince;
  };
}

const changedSince = failed('conflict', 'The record has changed since the user allowed this, and it was not done.');
