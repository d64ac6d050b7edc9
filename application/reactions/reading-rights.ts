import type { Clock } from '#application/ports/clock.ts';
import type { ReactionLog } from '#application/ports/reaction-log.ts';
import type { ServerFacts } from '#application/ports/server-facts.ts';
import type { Users } from '#application/ports/users.ts';
import type { ReactionBook } from '#application/reactions/reaction-book.ts';
import type { ReactionNote } from '#domain/reaction-notes/reaction-note.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** The dependencies of the use case. `senders` are the services whose events the reactions of schedules read. */
type ReadingRightsDependencies = Readonly<{
  book: Pick<ReactionBook, 'all' | 'isLoaded'>;
  log: Pick<ReactionLog, 'approvals' | 'refusals' | 'approve' | 'counts'>;
  users: Pick<Users, 'page'>;
  facts: Pick<ServerFacts, 'find' | 'keepFirst'>;
  senders: readonly ServiceKey[];
  clock: Clock;
}>;

type Judged = Readonly<{
  waiting: ReadonlyMap<string, readonly ServiceKey[]>;
  /** Those that may run and are not yet recorded. */
  admitted: readonly ReactionNote[];
}>;

/** Says since when reactions need a right to read: those that had run before keep theirs. */
const sinceFact = 'reactions_read_by_right';
/** The maximum number of digests that are held; with more they are looked up again. */
const maxKept = 2_000;
/** The log keeps the right to read beside the approval of calls, under a digest of its own. */
const rightOf = (digest: string): string => `reads:${digest}`;

/**
 * Decides whether a reaction may read its events: everybody with the permission `vault` can write reactions, and read
 * what they write. It may once everybody with that permission also has those of the services it reads; else an
 * administrator allows it. One that has run is not stopped by a permission that is given later.
 */
export class ReadingRights {
  readonly #dependencies: ReadingRightsDependencies;
  /** The digests of the reactions that are known to have the right for good. */
  readonly #kept = new Set<string>();
  #begun: Promise<void> | null = null;

  constructor(dependencies: ReadingRightsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns by path the reactions that need an administrator's approval, with the services that some may not use. */
  async waiting(reactions: readonly ReactionNote[]): Promise<ReadonlyMap<string, readonly ServiceKey[]>> {
    return (await this.#judged(reactions)).waiting;
  }

  /** The same for reactions that are about to run; records of the others that they may, from now on. */
  async admit(reactions: readonly ReactionNote[]): Promise<ReadonlyMap<string, readonly ServiceKey[]>> {
    const { waiting, admitted } = await this.#judged(reactions);
    for (const reaction of admitted) await this.#keep(reaction);
    return waiting;
  }

  async #judged(reactions: readonly ReactionNote[]): Promise<Judged> {
    const open = reactions.filter(({ digest }) => !this.#kept.has(digest));
    if (open.length === 0) return { waiting: new Map(), admitted: [] };
    await this.#begin();
    const { log } = this.#dependencies;
    const [approvals, refusals] = await Promise.all([log.approvals(), log.refusals()]);
    const digests = new Set(approvals.map(({ digest }) => digest));
    const refused = new Set(refusals.map(({ digest }) => digest));
    const closedTo = new Map<ServiceKey, boolean>();
    const waiting = new Map<string, readonly ServiceKey[]>();
    const admitted: ReactionNote[] = [];
    for (const reaction of open) {
      if (digests.has(rightOf(reaction.digest))) this.#hold(reaction.digest);
      else if (!digests.has(reaction.digest)) {
        const read = this.#read(reaction);
        // One that was refused for what it reads stays so when everybody gets the right.
        const isRefused = reaction.calls.length === 0 && refused.has(reaction.digest);
        for (const key of read) closedTo.set(key, closedTo.get(key) ?? (await this.#isClosed(key)));
        const closed = isRefused ? read : read.filter((key) => closedTo.get(key) === true);
        if (closed.length > 0) waiting.set(reaction.path, closed);
        else admitted.push(reaction);
      }
    }
    return { waiting, admitted };
  }

  async #keep({ path, digest }: ReactionNote): Promise<void> {
    const { log, clock } = this.#dependencies;
    await log.approve({ digest: rightOf(digest), reaction: path, by: 'everybody', at: clock.now() });
    this.#hold(digest);
  }

  #hold(digest: string): void {
    if (this.#kept.size >= maxKept) this.#kept.clear();
    this.#kept.add(digest);
  }

  /** Whether somebody who can read what reactions write may not use the service. */
  async #isClosed(service: ServiceKey): Promise<boolean> {
    for (const state of ['active', 'invited'] as const) {
      const query = { permission: 'vault', without: service, state, limit: 1 } as const;
      if ((await this.#dependencies.users.page(query)).length > 0) return true;
    }
    return false;
  }

  #read({ triggers }: ReactionNote): readonly ServiceKey[] {
    const keys = triggers.flatMap((one) => (one.kind === 'event' ? [one.service] : this.#dependencies.senders));
    return [...new Set(keys)];
  }

  /** Gives the right to the reactions that had run before it was needed; once per database. */
  async #begin(): Promise<void> {
    if (!this.#dependencies.book.isLoaded) return;
    this.#begun ??= this.#keepFormer();
    try {
      await this.#begun;
    } catch (error) {
      this.#begun = null;
      throw error;
    }
  }

  async #keepFormer(): Promise<void> {
    const { book, log, facts, clock } = this.#dependencies;
    if ((await facts.find(sinceFact)) !== null) return;
    const ran = new Set((await log.counts()).map(({ reaction }) => reaction));
    for (const { reaction } of book.all()) if (reaction !== null && ran.has(reaction.path)) await this.#keep(reaction);
    await facts.keepFirst(sinceFact, String(clock.now()));
  }
}
