import { withWarnings } from '#adapters/services/answers/read-answers.ts';
import {
  endedOr,
  joinedPlan,
  type ReverseCall,
  type RuledPlan,
  ruledPlan,
  unruledPlan,
} from '#adapters/services/changes/change-rule.ts';
import type { Provider } from '#adapters/services/definitions/provider.ts';
import { type CallRow, effectIn, type Operation } from '#adapters/services/requests/operation-table.ts';
import type { Inputs } from '#adapters/services/requests/wire-request.ts';
import type { OperationCall } from '#application/ports/service-gateway.ts';
import { worstAmong } from '#domain/operations/effect.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';
import type { Awaitable } from '#domain/shared/result.ts';

/** A call that takes a change back, with its operation and its inputs as they are sent. */
type ReverseStep = ReverseCall & Readonly<{ row: Operation; inputs: Outcome<Inputs> }>;

/** What the calls that take a change back are made with. */
export type Reversing = Readonly<{
  provider: Provider;
  onPlanned: OperationCall['onPlanned'];
  account: string;
  read: CallRow;
  /** Validates an operation's input. */
  check(operation: Operation, input: Inputs): Outcome<Inputs>;
  run(step: Readonly<{ name: string; row: Operation; inputs: Inputs }>): Awaitable<Outcome>;
}>;

/** Makes the calls that take a change back, in order, once all of them are planned together. */
export async function reversed(calls: readonly ReverseCall[], reversing: Reversing): Promise<Outcome> {
  const steps = calls.map((step) => ({ ...step, ...stepOf(reversing, step) }));
  const ended = await endedOr(() => planned(steps, reversing));
  if (ended !== null) return ended;
  let last: Outcome = { ok: true, data: null };
  for (const { name, row, inputs, warnings = [] } of steps) {
    last = inputs.ok ? await reversing.run({ name, row, inputs: inputs.data }) : inputs;
    if (!last.ok) return last;
    last = withWarnings(last, warnings);
  }
  const isPartial = steps.some(({ warnings = [] }) => warnings.length > 0);
  return last.ok && isPartial ? { ...last, isPartial } : last;
}

/** Validates a call that takes a change back, save for what it clears: a schema may know no way to clear a value. */
function stepOf({ provider, check }: Reversing, { name, input }: ReverseCall): Pick<ReverseStep, 'row' | 'inputs'> {
  const row = own(provider.operations, name);
  if (row === undefined) throw new Error(`A change is taken back by "${name}", which is no operation.`);
  const part = (isCleared: boolean): Inputs =>
    Object.fromEntries(Object.entries(input).filter(([, value]) => (value === null) === isCleared));
  const inputs = check(row, part(false));
  return { row, inputs: inputs.ok ? { ...inputs, data: { ...inputs.data, ...part(true) } } : inputs };
}

/** Plans the calls as one change; the outcome that ends them, or null. */
async function planned(steps: readonly ReverseStep[], reversing: Reversing): Promise<Outcome | null> {
  const { onPlanned, provider, account, read } = reversing;
  if (onPlanned === undefined || steps.length === 0) return null;
  const plans: RuledPlan[] = [];
  for (const { name, row, inputs } of steps) {
    if (!inputs.ok) return inputs;
    const rule = own(provider.changes ?? {}, name);
    const input = inputs.data;
    plans.push(await (rule === undefined ? unruledPlan(row, input) : ruledPlan({ name, rule, input }, read)));
  }
  const all = steps.map(({ name, input }) => ({ name, input }));
  const [first] = all;
  const input = all.length === 1 && first !== undefined ? first.input : { calls: all };
  const effect = worstAmong(steps.map(({ row, inputs }) => (inputs.ok ? effectIn(row, inputs.data) : row.effect)));
  return onPlanned({ ...joinedPlan(plans), input, effect, account });
}
