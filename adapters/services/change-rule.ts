import type { CallRow, Operation } from '#adapters/services/operation-table.ts';
import type { Inputs } from '#adapters/services/wire-request.ts';
import type { OnPlanned, PlannedChange, Undo } from '#domain/changes/planned-change.ts';
import type { Failure, Outcome } from '#domain/operations/outcome.ts';
import { recordIdOf } from '#domain/operations/outcome.ts';
import type { Result } from '#domain/shared/result.ts';

/** What a rule finds out about a change before it is sent. */
export type RuledPlan = Omit<PlannedChange, 'input' | 'effect' | 'account'>;

/** A call of an operation of the same service. */
export type ReverseCall = Readonly<{ name: string; input: Inputs }>;

/**
 * How the change that one operation makes is planned and taken back. Both may call operations that read; at most one of
 * them for a plan.
 */
export type ChangeRule = Readonly<{
  /** Looks at what the operation would change, with ids in place of names; sends no change. */
  plan(input: Inputs, read: CallRow): Promise<RuledPlan>;
  /**
   * The calls that take the change back, from what its plan kept; compares what is there now with what the change left,
   * and fails with `conflict` where somebody changed it since, unless it is forced.
   */
  takeBack(undo: Undo, read: CallRow, isForced: boolean): Promise<Result<readonly ReverseCall[], Failure>>;
}>;

/** The rules of a kind, by operation. */
export type ChangeRules = Readonly<Record<string, ChangeRule>>;

/** Ends an operation with another outcome before anything of it is sent, from wherever in its recipe it is. */
export class EndedBeforeSent extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super('The operation was ended before it was sent');
    this.name = 'EndedBeforeSent';
    this.outcome = outcome;
  }
}

/** Plans the change of one call once, when the first part of it is about to be sent. */
export class PlanOnce {
  readonly #onPlanned: OnPlanned<Outcome>;
  readonly #effectOf: (input: unknown) => PlannedChange['effect'];
  readonly #account: string;
  #planned: Promise<void> | null = null;

  constructor(
    onPlanned: OnPlanned<Outcome>,
    { effectOf, account }: Readonly<{ effectOf: (input: unknown) => PlannedChange['effect']; account: string }>,
  ) {
    this.#onPlanned = onPlanned;
    this.#effectOf = effectOf;
    this.#account = account;
  }

  /** Whether it was planned. */
  get isDone(): boolean {
    return this.#planned !== null;
  }

  /** Plans the change, unless that was done; throws `EndedBeforeSent` when the call is ended by it. */
  before(input: Inputs, plan: () => Promise<RuledPlan>): Promise<void> {
    this.#planned ??= this.#plan(input, plan);
    return this.#planned;
  }

  async #plan(input: Inputs, plan: () => Promise<RuledPlan>): Promise<void> {
    const effect = this.#effectOf(input);
    const ended = await this.#onPlanned({ ...(await plan()), input, effect, account: this.#account });
    if (ended !== null) throw new EndedBeforeSent(ended);
  }
}

/** The plan of an operation without a rule: the inputs are all that is known, and it cannot be taken back. */
export async function unruledPlan(operation: Operation, input: Inputs): Promise<RuledPlan> {
  const fields = Object.entries(input)
    .filter(([, after]) => after !== undefined)
    .map(([field, after]) => ({ field, after }));
  return {
    differences: [{ kind: 'record', id: recordIdOf(input, null), title: null, fields }],
    state: '',
    irreversible: `This cannot be taken back here: ${lowerFirst(operation.summary)}`,
    undo: () => null,
  };
}

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);
