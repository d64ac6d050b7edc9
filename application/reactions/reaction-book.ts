import type { Clock } from '#application/ports/clock.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { ReactionLanguage } from '#application/ports/reaction-language.ts';
import type { ReactionLog } from '#application/ports/reaction-log.ts';
import type { ReactionNotes } from '#application/ports/reaction-notes.ts';
import type { VaultNotes } from '#application/ports/vault-notes.ts';
import { type ReactionIndex, reactionIndex } from '#application/reactions/reaction-index.ts';
import { ReadingQueue, within } from '#application/reactions/reading-queue.ts';
import { writeStatus } from '#application/reactions/write-status.ts';
import { nextTurn } from '#application/turns/next-turn.ts';
import type { FailureReason } from '#domain/operations/outcome.ts';
import type { ReactionNote, ReadReaction } from '#domain/reaction-notes/reaction-note.ts';
import { isReactionText, textDigest, wholeDigest } from '#domain/reaction-notes/status-line.ts';
import { maxAllReactions, unreadReaction } from '#domain/reaction-notes/unread-reaction.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** The dependencies of the use case. */
export type ReactionBookDependencies = Readonly<{
  paths: ReactionNotes;
  notes: VaultNotes;
  language: Pick<ReactionLanguage, 'read'>;
  log: Pick<ReactionLog, 'counts' | 'setAside' | 'setAsideNotes'>;
  clock: Clock;
  logger: Logger;
  /** How long the notes that have changed are waited for, in ms. */
  maxWaitMs?: number;
}>;

/**
 * A note as it was last read. The digests are those of its whole text, and of its text without its status; `stamp` names the state in
 * which it had that text, null while that is not known.
 */
type HeldNote = Readonly<{
  whole: string;
  digest: string;
  size: number;
  read: ReadReaction | null;
  stamp: string | null;
}>;

/** How long the notes that have changed are waited for, in ms. */
const defaultWaitMs = 10_000;
/** Failures of a vault that hold for one note, and not for the others. */
const ofOneNote: readonly FailureReason[] = ['too_large', 'rejected', 'invalid_input'];
const none: readonly ReactionNote[] = [];
const nothing = { whole: '', digest: '', size: 0, stamp: null };

/**
 * Holds the user-written reactions as their notes currently are. A note is parsed only when it has changed, one after
 * another in the background; one that exceeds the limits of that twice is set aside until it changes. Reactions are
 * indexed by event.
 */
export class ReactionBook {
  readonly #dependencies: ReactionBookDependencies;
  #held = new Map<string, HeldNote>();
  /** What follows from the held notes; null after one of them has changed. */
  #index: ReactionIndex | null = null;
  readonly #queue: ReadingQueue;
  #ran: ReadonlySet<string> = new Set();
  /** The digest, by path, of each note that has exceeded the limits once and is to be read again. */
  readonly #exceeded = new Map<string, string>();
  /** The digests of the notes that are set aside. */
  #aside: ReadonlySet<string> = new Set();
  #listing: Promise<unknown> = Promise.resolve();
  /** The listing that begins when the running one has ended, for all who ask meanwhile. */
  #nextListing: Promise<boolean> | null = null;
  #isLoaded = false;
  /** How many callers of `load` wait. */
  #loads = 0;
  /** Ends when the note that was changed last has been read, or has taken too long. */
  #change: Promise<unknown> = Promise.resolve();

