import type { Clock } from '#application/ports/clock.ts';
import type { ReactionLog } from '#application/ports/reaction-log.ts';
import type { WebhookInbox } from '#application/ports/webhook-inbox.ts';
import type { ShownReaction } from '#application/reactions/manage-reactions.ts';
import type { ReactionBook } from '#application/reactions/reaction-book.ts';
import type { ReadingRights } from '#application/reactions/reading-rights.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import type { ReactionNote } from '#domain/reaction-notes/reaction-note.ts';
import { readingOperation } from '#domain/reactions/step.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** The dependencies of the use case; `onReplay` is called when deliveries were requeued. */
type ReactionApprovalsDependencies = Readonly<{
  book: Pick<ReactionBook, 'all' | 'load' | 'refresh' | 'isLoaded'>;
  log: Pick<ReactionLog, 'approvals' | 'refusals' | 'approve' | 'refuse' | 'withdraw' | 'calls' | 'begin' | 'end'>;
  inbox: Pick<WebhookInbox, 'replay'>;
  reading: Pick<ReadingRights, 'waiting'>;
  clock: Clock;
  onReplay: () => void;
}>;

/** A reaction that waits for an administrator; `closed` are the services whose events it may read only once it is approved. */
export type WaitingReaction = Readonly<{ reaction: ReactionNote; closed: readonly ServiceKey[] }>;

/** An administrator's decision on a version of a reaction, by their e-mail address, with what they wrote. */
export type ReactionDecision = Readonly<{ isAllowed: boolean; by: string; comment: string | null }>;

/** The maximum number of deliveries that are worked on again when a reaction is decided. */
const maxRequeued = 1_000;
/** How long a count is used, in ms: it is part of every page. */
const countedMs = 5_000;

/** Whether a reaction that nobody decided on waits for an administrator: to make its calls, or to read events. */
function needsApproval({ reaction: { mode, calls }, closed }: WaitingReaction): boolean {
  return (mode === 'on' && calls.length > 0) || (mode !== 'off' && closed.length > 0);
}

/** Returns a shown reaction if it waits for an administrator; null when it does not, or when one decided. */
export function waitingIn({
  reaction,
  closed,
  approval,
  refusal,
}: Pick<ShownReaction, 'reaction' | 'closed' | 'approval' | 'refusal'>): WaitingReaction | null {
  const isDecided = approval !== null || refusal !== null;
  return reaction !== null && !isDecided && needsApproval({ reaction, closed }) ? { reaction, closed } : null;
}

/** Lists the reactions that wait for an administrator, and lets one allow or refuse each, as its text is now. */
export class ReactionApprovals {
  readonly #dependencies: ReactionApprovalsDependencies;
  #counted: Readonly<{ at: number; waiting: number }> | null = null;

  constructor(dependencies: ReactionApprovalsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Lists the reactions that wait, by path, as their notes currently are. */
  async waiting(): Promise<readonly WaitingReaction[]> {
    await this.#dependencies.book.refresh();
    return this.#open();
  }

  /** Whether the notes have been read since the start: until then, more reactions may wait than are listed. */
  get isRead(): boolean {
    return this.#dependencies.book.isLoaded;
  }

  /** Counts those that wait, of the notes as they were last read; a count is used for some seconds. */
  async count(): Promise<number> {
    const now = this.#dependencies.clock.now();
    if (this.#counted === null || now - this.#counted.at >= countedMs) {
      this.#counted = { at: now, waiting: (await this.#open()).length };
    }
    return this.#counted.waiting;
  }

  /**
   * Decides on the version with that digest, requeues the deliveries that waited for it, and returns its path. Fails with `not_found` when
   * no note has that text any more, and with `conflict` when it was decided already.
   */
  async decide(digest: string, { isAllowed, by, comment }: ReactionDecision): Promise<Result<string, Failure>> {
    const { book, log, clock, onReplay } = this.#dependencies;
    await book.load();
    const reaction = book.all().find((one) => one.reaction?.digest === digest)?.reaction ?? null;
    if (reaction === null) return err(changedSince);
    if (!(await this.#open()).some((one) => one.reaction.digest === digest)) return err(decided);
    const decision = { digest, reaction: reaction.path, by, at: clock.now() };
    await (isAllowed ? log.approve(decision) : log.refuse({ ...decision, comment }));
    this.#counted = null;
    await this.#requeue(reaction.path, isAllowed);
    onReplay();
    return ok(reaction.path);
  }

  /** Withdraws the decision, so that the reaction waits again; false when there is none. */
  async withdraw(digest: string): Promise<boolean> {
    this.#counted = null;
    return this.#dependencies.log.withdraw(digest);
  }

  async #open(): Promise<readonly WaitingReaction[]> {
    const { book, log, reading } = this.#dependencies;
    const [approvals, refusals] = await Promise.all([log.approvals(), log.refusals()]);
    const decisions = new Set([...approvals, ...refusals].map(({ digest }) => digest));
    const open = book
      .all()
      .flatMap(({ reaction }) => (reaction === null || decisions.has(reaction.digest) ? [] : [reaction]));
    if (open.length === 0) return [];
    const closed = await reading.waiting(open);
    return open
      .map((reaction) => ({ reaction, closed: closed.get(reaction.path) ?? [] }))
      .filter((one) => needsApproval(one));
  }

  /** Requeues what waited for the decision; calls that an administrator refused do not wait any more. */
  async #requeue(path: string, isAllowed: boolean): Promise<void> {
    const { log, inbox } = this.#dependencies;
    for (const call of await log.calls({ reaction: path, state: 'waiting', limit: maxRequeued })) {
      const isOver = !isAllowed || call.operation === readingOperation;
      if (isOver && (await log.begin(call)) === null) await log.end(call.key, { state: 'free' });
      await inbox.replay(call.seq);
    }
  }
}

const changedSince = failed('not_found', 'The note has changed since it was shown, or there is none. Read it again.');
const decided = failed('conflict', 'It was decided already.');
