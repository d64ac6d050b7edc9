import type { RunOperationFor } from '#application/operations/run-operation.ts';
import type { OperationInfo } from '#application/ports/operation-catalog.ts';
import type { ProgramAnswer, ProgramError } from '#application/ports/program-sandbox.ts';
import type { OperationCall, ProgramPart } from '#application/ports/service-gateway.ts';
import type { ProgramOperations } from '#application/programs/program-operations.ts';
import { digestOfChange } from '#domain/changes/change-digest.ts';
import type { PlannedChange } from '#domain/changes/planned-change.ts';
import { isObject } from '#domain/json/json-data.ts';
import type { Effect } from '#domain/operations/effect.ts';
import { type Failure, failed, type Outcome, recordIdOf, type Success } from '#domain/operations/outcome.ts';
import { mentionsPlaceholder, type PlanLeft, type PlannedCall, placeholder, withIds } from '#domain/programs/plan.ts';
import type { User } from '#domain/users/user.ts';

/** The maximum number of calls of one program, and of those at a time. */
export const maxProgramCalls = 500;
const maxAtOnce = 8;

/** A call that a program made, as the app is answered it. */
export type DoneCall = Readonly<{ operation: string; record: string | null; outcome: 'ok' | Failure['reason'] }>;

/** A change of a dry run: what the plan has of it, and what the person sees. */
export type ShownCall = Readonly<{ planned: PlannedCall; change: PlannedChange | null; shown: unknown }>;

/** How a program's calls are made. */
export type CallsOptions = Readonly<{
  run: RunOperationFor;
  user: User;
  programId: string;
  operations: ProgramOperations;
  /** `dry` sends no change; with an allowed plan only its changes are sent. */
  mode: 'real' | 'dry' | PlanLeft;
  explain: string | null;
  signal: AbortSignal;
  /** Stops the program, with a message. */
  stop: (message: string) => void;
  /** What programs can call besides operations, by path. */
  others: ReadonlyMap<string, (inputs: unknown) => Promise<ProgramAnswer>>;
  describe: (failure: Failure) => ProgramError;
  /** Validates the input of a call without sending anything. */
  check: (call: OperationCall) => Failure | null;
  /** Asks the user before a change that loses something or reaches others; absent where nobody can be asked. */
  confirm?: (operation: OperationInfo, input: unknown) => Promise<Failure | null>;
  onCall?: (count: number, operation: string) => void;
}>;

/** The calls of one program: bounded, each under the user's rights as if it came alone. */
export class ProgramCalls {
  readonly #options: CallsOptions;
  readonly #waiting: (() => void)[] = [];
  readonly #open = new Set<Promise<unknown>>();
  readonly #touched = new Set<string>();
  readonly #made = new Map<string, unknown>();
  readonly #effects: Effect[] = [];
  #running = 0;
  #count = 0;
  /** The changes that were made, or tried, in order. */
  readonly done: DoneCall[] = [];
  /** The changes that a dry run would make, in order. */
  readonly planned: ShownCall[] = [];

  constructor(options: CallsOptions) {
    this.#options = options;
  }

  /** The effects of the changes that were tried. */
  get effects(): readonly Effect[] {
    return this.#effects;
  }

  /** The number of calls. */
  get count(): number {
    return this.#count;
  }

