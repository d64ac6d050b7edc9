import type { CallRow, Operation } from '#adapters/services/requests/operation-table.ts';
import type { Inputs } from '#adapters/services/requests/wire-request.ts';
import { digestOfJson } from '#domain/changes/change-digest.ts';
import type { Difference, OnPlanned, PlannedChange, Undo } from '#domain/changes/planned-change.ts';
import { isObject } from '#domain/json/json-data.ts';
import { isFileContent } from '#domain/operations/file-content.ts';
import type { Failure, Outcome } from '#domain/operations/outcome.ts';
import { failed, recordIdOf } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';
import type { Awaitable, Result } from '#domain/shared/result.ts';

/** What a rule finds out about a change before it is sent. */
export type RuledPlan = Omit<PlannedChange, 'input' | 'effect' | 'account'>;

/**
 * A call of an operation of the same service; null clears a value, whatever the operation's schema says. `warnings` say
 * what is left as it is.
 */
export type ReverseCall = Readonly<{ name: string; input: Inputs; warnings?: readonly string[] }>;

/** Receives the failure to find the record that is about to be changed. */
export type OnMissing = (failure: Failure) => void;

/**
 * How the change that one operation makes is planned and taken back. Both may call operations that read; at most one of
 * them for a plan.
 */
export type ChangeRule = Readonly<{
  /** Looks at what the operation would change, with ids in place of names; sends no change. */
  plan(input: Inputs, read: CallRow, onMissing: OnMissing): Promise<RuledPlan>;
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

/** Runs an operation, which may be ended before it is sent. */
export async function endedOr<Value>(run: () => Awaitable<Value>): Promise<Value | Outcome> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof EndedBeforeSent) return error.outcome;
    throw error;
  }
}

/** The minimum length of an id that is shown by its name: a shorter one could be anything else that is sent. */
const idLength = 16;

/** Plans the change of one call once, when the first part of it is about to be sent. */
export class PlanOnce {
  readonly #onPlanned: OnPlanned<Outcome>;
  readonly #whole: Pick<PlannedChange, 'effect' | 'account'>;
  readonly #names = new Map<string, string>();
  #planned: Promise<void> | null = null;
  /** The state that a local operation found when it was planned. */
  #state: string | null = null;

  /** `whole` is what is known of the whole call: its effect by its own inputs, and the connection's account. */
  constructor(onPlanned: OnPlanned<Outcome>, whole: Pick<PlannedChange, 'effect' | 'account'>) {
    this.#onPlanned = onPlanned;
    this.#whole = whole;
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

  /**
   * Plans the change of a local operation, which knows it right before it writes; returns the outcome that ends it, null
   * to go on. A write that finds another state than was planned ends it, too.
   */
  async endOf(input: Inputs, plan: RuledPlan): Promise<Outcome | null> {
    const known = this.#state;
    if (known !== null) return known === plan.state ? null : changedMeanwhile;
    this.#state = plan.state;
    try {
      await this.before(input, async () => plan);
      return null;
    } catch (error) {
      if (error instanceof EndedBeforeSent) return error.outcome;
      throw error;
    }
  }

  /** Notes for which names that the caller gave ids are sent, so that people read the names. */
  resolved(given: Inputs, sent: Inputs): void {
    for (const [name, ids] of Object.entries(sent)) {
      const called = [own(given, name)].flat();
      for (const [index, id] of [ids].flat().entries()) {
        const text: unknown = called[index];
        if (typeof id === 'string' && id.length >= idLength && typeof text === 'string') this.#names.set(id, text);
      }
    }
  }

  #withNames(difference: Difference): Difference {
    if (difference.kind !== 'record' || this.#names.size === 0) return difference;
    const named = (value: unknown): unknown =>
      Array.isArray(value) ? value.map(named) : typeof value === 'string' ? (this.#names.get(value) ?? value) : value;
    const fields = difference.fields.map((field) =>
      'after' in field ? { ...field, after: named(field.after) } : field,
    );
    return { ...difference, fields };
  }

  async #plan(input: Inputs, plan: () => Promise<RuledPlan>): Promise<void> {
    const ruled = await plan();
    const differences = ruled.differences.map((difference) => this.#withNames(difference));
    const ended = await this.#onPlanned({ ...ruled, differences, ...this.#whole, input });
    if (ended !== null) throw new EndedBeforeSent(ended);
  }
}

/** Plans a change by the rule of its operation, which what is kept of it names. */
export async function ruledPlan(
  { name, rule, input }: Readonly<{ name: string; rule: ChangeRule; input: Inputs }>,
  read: CallRow,
): Promise<RuledPlan> {
  let missing: Readonly<{ missing?: Failure }> = {};
  const plan = await rule.plan(input, read, (failure) => {
    missing = { missing: failure };
  });
  return {
    ...plan,
    ...missing,
    undo: (answer) => {
      const undo = plan.undo(answer);
      return undo === null ? null : { ...undo, rule: name };
    },
  };
}

/** The operation by whose rule a change is taken back: that of its plan. */
export function ruleNameIn(undo: Undo): string | null {
  return typeof undo['rule'] === 'string' ? undo['rule'] : null;
}

/** The plan of several calls, which are made together or not at all. */
export function joinedPlan(plans: readonly RuledPlan[]): RuledPlan {
  const [first, ...rest] = plans;
  if (first !== undefined && rest.length === 0) return first;
  const sentences = plans.flatMap(({ irreversible }) => irreversible ?? []);
  return {
    differences: plans.flatMap(({ differences }) => differences),
    state: digestOfJson(plans.map(({ state }) => state)),
    irreversible: sentences[0] ?? 'What is taken back in several steps cannot be made again here.',
    undo: () => null,
  };
}

const changedMeanwhile = failed(
  'conflict',
  'It was changed while this change was decided on. Nothing was changed; read it again.',
);

/** The plan of an operation without a rule: the inputs are all that is known, and it cannot be taken back. */
export async function unruledPlan(operation: Operation, input: Inputs, remote?: string): Promise<RuledPlan> {
  const fields = Object.entries(input)
    .filter(([, after]) => after !== undefined)
    .map(([field, after]) => ({ field, after: shownInput(after) }));
  return {
    differences: [{ kind: 'record', id: recordIdOf(input, null), title: null, fields }],
    state: '',
    irreversible:
      remote === undefined
        ? `This cannot be taken back here: ${lowerFirst(operation.summary)}`
        : `What the ${remote} does with this is not known before, and it cannot be taken back here.`,
    undo: () => null,
  };
}

/** An input in a form that can be shown: of a file only its name. */
export function shownInput(value: unknown): unknown {
  const isEncoded = isObject(value) && typeof value['content_base64'] === 'string';
  return isFileContent(value) || isEncoded ? value.name : value;
}

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);
