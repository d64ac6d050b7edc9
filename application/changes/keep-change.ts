import type { Clock } from '#application/ports/clock.ts';
import type { Differences } from '#application/ports/differences.ts';
import type { KeptChanges } from '#application/ports/kept-changes.ts';
import type { Random } from '#application/ports/random.ts';
import type { OperationCall } from '#application/ports/service-gateway.ts';
import { type KeptContent, keptIdBytes, maxKeptContent } from '#domain/changes/kept-change.ts';
import type { PlannedChange } from '#domain/changes/planned-change.ts';
import { type Outcome, recordIdOf } from '#domain/operations/outcome.ts';
import type { User } from '#domain/users/user.ts';

/** The dependencies of keeping. `keepMs` is how long changes can be taken back; 0 keeps nothing. */
export type KeepChangeDependencies = Readonly<{
  kept: Pick<KeptChanges, 'keep' | 'settle' | 'remove'>;
  differences: Differences;
  clock: Clock;
  random: Random;
  keepMs: number;
}>;

/** A change that is kept and may have been sent. */
export type BegunChange = Readonly<{ id: string; plan: PlannedChange; content: KeptContent }>;

/** Keeps the changes of apps, with what it takes to take them back. */
export class KeepChange {
  readonly #dependencies: KeepChangeDependencies;

  constructor(dependencies: KeepChangeDependencies) {
    this.#dependencies = dependencies;
  }

  /** Stores what a change takes away before it is sent; null when nothing is kept. */
  async begin(user: User, call: OperationCall, plan: PlannedChange): Promise<BegunChange | null> {
    const { kept, clock, random, differences, keepMs } = this.#dependencies;
    const { app } = user;
    if (app === undefined || keepMs === 0) return null;
    const content = {
      differences: differences.shown(plan.differences),
      undo: plan.undo(null),
      irreversible: plan.irreversible,
      explain: call.asked?.explain ?? null,
    };
    const id = random.token(keptIdBytes);
    await kept.keep({
      id,
      userId: user.id,
      grantId: app.grantId,
      app: app.name,
      service: call.service,
      operation: call.name,
      effect: plan.effect,
      recordId: plan.recordId ?? recordIdOf(plan.input, null),
      at: clock.now(),
      account: plan.account,
      state: 'begun',
      undoneAt: null,
      undoOf: call.asked?.undoOf ?? null,
      partOf: call.program?.id ?? null,
      content: bounded(content),
    });
    return { id, plan, content };
  }

  /** What of a change cannot be taken back, and why, before it is sent; null when all can, as far as it is known. */
  whyIrreversible(plan: PlannedChange): string | null {
    const { differences, keepMs } = this.#dependencies;
    if (plan.irreversible !== null) return plan.irreversible;
    if (keepMs === 0) return keepsNothing;
    const content = { differences: differences.shown(plan.differences), undo: plan.undo(null), irreversible: null };
    return bounded<Content>(content).irreversible;
  }

  /** Completes what was kept by the outcome; what was not made is not kept. */
  async settle({ id, plan, content }: BegunChange, outcome: Outcome): Promise<string | null> {
    const { kept } = this.#dependencies;
    if (!outcome.ok && outcome.sent !== 'unknown') {
      await kept.remove(id);
      return null;
    }
    // A change that may have been made stays as it was kept before.
    if (!outcome.ok) return id;
    const undo = plan.undo(outcome);
    const recordId = plan.recordId ?? recordIdOf(plan.input, outcome.data);
    const done = { ...content, undo, irreversible: plan.irreversible ?? (undo === null ? nothingKept : null) };
    // Most changes are taken back as it was known before; encrypting it again would cost as much as the first time.
    const isKnown = JSON.stringify(done) === JSON.stringify(content);
    await kept.settle(id, { recordId, ...(isKnown ? {} : { content: bounded(done) }) });
    return id;
  }
}

type Content = Readonly<{ differences: readonly unknown[]; undo: unknown; irreversible: string | null }>;

/** Contents without what is too large to be stored. */
function bounded<Given extends Content>(content: Given) {
  if (JSON.stringify(content).length <= maxKeptContent) return content;
  return { ...content, differences: [], undo: null, irreversible: 'What it changed is too large to be kept.' };
}

const keepsNothing = 'This server keeps nothing of changes (UNDO_DAYS=0).';
const nothingKept = 'Nothing was kept from which it could be taken back.';