  /** Answers a call of the program. */
  call(path: string, inputs: unknown): Promise<ProgramAnswer> {
    const answer = this.#answer(path, inputs);
    this.#open.add(answer);
    return answer.finally(() => this.#open.delete(answer));
  }

  /** Resolves when all calls have ended, also those whose answer the program did not wait for. */
  async ended(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled(this.#open);
  }

  async #answer(path: string, inputs: unknown): Promise<ProgramAnswer> {
    const { signal, stop, describe, others } = this.#options;
    this.#count += 1;
    if (this.#count > maxProgramCalls) {
      stop(`A program makes at most ${maxProgramCalls} calls.`);
      return { ok: false, error: { message: `A program makes at most ${maxProgramCalls} calls.` } };
    }
    await this.#turn();
    try {
      if (signal.aborted) return { ok: false, error: describe(stopped) };
      const other = others.get(path);
      if (other !== undefined) return await other(inputs);
      return await this.#operation(path, inputs);
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    if (this.#running >= maxAtOnce) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      await promise;
    }
    this.#running += 1;
  }

  async #operation(path: string, inputs: unknown): Promise<ProgramAnswer> {
    const { operations, describe, onCall } = this.#options;
    const operation = operations.find(path);
    if (operation === null) return { ok: false, error: describe(unknownOperation(path, operations.nearest(path))) };
    onCall?.(this.#count, `${operation.service}.${operation.name}`);
    if (!isObject(inputs)) return { ok: false, error: describe(noInputs(path)) };
    const outcome =
      operation.effect === 'read' ? await this.#read(operation, inputs) : await this.#change(operation, inputs);
    return outcome.ok ? { ok: true, value: shownTo(outcome, operation) } : { ok: false, error: describe(outcome) };
  }

  async #read(operation: OperationInfo, input: Inputs): Promise<Outcome> {
    if (this.#options.mode === 'dry' && mentionsPlaceholder(input)) {
      const id = recordIdOf(input, null);
      const made = id === null ? undefined : this.#made.get(`${operation.service} ${id}`);
      return made === undefined ? notThereYet : { ok: true, data: made };
    }
    return this.#send(operation, input);
  }

  async #change(operation: OperationInfo, input: Inputs): Promise<Outcome> {
    const { mode } = this.#options;
    if (mode === 'dry') return this.#dry(operation, input);
    this.#effects.push(operation.effectOf(input));
    const outcome = mode === 'real' ? await this.#real(operation, input) : await this.#allowed(operation, input, mode);
    const record = recordIdOf(input, outcome.ok ? outcome.data : null);
    const name = `${operation.service}.${operation.name}`;
    this.done.push({ operation: name, record, outcome: outcome.ok ? 'ok' : outcome.reason });
    return outcome;
  }

  async #real(operation: OperationInfo, input: Inputs): Promise<Outcome> {
    const effect = operation.effectOf(input);
    const mustAsk = effect === 'lose' || effect === 'reach';
    const declined = mustAsk ? ((await this.#options.confirm?.(operation, input)) ?? null) : null;
    return declined ?? this.#send(operation, input);
  }

  /** Makes a change of the plan that a person allowed; anything else stops the program. */
  async #allowed(operation: OperationInfo, input: Inputs, left: PlanLeft): Promise<Outcome> {
    const { service, name } = operation;
    const planned = left.take({ service, operation: name, input });
    if (planned === null) {
      this.#options.stop(`It tried something that is not in the plan that was allowed: ${service}.${name}.`);
      return notPlanned;
    }
    const outcome = await this.#send(operation, input, { allowed: planned.digest });
    if (outcome.ok) left.made(planned, isObject(outcome.data) ? outcome.data['id'] : null);
    return outcome;
  }