  constructor(dependencies: ReactionBookDependencies) {
    this.#dependencies = dependencies;
    this.#queue = new ReadingQueue({
      read: (path) => this.#read(path),
      say: (path) => writeStatus(this.#held.get(path)?.read ?? null, dependencies),
      logger: dependencies.logger,
    });
  }

  /** Returns all reactions, including invalid ones, by path. */
  all(): readonly ReadReaction[] {
    return this.#indexed().all;
  }

  /** Returns the reactions to that event that are not off, by path. */
  to({ service, name }: Readonly<{ service: ServiceKey; name: string }>): readonly ReactionNote[] {
    return this.#indexed().byEvent.get(`${service}.${name}`) ?? none;
  }

  /** Returns the reactions to that event that are off, by path. */
  offTo({ service, name }: Readonly<{ service: ServiceKey; name: string }>): readonly ReactionNote[] {
    return this.#indexed().offByEvent.get(`${service}.${name}`) ?? none;
  }

  /** Returns the reaction at that path; null when there is no valid one. */
  at(path: string): ReactionNote | null {
    return this.#held.get(path)?.read?.reaction ?? null;
  }

  /**
   * Whether the notes have been read since the start; of those that take long, only the ones whose reactions have run
   * before.
   */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /**
   * Lists the notes again and waits, within limits, until those that have changed are read; their statuses are written
   * afterwards. When the vault cannot be read, everything stays unchanged and false is returned.
   */
  async load(): Promise<boolean> {
    this.#loads += 1;
    try {
      return await this.#load();
    } finally {
      this.#loads -= 1;
    }
  }

  /** As `load`, for whoever only shows the reactions: the first reading since the start is not waited for, only its list. */
  async refresh(): Promise<void> {
    if (this.#isLoaded || this.#loads === 0) await this.load();
    else await this.#listing;
  }

  /** Ends when no status is left to write, within limits. */
  async idle(): Promise<void> {
    await this.#queue.idle(this.#dependencies.maxWaitMs ?? defaultWaitMs);
  }

  async #load(): Promise<boolean> {
    this.#nextListing ??= this.#listing.then(() => {
      this.#nextListing = null;
      return this.#list();
    });
    const listing = this.#nextListing;
    this.#listing = listing.catch(() => undefined);
    if (!(await listing)) return false;
    await this.#queue.read(this.#dependencies.maxWaitMs ?? defaultWaitMs);
    const unread = this.#queue.unread();
    if (!unread.some((path) => this.#ran.has(path))) this.#isLoaded = true;
    this.#dependencies.logger.debug({ notes: this.#held.size, unread: unread.length }, 'Reactions were read');
    return this.#isLoaded;
  }

  /** Reads the notes again, as `load`, after one of them was changed; `changesRead` waits for that. */
  async noteChanged(): Promise<boolean> {
    const loading = this.load();
    // That it failed is the caller's to hear.
    this.#change = within(this.#dependencies.maxWaitMs ?? defaultWaitMs, loading).catch(() => undefined);
    return loading;
  }

  /** Ends when the changes that are known have been read, within the same limits from the last of them. */
  async changesRead(): Promise<void> {
    await this.#change;
  }

  /** Sets a reaction aside until its note changes. */
  async setAside({ path, digest }: Pick<ReactionNote, 'path' | 'digest'>): Promise<void> {
    const held = this.#held.get(path);
    if (held?.read?.reaction?.digest !== digest) return;
    await this.#setAside(path, held);
  }

  /** Finds out which notes have changed; their texts are not parsed here. */
  async #list(): Promise<boolean> {
    const { paths, log } = this.#dependencies;
    const listed = await paths.paths();
    if (!listed.ok) return this.#missed(listed.failure.message);
    this.#aside = new Set((await log.setAsideNotes()).map(({ digest }) => digest));
    this.#ran = new Set((await log.counts()).map(({ reaction }) => reaction));
    const stamps = await paths.stamps(listed.value);
    const held = new Map<string, HeldNote>();
    const changed: string[] = [];
    let same = 0;
    for (const path of listed.value) {
      const before = this.#held.get(path);
      const stamp = stamps.get(path) ?? null;
      if (before !== undefined && stamp !== null && before.stamp === stamp) {
        held.set(path, before);
        same += 1;
        continue;
      }
      // A vault in this process answers without a turn of the event loop.
      await nextTurn();
      const text = await paths.text(path);
      if (!text.ok && !ofOneNote.includes(text.failure.reason)) return this.#missed(text.failure.message);
      if (!text.ok) held.set(path, { ...nothing, read: unreadReaction(path, 'unreadable') });
      // The note was deleted after it was listed.
      if (!text.ok || text.value === null) continue;
      const known = this.#held.get(path);
      const isChanged = known?.whole !== wholeDigest(text.value);
      if (isChanged) changed.push(path);
      const read = isReactionText(text.value) ? unreadReaction(path, 'waiting') : null;
      // A text that is still to be parsed is compared again each time.
      held.set(path, { ...(known ?? { ...nothing, read }), stamp: isChanged ? null : stamp });
    }
    if (same !== held.size || same !== this.#held.size) this.#index = null;
    this.#held = held;
    for (const path of this.#exceeded.keys()) if (!held.has(path)) this.#exceeded.delete(path);
    this.#queue.replace([...changed.filter((path) => this.#ran.has(path)), ...changed]);
    return true;
  }

  /** Reads a note; one that exceeds the limits is read again after the others. */
  async #read(path: string): Promise<void> {
    const text = await this.#dependencies.paths.text(path);
    if (!text.ok || text.value === null) return;
    const [digest, size] = [textDigest(text.value), text.value.length];
    const note = { whole: wholeDigest(text.value), digest, size, stamp: null };
    const known = this.#held.get(path);
    if (known?.digest === digest) return this.#hold(path, { ...note, read: known.read });
    if (this.#aside.has(digest)) return this.#hold(path, { ...note, read: unreadReaction(path, 'setAside') });
    if (this.#sizeWithout(path) + size > maxAllReactions) {
      // Without a digest it is looked at again when the others have changed.
      return this.#hold(path, { ...nothing, read: unreadReaction(path, 'tooMuch') });
    }
    const hasExceeded = this.#exceeded.get(path) === digest;
    this.#exceeded.delete(path);
    const read = await this.#dependencies.language.read(path, text.value);
    if (read.ok) return this.#hold(path, { ...note, read: read.value });
    if (hasExceeded) return this.#setAside(path, note);
    this.#exceeded.set(path, digest);
    this.#queue.add(path);
  }

  async #setAside(path: string, note: Omit<HeldNote, 'read'>): Promise<void> {
    const { log, clock, logger } = this.#dependencies;
    await log.setAside({ digest: note.digest, reaction: path, at: clock.now() });
    this.#aside = new Set([...this.#aside, note.digest]);
    this.#hold(path, { ...note, read: unreadReaction(path, 'setAside') });
    logger.warn({ path }, 'A reaction exceeded its limits twice and is set aside until it changes');
  }

  /** Holds a note, unless it was deleted meanwhile. */
  #hold(path: string, note: HeldNote): void {
    if (!this.#held.has(path)) return;
    this.#held.set(path, note);
    this.#index = null;
    if (note.read !== null) this.#queue.say(path);
  }

  #sizeWithout(path: string): number {
    return [...this.#held].reduce((total, [one, { size }]) => (one === path ? total : total + size), 0);
  }

  #missed(error: string): false {
    this.#dependencies.logger.warn({ error }, 'The reactions could not be read; those known stay');
    return false;
  }

  #indexed(): ReactionIndex {
    this.#index ??= reactionIndex([...this.#held.values()].flatMap(({ read }) => (read === null ? [] : [read])));
    return this.#index;
  }
}
