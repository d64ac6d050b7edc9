import type { AllowedChange, AskApproval } from '#application/approvals/ask-approval.ts';
import type { RunOperation, RunOperationFor } from '#application/operations/run-operation.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { OperationCatalog, OperationInfo } from '#application/ports/operation-catalog.ts';
import type { ProgramAnswer, ProgramError, ProgramSandbox } from '#application/ports/program-sandbox.ts';
import type { Random } from '#application/ports/random.ts';
import type { OperationCall, ServiceGateway } from '#application/ports/service-gateway.ts';
import type { AskedProgram } from '#application/programs/asked-program.ts';
import { offeredOperations, type ProgramChoice } from '#application/programs/offered-operations.ts';
import { type ProgramPass, planAnswer, programAnswer, programFailure } from '#application/programs/program-answers.ts';
import { callOf, changeOf, programIn } from '#application/programs/program-approval.ts';
import { type CallsOptions, ProgramCalls, type ShownCall } from '#application/programs/program-calls.ts';
import { ProgramOperations, programSwitch } from '#application/programs/program-operations.ts';
import { keptIdBytes } from '#domain/changes/kept-change.ts';
import { worstAmong } from '#domain/operations/effect.ts';
import { type Failure, failed, type Outcome } from '#domain/operations/outcome.ts';
import { PlanLeft } from '#domain/programs/plan.ts';
import { isWhollyOff } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';

/** The dependencies of the use case. */
type RunProgramDependencies = Readonly<{
  sandbox: ProgramSandbox;
  run: RunOperationFor;
  asking: Pick<AskApproval, 'mayAsk' | 'mustAsk' | 'ask' | 'again' | 'end' | 'outcomeOrClaim'>;
  note: Pick<RunOperation, 'noteProgram'>;
  clock: Clock;
  random: Random;
  /** A failed call as a program catches it. */
  describe: (failure: Failure) => ProgramError;
  catalog: OperationCatalog;
  gateway: Pick<ServiceGateway, 'prepare'>;
  connections: Pick<Connections, 'overview'>;
  others: ReadonlyMap<string, OtherCall>;
  /** Whether changes are kept, so that they can be taken back. */
  keepsChanges: boolean;
}>;

/** What programs can call besides operations: a search over all services, and the like. */
export type OtherCall = (
  user: User,
  inputs: unknown,
  within: Readonly<{ signal: AbortSignal; choice: ProgramChoice }>,
) => Promise<ProgramAnswer>;

/** A program with the time that its clock shows, Unix ms, and the operations that it may call. */
type ReadyProgram = AskedProgram & Readonly<{ at: number; operations: readonly OperationInfo[] }>;

/** Runs programs: many operations in one call, each under the rights of the app that sent it. */
export class RunProgram {
  readonly #dependencies: RunProgramDependencies;

