import {
  type CallEnd,
  type CallState,
  maxRefusals,
  maxSetAside,
  type NewReactionCall,
  type ReactionApproval,
  type ReactionCount,
  type ReactionLog,
  type ReactionRefusal,
  type ReactionRun,
  type RecordedCall,
  type SetAsideNote,
  type TouchedRecord,
} from '#application/ports/reaction-log.ts';
import { isRun } from '#domain/reactions/run-result.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

const byText = (left: string, right: string) => (left < right ? -1 : 1);

/** The log of reactions in memory. */
export class MemoryReactionLog implements ReactionLog {
  readonly #approvals = new Map<string, ReactionApproval>();
  readonly #refusals = new Map<string, ReactionRefusal>();
  readonly #calls = new Map<string, RecordedCall>();
  readonly #counts = new Map<string, ReactionCount>();
  readonly #runs = new Map<string, ReactionRun>();
  readonly #schedules = new Map<string, number>();
  readonly #off = new Set<string>();
  readonly #asides = new Map<string, SetAsideNote>();

  async approve(approval: ReactionApproval): Promise<void> {
    if (!this.#approvals.has(approval.digest)) this.#approvals.set(approval.digest, frozenCopy(approval));
  }

  async withdraw(digest: string): Promise<boolean> {
    const removed = [this.#approvals.delete(digest), this.#refusals.delete(digest)];
    return removed.includes(true);
  }

  async refuse(refusal: ReactionRefusal): Promise<void> {
    if (!this.#refusals.has(refusal.digest)) this.#refusals.set(refusal.digest, frozenCopy(refusal));
    for (const { digest } of (await this.refusals()).slice(maxRefusals)) this.#refusals.delete(digest);
  }

  async refusals(): Promise<readonly ReactionRefusal[]> {
    return [...this.#refusals.values()].toSorted(
      (left, right) => right.at - left.at || byText(left.digest, right.digest),
    );
  }

  async approvals(): Promise<readonly ReactionApproval[]> {
    return [...this.#approvals.values()].toSorted((left, right) =>
      left.reaction === right.reaction
        ? left.at - right.at || byText(left.digest, right.digest)
        : byText(left.reaction, right.reaction),
    );
  }

  async begin(call: NewReactionCall): Promise<RecordedCall | null> {
    const before = this.#calls.get(call.key);
    if (before !== undefined && before.state !== 'waiting') return before;
    this.#put(call, 'begun');
    return null;
  }

  async wait(call: NewReactionCall): Promise<void> {
    if (!this.#calls.has(call.key)) this.#put(call, 'waiting');
  }

  async end(key: string, end: CallEnd): Promise<boolean> {
    const call = this.#calls.get(key);
    if (call?.state !== 'begun' && call?.state !== 'unknown') return false;
    if (end.state === 'free') return this.#calls.delete(key);
    const record = end.state === 'done' ? end.record : null;
    this.#calls.set(key, frozenCopy({ ...call, state: end.state, outcome: end.outcome, record, endedAt: end.at }));
    return true;
  }

  async calls({ reaction, state, limit }: Readonly<{ reaction?: string; state?: CallState; limit: number }>) {
    return [...this.#calls.values()]
      .filter(
        (call) =>
          (reaction === undefined || call.reaction === reaction) && (state === undefined || call.state === state),
      )
      .toSorted((left, right) => right.at - left.at || byText(left.key, right.key))
      .slice(0, limit);
  }

  async touchedSince({ service, id }: TouchedRecord, since: number): Promise<RecordedCall | null> {
    const [latest = null] = [...this.#calls.values()]
      .filter(({ record, endedAt }) => record?.service === service && record.id === id && (endedAt ?? -1) >= since)
      .toSorted((left, right) => (right.endedAt ?? 0) - (left.endedAt ?? 0) || byText(left.key, right.key));
    return latest;
  }

  async noteRuns(runs: readonly ReactionRun[]): Promise<void> {
    for (const { reaction, seq, at, result, outcome } of runs) {
      const key = JSON.stringify([reaction, seq]);
      const before = this.#runs.get(key)?.result ?? 'unmet';
      this.#runs.set(key, frozenCopy({ reaction, seq, at, result, outcome }));
      const count = this.#counts.get(reaction) ?? { reaction, at, outcome, isFault: false, runs: 0, faults: 0 };
      const faults = count.faults + Number(result === 'failed') - Number(before === 'failed');
      const counted = { ...count, runs: count.runs + Number(isRun(result) && !isRun(before)), faults };
      const last = isRun(result) ? { at, outcome, isFault: result === 'failed' } : {};
      if (isRun(result) || isRun(before)) this.#counts.set(reaction, frozenCopy({ ...counted, ...last }));
    }
  }

  async runs({ reaction, before = Infinity, limit }: Parameters<ReactionLog['runs']>[0]) {
    return [...this.#runs.values()]
      .filter((run) => run.reaction === reaction && run.seq < before)
      .toSorted((left, right) => right.seq - left.seq)
      .slice(0, limit);
  }

  async runsOf(seq: number): Promise<readonly ReactionRun[]> {
    return [...this.#runs.values()]
      .filter((run) => run.seq === seq)
      .toSorted((left, right) => byText(left.reaction, right.reaction))
      .slice(0, 1_000);
  }

  async pruneRuns(before: number): Promise<number> {
    const old = [...this.#runs].filter(([, { at }]) => at < before);
    for (const [key] of old) this.#runs.delete(key);
    return old.length;
  }

  async counts(): Promise<readonly ReactionCount[]> {
    return [...this.#counts.values()].toSorted((left, right) => byText(left.reaction, right.reaction));
  }

  async scheduledTo(reaction: string): Promise<number | null> {
    return this.#schedules.get(reaction) ?? null;
  }

  async advance(reaction: string, from: number | null, to: number): Promise<boolean> {
    if ((this.#schedules.get(reaction) ?? null) !== from) return false;
    this.#schedules.set(reaction, to);
    return true;
  }

  async setSwitch(name: string, isOn: boolean): Promise<void> {
    if (isOn) this.#off.delete(name);
    else this.#off.add(name);
  }

  async switchedOff(): Promise<readonly string[]> {
    return [...this.#off].toSorted();
  }

  async setAside(note: SetAsideNote): Promise<void> {
    if (!this.#asides.has(note.digest)) this.#asides.set(note.digest, frozenCopy(note));
    for (const { digest } of (await this.setAsideNotes()).slice(maxSetAside)) this.#asides.delete(digest);
  }

  async setAsideNotes(): Promise<readonly SetAsideNote[]> {
    return [...this.#asides.values()].toSorted(
      (left, right) => right.at - left.at || byText(left.digest, right.digest),
    );
  }

  #put({ key, reaction, operation, seq, depth, at }: NewReactionCall, state: CallState): void {
    const nothing = { outcome: null, record: null, endedAt: null };
    this.#calls.set(key, frozenCopy({ key, reaction, operation, seq, depth, at, state, ...nothing }));
  }
}
