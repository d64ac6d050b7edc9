import type { Clock } from '#application/ports/clock.ts';
import type {
  ReactionApproval,
  ReactionCount,
  ReactionLog,
  ReactionRefusal,
  ReactionRun,
  RecordedCall,
} from '#application/ports/reaction-log.ts';
import type { WebhookInbox } from '#application/ports/webhook-inbox.ts';
import type { ReactionBook } from '#application/reactions/reaction-book.ts';
import type { ReadingRights } from '#application/reactions/reading-rights.ts';
import type { TrialBounds, TriedEvent, TryReaction } from '#application/reactions/try-reaction.ts';
import type { ReadReaction } from '#domain/reaction-notes/reaction-note.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** The dependencies of the use case; `onReplay` is called when deliveries were requeued. */
type ManageReactionsDependencies = Readonly<{
  book: Pick<ReactionBook, 'all' | 'load' | 'refresh' | 'isLoaded'>;
  log: ReactionLog;
  inbox: Pick<WebhookInbox, 'replay'>;
  reading: Pick<ReadingRights, 'waiting'>;
  tries: Pick<TryReaction, 'run'>;
  clock: Clock;
  onReplay: () => void;
}>;

/**
 * A reaction with its run count, what administrators decided, and its open calls; `approval` and `refusal` are null
 * when there is none. `closed` are the services whose events it may read only once it is approved.
 */
export type ShownReaction = ReadReaction &
  Readonly<{
    count: ReactionCount | null;
    approval: ReactionApproval | null;
    refusal: ReactionRefusal | null;
    closed: readonly ServiceKey[];
    open: readonly RecordedCall[];
  }>;

/** A page of reactions by path; `next` is null on the last one. */
type ReactionPage = Readonly<{ reactions: readonly ShownReaction[]; next: string | null }>;

/** The maximum number of open calls shown. */
const maxOpen = 100;

/** Lists and tries user-written reactions, and lets administrators decide calls whose effect is unknown. */
export class ManageReactions {
  readonly #dependencies: ManageReactionsDependencies;

  constructor(dependencies: ManageReactionsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Whether the notes have been read at least once since the start. */
  get isRead(): boolean {
    return this.#dependencies.book.isLoaded;
  }

  /** Lists all reactions as their notes currently are, by path. */
  async list(): Promise<readonly ShownReaction[]> {
    const { book } = this.#dependencies;
    await book.refresh();
    return this.#shown(book.all());
  }

  /** Lists a page of them: those after the path `after`, or the first. `next` is the path after which the next page begins. */
  async page({ after, limit }: Readonly<{ after: string | null; limit: number }>): Promise<ReactionPage> {
    const { book } = this.#dependencies;
    await book.refresh();
    const rest = book.all().filter(({ path }) => after === null || path > after);
    const shown = await this.#shown(rest.slice(0, limit));
    return { reactions: shown, next: rest.length > limit ? (shown.at(-1)?.path ?? null) : null };
  }

  /** Returns one reaction, or null. */
  async show(path: string): Promise<ShownReaction | null> {
    const { book } = this.#dependencies;
    await book.refresh();
    return (await this.#shown(book.all().filter((one) => one.path === path)))[0] ?? null;
  }

  async #shown(reads: readonly ReadReaction[]): Promise<readonly ShownReaction[]> {
    const { log, reading } = this.#dependencies;
    const reactions = reads.flatMap(({ reaction }) => (reaction === null ? [] : [reaction]));
    const [counts, approvals, refusals, waiting, unknown, closed] = await Promise.all([
      log.counts(),
      log.approvals(),
      log.refusals(),
      log.calls({ state: 'waiting', limit: maxOpen }),
      log.calls({ state: 'unknown', limit: maxOpen }),
      reading.waiting(reactions),
    ]);
    const countOf = new Map(counts.map((count) => [count.reaction, count]));
    const approvalOf = new Map(approvals.map((approval) => [approval.digest, approval]));
    const refusalOf = new Map(refusals.map((refusal) => [refusal.digest, refusal]));
    return reads.map((read) => ({
      ...read,
      count: countOf.get(read.path) ?? null,
      approval: approvalOf.get(read.reaction?.digest ?? '') ?? null,
      refusal: refusalOf.get(read.reaction?.digest ?? '') ?? null,
      closed: closed.get(read.path) ?? [],
      open: [...unknown, ...waiting].filter(({ reaction }) => reaction === read.path),
    }));
  }

  /** Lists the runs of a reaction, of the latest deliveries first, of those before `before` if given. */
  runs(path: string, page: Readonly<{ before?: number; limit: number }>): Promise<readonly ReactionRun[]> {
    return this.#dependencies.log.runs({ reaction: path, ...page });
  }

  /** Tries a reaction on past events without effect; null when there is no valid one at that path. */
  async try(path: string, bounds: TrialBounds = {}): Promise<readonly TriedEvent[] | null> {
    await this.#dependencies.book.load();
    const shown = await this.show(path);
    return shown === null || shown.reaction === null ? null : this.#dependencies.tries.run(shown.reaction, bounds);
  }

  /**
   * Decides on a call with unknown effect: it was made, or it is to be made again. False when there is no such call.
   */
  async decide(key: string, decision: 'made' | 'again', by: string): Promise<boolean> {
    const { log, inbox, clock } = this.#dependencies;
    const call = (await log.calls({ state: 'unknown', limit: maxOpen })).find((one) => one.key === key);
    if (call === undefined) return false;
    const end =
      decision === 'again'
        ? ({ state: 'free' } as const)
        : ({ state: 'done', outcome: `made, as ${by} found`, record: null, at: clock.now() } as const);
    const isEnded = await log.end(key, end);
    if (isEnded) await inbox.replay(call.seq);
    this.#dependencies.onReplay();
    return isEnded;
  }
}