  /** Plans a change, and answers what it would answer as far as that is known. */
  async #dry(operation: OperationInfo, input: Inputs): Promise<Outcome> {
    const { service } = operation;
    const effect = operation.effectOf(input);
    const isAdding = effect === 'add' && operation.output?.kind === 'record';
    let change: PlannedChange | null = null;
    if (!mentionsPlaceholder(input)) {
      const onPlanned = (plan: PlannedChange): void => {
        change = plan;
      };
      const outcome = await this.#send(operation, input, { onPlanned });
      if (!outcome.ok) return outcome;
      this.#plan({ operation, input, effect, change, shown: outcome.data, isAdding });
    } else {
      const fault = this.#faultIn(operation, input);
      if (fault !== null) return fault;
      const shown = { effect, changes: [{ record: 'made or changed by this program', fields: input }] };
      this.#plan({ operation, input, effect, change, shown, isAdding });
    }
    const { makes } = this.planned.at(-1)?.planned ?? { makes: null };
    const record = recordIdOf(input, null);
    const answered = answerOf(operation, input, { makes, record, change });
    if (makes !== null) this.#made.set(`${service} ${placeholder(makes)}`, answered);
    return { ok: true, data: answered };
  }

  /** The fault in an input that names what the program only makes: its ids may have to be numbers. */
  #faultIn({ service, name }: OperationInfo, input: Inputs): Failure | null {
    const { check } = this.#options;
    const fault = check({ service, name, input });
    if (fault === null) return null;
    const numbers = new Map(this.planned.flatMap(({ planned: { makes } }) => (makes === null ? [] : [[makes, makes]])));
    return check({ service, name, input: withIds(input, numbers) }) === null ? null : fault;
  }

  #plan({ operation: { service, name }, input, effect, change, shown, isAdding }: Planning): void {
    const makes = isAdding ? this.planned.filter(({ planned }) => planned.makes !== null).length + 1 : null;
    const record = `${service} ${recordIdOf(change?.input ?? input, null)}`;
    const isFirst = !this.#touched.has(record);
    this.#touched.add(record);
    const digest =
      change === null || !isFirst
        ? null
        : digestOfChange({
            service,
            operation: name,
            input: change.input,
            state: change.state,
            account: change.account,
          });
    const planned = { service, operation: name, effect: change?.effect ?? effect, input, digest, makes };
    this.planned.push({ planned, change, shown });
  }

  #send({ service, name, effect }: OperationInfo, input: Inputs, more: Omit<ProgramPart, 'id'> = {}): Promise<Outcome> {
    const { run, user, signal, programId, explain, mode } = this.#options;
    const call = { service, name, input, signal };
    const program = { id: programId, ...more };
    if (effect === 'read') return run(user, { ...call, program });
    const asked = { ...(mode === 'dry' ? { isDry: true } : {}), ...(explain === null ? {} : { explain }) };
    return run(user, { ...call, asked, program });
  }
}

type Inputs = Readonly<Record<string, unknown>>;

type Planning = Readonly<{
  operation: OperationInfo;
  input: Inputs;
  effect: PlannedCall['effect'];
  change: PlannedChange | null;
  shown: unknown;
  isAdding: boolean;
}>;

/** A success as a program reads it: a list with its pagination, a record, a text, or that it is done. */
function shownTo({ data, pagination }: Success, { output }: OperationInfo): unknown {
  if (data === null || data === undefined) return output?.kind === 'done' ? { done: true } : null;
  if (pagination !== undefined || Array.isArray(data)) {
    return { data, ...(pagination === undefined ? {} : { pagination }) };
  }
  return data;
}

/** What a change would answer, as far as its inputs and the record say so. */
function answerOf(
  { output }: OperationInfo,
  input: Inputs,
  { makes, record, change }: Readonly<{ makes: number | null; record: string | null; change: PlannedChange | null }>,
): unknown {
  if (output?.kind !== 'record') return null;
  const sent = change?.input ?? input;
  if (makes !== null) return { ...sent, id: placeholder(makes) };
  return { ...sent, ...(record === null ? {} : { id: sent['id'] ?? record }) };
}

function unknownOperation(path: string, near: string | null): Failure {
  const meant = near === null ? '' : ` Did you mean portolan.${near}?`;
  return failed('invalid_input', `This app has no portolan.${path}.${meant}`);
}

const noInputs = (path: string): Failure =>
  failed('invalid_input', `portolan.${path} takes one object with its inputs.`);

const stopped = failed('unavailable', 'The program was stopped.');
const notThereYet = failed(
  'not_found',
  'In a dry run, this record is not there: the program only makes it when it runs.',
);
const notPlanned = failed('declined', 'This is not in the plan that the user allowed.');