  constructor(dependencies: RunProgramDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Runs a program, or shows what it would change (`isDry`). One whose changes a person must be asked about is run dry,
   * and its plan waits for them.
   */
  async run(user: User, asked: AskedProgram): Promise<Outcome> {
    const { asking, clock } = this.#dependencies;
    if (isWhollyOff(user, programSwitch)) return switchedOff;
    const program = await this.#ready(user, asked, clock.now());
    if (program.isDry) return planAnswer(await this.#pass(user, program, 'dry'));
    const call = callOf(program);
    if (program.approval !== null) {
      const claimed = await asking.outcomeOrClaim(user, call, program.approval);
      return claimed.ok ? this.runAllowed(user, call, claimed.value) : claimed.failure;
    }
    const services = [...new Set(program.operations.map(({ service }) => service))];
    if (!asking.mayAsk(user, services)) return this.#made(user, program, 'real');
    const dry = await this.#pass(user, program, 'dry');
    if (!dry.end.ok) return programFailure(dry);
    if (!(await this.#mustAsk(user, dry.calls.planned))) return this.#made(user, program, 'real');
    return asking.ask(user, call, changeOf(dry.calls.planned), program.at);
  }

  /** Runs a program whose plan a person allowed, if it would still do the same; else it waits again. */
  async runAllowed(user: User, call: OperationCall, allowed: AllowedChange): Promise<Outcome> {
    const { asking } = this.#dependencies;
    if (isWhollyOff(user, programSwitch)) return switchedOff;
    const asked = programIn(call);
    if (asked === null) return failed('rejected', 'The program cannot be read any more.');
    const program = await this.#ready(user, asked, allowed.at);
    const dry = await this.#pass(user, program, 'dry');
    const question = dry.end.ok ? await asking.again(call, changeOf(dry.calls.planned), allowed) : programFailure(dry);
    const left = new PlanLeft(dry.calls.planned.map(({ planned }) => planned));
    const outcome = question ?? (await this.#made(user, program, left));
    await asking.end(allowed.id, outcome);
    return outcome;
  }

  /** The operations that programs of this user's app may call. */
  async offered(user: User, choice: ProgramChoice): Promise<readonly OperationInfo[]> {
    const { catalog, connections } = this.#dependencies;
    const { services: connected } = await connections.overview(user.id);
    return offeredOperations(catalog, user, { connected, choice });
  }

  async #ready(user: User, program: AskedProgram, at: number): Promise<ReadyProgram> {
    return { ...program, at, operations: await this.offered(user, program.choice) };
  }

  async #mustAsk(user: User, planned: readonly ShownCall[]): Promise<boolean> {
    for (const {
      planned: { service, operation, effect },
    } of planned) {
      if (await this.#dependencies.asking.mustAsk(user, { service, name: operation, effect })) return true;
    }
    return false;
  }

  /** Runs it, and notes it under its id. */
  async #made(user: User, program: ReadyProgram, mode: 'real' | PlanLeft): Promise<Outcome> {
    const { clock, note } = this.#dependencies;
    const at = clock.now();
    const pass = await this.#pass(user, program, mode);
    const outcome = programAnswer(pass);
    const effects = pass.calls.effects;
    note.noteProgram(user, {
      id: pass.id,
      at,
      effect: effects.length === 0 ? 'read' : worstAmong(effects),
      outcome: outcome.ok ? 'ok' : outcome.reason,
      ms: clock.now() - at,
    });
    return outcome;
  }

  async #pass(user: User, program: ReadyProgram, mode: CallsOptions['mode']): Promise<ProgramPass> {
    const { sandbox, run, random, describe, others: known, keepsChanges, gateway } = this.#dependencies;
    const id = random.token(keptIdBytes);
    const stopping = new AbortController();
    const signal = AbortSignal.any([program.signal, stopping.signal]);
    const operations = new ProgramOperations(program.operations);
    const { code, input, at, choice, explain, confirm, onCall } = program;
    const others = new Map(
      [...known].map(([path, call]) => [path, (inputs: unknown) => call(user, inputs, { signal, choice })] as const),
    );
    const calls = new ProgramCalls({
      run,
      user,
      programId: id,
      operations,
      mode,
      explain,
      signal,
      stop: (message) => stopping.abort(new Error(message)),
      others,
      describe,
      check: (call) => {
        const checked = gateway.prepare(call);
        return checked.ok ? null : checked.failure;
      },
      ...(confirm === undefined ? {} : { confirm }),
      ...(onCall === undefined ? {} : { onCall }),
    });
    const end = await sandbox.run({
      code,
      input,
      at,
      operations: [...operations.shown, ...[...others.keys()].map((path) => ({ path, paging: null }))],
      userId: user.id,
      call: (path, inputs) => calls.call(path, inputs),
      signal,
    });
    // What the program did not wait for ends before its answer, and is cut off when the program was.
    if (!end.ok) stopping.abort(new Error('The program has ended.'));
    await calls.ended();
    return { id, end, calls, isKept: keepsChanges };
  }
}

const switchedOff = failed(
  'forbidden',
  'Its user switched programs off for apps. They can switch them on again at /tools/workspace.',
);
