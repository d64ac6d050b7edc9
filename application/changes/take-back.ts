import type { AllowedChange } from '#application/approvals/ask-approval.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { KeptChanges, KeptSummary } from '#application/ports/kept-changes.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { Random } from '#application/ports/random.ts';
import type { AskedOfChange, UndoCall } from '#application/ports/service-gateway.ts';
import type { KeptChange } from '#domain/changes/kept-change.ts';
import { undoStateOf } from '#domain/changes/undo-state.ts';
import { type Failure, failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';

/** Takes a change back as its user may; `RunOperation.undo` as a function. */
export type UndoFor = (user: User, call: UndoCall, allowed?: AllowedChange) => Promise<Outcome>;

/** The dependencies of the use case. `keepMs` is how long changes can be taken back. */
export type TakeBackDependencies = Readonly<{
  kept: Pick<KeptChanges, 'find' | 'list' | 'move'>;
  undo: UndoFor;
  /** The account of the user's connection now; fails when there is no connection. */
  accountOf: (userId: number, service: ServiceKey) => Promise<Result<string, Failure>>;
  leases: Leases;
  clock: Clock;
  random: Random;
  names: Pick<ServiceNames, 'of'>;
  keepMs: number;
}>;

/** How a change is taken back: also over what somebody changed since (`isForced`), and what the caller asks besides. */
export type TakingBack = Readonly<{
  isForced?: boolean;
  asked?: AskedOfChange;
  signal?: AbortSignal;
  /** The approval by which a person allowed it just now. */
  allowed?: AllowedChange;
}>;

/** A change, and what came of taking it back. */
export type TakenBack = Readonly<{ change: KeptSummary; outcome: Outcome }>;

/** The maximum number of changes that one call takes back, or lists. */
export const maxTakenBack = 50;

/** How long one taking back may last, and how long nobody else may begin one for the same user, in ms. */
const maxUndoMs = 50_000;
const leaseMs = 60_000;

/**
 * Takes changes of apps back: a person any of their own, an app only what this same app (grant) did for this user. Each
 * is taken back once, also by several servers. A change whose taking back was interrupted can be tried again: values
 * that are as they were before count as taken back.
 */
export class TakeBack {
  readonly #dependencies: TakeBackDependencies;

  constructor(dependencies: TakeBackDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns a change of the user's, which the caller may take back; fails with `not_found` for any other. */
  async find(user: User, id: string): Promise<Result<KeptChange, Failure>> {
    const found = await this.#dependencies.kept.find(id);
    return found !== null && this.#isOwn(user, found) ? ok(found) : err(unknown);
  }

  /** Lists the changes that the caller may take back, the latest first: what took another one back is left out. */
  async list(user: User, since: number): Promise<readonly KeptSummary[]> {
    const { kept, clock, keepMs } = this.#dependencies;
    const { app } = user;
    if (app?.grantId === null) return [];
    const of = app === undefined ? {} : { grantId: app.grantId };
    const from = Math.max(since, clock.now() - keepMs);
    const found = await kept.list({ userId: user.id, ...of, since: from, limit: maxListed });
    return found.filter(({ undoOf }) => undoOf === null);
  }

  /** Lists those that are not taken back yet, the latest first; at most `maxTakenBack`. */
  async open(user: User, since: number): Promise<readonly KeptSummary[]> {
    const now = this.#dependencies.clock.now();
    const open = (await this.list(user, since)).filter((one) => undoStateOf(one, now) !== 'taken_back');
    return open.slice(0, maxTakenBack);
  }

  /** Takes back what the caller may, of all changes since a time, the latest first; at most `maxTakenBack`. */
  async since(user: User, since: number, how: TakingBack = {}): Promise<readonly TakenBack[]> {
    const taken: TakenBack[] = [];
    for (const change of await this.open(user, since)) {
      if (how.signal?.aborted === true) break;
      taken.push({ change, outcome: await this.run(user, change.id, how) });
    }
    return taken;
  }

  /** Takes one change back, or shows what that would do (`isDry`). */
  async run(user: User, id: string, how: TakingBack = {}): Promise<Outcome> {
    const found = await this.find(user, id);
    if (!found.ok) return (await this.#program(user, id, how)) ?? found.failure;
    // The outcome of an approval is known whatever became of the change since.
    if (how.asked?.approval !== undefined) return this.#undo(user, found.value, how);
    if (how.asked?.isDry === true)
      return (await this.#reasonAgainst(found.value)) ?? this.#undo(user, found.value, how);
    const { leases, random } = this.#dependencies;
    const [name, owner] = [`undo of user ${user.id}`, random.token(12)];
    if ((await leases.acquire(name, owner, leaseMs)) === null) return beingTakenBack;
    try {
      return await this.#alone(user, id, how);
    } finally {
      await leases.release(name, owner);
    }
  }

  /** Takes back the changes of a program, the latest first; null when the caller has none of that id. */
  async #program(user: User, id: string, how: TakingBack): Promise<Outcome | null> {
    const parts = await this.parts(user, id);
    if (parts.length === 0) return null;
    if (how.asked?.approval !== undefined) return approvalOfOne;
    const now = this.#dependencies.clock.now();
    const taken: TakenBack[] = [];
    for (const change of parts.filter((one) => undoStateOf(one, now) !== 'taken_back')) {
      if (how.signal?.aborted === true) break;
      taken.push({ change, outcome: await this.run(user, change.id, how) });
    }
    const failures = taken.flatMap(({ change, outcome }) => (outcome.ok ? [] : [{ change, outcome }]));
    const [first] = failures;
    if (first === undefined && taken.length === 0) return takenBackAlready;
    if (first !== undefined && failures.length === taken.length) return first.outcome;
    const warnings = failures.map(({ change: { service, operation, recordId }, outcome: { message } }) => {
      return `${service}.${operation}${recordId === null ? '' : ` of ${recordId}`} was not taken back: ${message}`;
    });
    const data = taken.flatMap(({ outcome }) => (outcome.ok && outcome.data !== null ? [outcome.data] : []));
    return { ...succeeded({ changes: data }), ...(warnings.length === 0 ? {} : { warnings }) };
  }

  /** The changes of a program that the caller may take back, the latest first. */
  async parts(user: User, partOf: string): Promise<readonly KeptSummary[]> {
    const { kept } = this.#dependencies;
    const parts: KeptSummary[] = [];
    for (;;) {
      const last = parts.at(-1);
      const before = last === undefined ? {} : { before: { at: last.at, id: last.id } };
      const some = await kept.list({ userId: user.id, partOf, ...before, limit: maxListed });
      parts.push(...some);
      if (some.length < maxListed) break;
    }
    return parts.filter((one) => one.undoOf === null && this.#isOwn(user, one));
  }

  /** Takes it back while nobody else does so for the same user. */
  async #alone(user: User, id: string, how: TakingBack): Promise<Outcome> {
    const found = await this.find(user, id);
    if (!found.ok) return found.failure;
    const change = found.value;
    const reason = await this.#reasonAgainst(change);
    if (reason !== null) return reason;
    const { kept, clock } = this.#dependencies;
    const isBegun = await kept.move(id, change.state, { state: 'undoing', undoneAt: null });
    if (!isBegun) return beingTakenBack;
    const outcome = await this.#undo(user, change, how);
    if (outcome.ok) {
      const isWhole = outcome.isPartial !== true;
      // What is left can still be taken back, by force.
      await kept.move(id, 'undoing', { state: isWhole ? 'undone' : 'kept', undoneAt: clock.now() });
      // What took a change back was itself taken back: that change is there again.
      if (isWhole && change.undoOf !== null)
        await kept.move(change.undoOf, 'undone', { state: 'kept', undoneAt: null });
    } else if (outcome.sent !== 'unknown') {
      await kept.move(id, 'undoing', { state: change.state, undoneAt: change.undoneAt });
    }
    return outcome;
  }

  /** Why it cannot be taken back, whoever asks; null when it can be tried. */
  async #reasonAgainst(change: KeptChange): Promise<Failure | null> {
    const { accountOf, clock, names } = this.#dependencies;
    const { service, content, account } = change;
    const state = undoStateOf({ ...change, irreversible: content.undo === null ? '' : null }, clock.now());
    if (state === 'taken_back') return takenBackAlready;
    if (state === 'running') return failed('conflict', 'It is being made; try again in a minute.');
    if (content.undo === null) return failed('rejected', content.irreversible ?? nothingKept);
    const current = await accountOf(change.userId, service);
    if (!current.ok) return current.failure;
    if (current.value === account) return null;
    const name = names.of(service);
    return failed(
      'forbidden',
      `The connection to the ${name} is another account now than when this was changed; connect that account again to take it back.`,
    );
  }

  async #undo(user: User, { id, service, operation: name, content: { undo } }: KeptChange, how: TakingBack) {
    if (undo === null) return failed('rejected', nothingKept);
    const { isForced = false, asked = {}, allowed, signal } = how;
    const limit = AbortSignal.timeout(maxUndoMs);
    const bounded = signal === undefined ? limit : AbortSignal.any([limit, signal]);
    const call = { service, name, undo, isForced, signal: bounded, asked: { ...asked, undoOf: id } };
    return this.#dependencies.undo(user, call, allowed);
  }

  #isOwn(user: User, { userId, grantId, at }: Pick<KeptChange, 'userId' | 'grantId' | 'at'>): boolean {
    const { clock, keepMs } = this.#dependencies;
    const isOfApp = user.app === undefined || (grantId !== null && user.app.grantId === grantId);
    return userId === user.id && isOfApp && at >= clock.now() - keepMs;
  }
}

/** How many are listed at once, with those that are left out. */
const maxListed = 200;

const nothingKept = 'Nothing was kept from which it could be taken back.';
const unknown = failed('not_found', 'There is no change with that id that you could take back.');
const takenBackAlready = failed('conflict', 'It was taken back already.');
const approvalOfOne = failed('invalid_input', 'An approval is for one change, and this is a program.');
const beingTakenBack = failed('conflict', 'A change is being taken back; try again in a moment.');
