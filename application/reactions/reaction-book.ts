import type { Logger } from '#application/ports/logger.ts';
import type { ReactionLanguage } from '#application/ports/reaction-language.ts';
import type { ReactionNotes } from '#application/ports/reaction-notes.ts';
import type { VaultNotes } from '#application/ports/vault-notes.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import { type ReactionNote, type ReadReaction, statusLine } from '#domain/reaction-notes/reaction-note.ts';
import { statusKey, withStatusLine } from '#domain/reaction-notes/status-line.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { ok, type Result } from '#domain/shared/result.ts';

/** The dependencies of the use case. */
export type ReactionBookDependencies = Readonly<{
  paths: ReactionNotes;
  notes: VaultNotes;
  language: Pick<ReactionLanguage, 'read'>;
  logger: Logger;
}>;

const none: readonly ReactionNote[] = [];

/** The maximum length of a status written into a note, in characters. */
const maxStatus = 300;

/**
 * Holds the user-written reactions as their notes currently are. A note is parsed only when it has changed; reactions
 * are indexed by event.
 */
export class ReactionBook {
  readonly #dependencies: ReactionBookDependencies;
  #read: readonly ReadReaction[] = [];
  #byEvent: ReadonlyMap<string, readonly ReactionNote[]> = new Map();
  #texts = new Map<string, Readonly<{ text: string; read: ReadReaction | null }>>();
  #loading: Promise<void> | null = null;
  #isLoaded = false;

  constructor(dependencies: ReactionBookDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns all reactions, including invalid ones, by path. */
  all(): readonly ReadReaction[] {
    return this.#read;
  }

  /** Returns the reactions to that event that are not off, by path. */
  to({ service, name }: Readonly<{ service: ServiceKey; name: string }>): readonly ReactionNote[] {
    if (this.#byEvent.size === 0) return none;
    return this.#byEvent.get(`${service}.${name}`) ?? none;
  }

  /** Returns the reaction at that path; null when there is no valid one. */
  at(path: string): ReactionNote | null {
    return this.#read.find((one) => one.path === path)?.reaction ?? null;
  }

  /** Whether the notes have been read since the start. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /**
   * Reloads the notes and writes its status into each. When the notes cannot be read, everything stays unchanged and
   * false is returned.
   */
  async load(): Promise<boolean> {
    while (this.#loading !== null) await this.#loading;
    const isRead = Promise.withResolvers<void>();
    this.#loading = isRead.promise;
    try {
      return await this.#loadNow();
    } finally {
      this.#loading = null;
      isRead.resolve();
    }
  }

  async #loadNow(): Promise<boolean> {
    const { paths, notes, logger } = this.#dependencies;
    const listed = await paths.paths();
    if (!listed.ok) return this.#missed(listed.failure.message);
    const texts = new Map<string, Readonly<{ text: string; read: ReadReaction | null }>>();
    for (const path of listed.value) {
      const note = await notes.read(path);
      if (!note.ok) return this.#missed(note.failure.message);
      // The note was deleted after it was listed.
      if (note.value === null) continue;
      const text = note.value.content;
      const known = this.#texts.get(path);
      texts.set(
        path,
        known?.text === text ? known : { text, read: await this.#dependencies.language.read(path, text) },
      );
    }
    this.#texts = texts;
    this.#read = [...texts.values()].flatMap(({ read }) => (read === null ? [] : [read]));
    this.#byEvent = byEvent(this.#read);
    this.#isLoaded = true;
    for (const read of this.#read) await this.#writeStatus(read);
    logger.debug({ reactions: this.#read.length }, 'Reactions were read');
    return true;
  }

  #missed(error: string): false {
    this.#dependencies.logger.warn({ error }, 'The reactions could not be read; those known stay');
    return false;
  }

  /** Writes the reaction's status into its note if it differs; a failure is only logged. */
  async #writeStatus(read: ReadReaction): Promise<void> {
    const status = statusLine(read).slice(0, maxStatus);
    if (read.status === status) return;
    const { notes, logger } = this.#dependencies;
    const written = read.isYaml
      ? await notes.setFrontmatter(read.path, statusKey, status)
      : await this.#writeLine(read.path, status);
    if (!written.ok) logger.warn({ path: read.path }, 'The status of a reaction could not be written');
  }

  /** Writes the status into frontmatter that the vault cannot change because it is not valid YAML. */
  async #writeLine(path: string, status: string): Promise<Result<unknown, Failure>> {
    const { notes } = this.#dependencies;
    const note = await notes.read(path);
    if (!note.ok || note.value === null || note.value.version === null) return note;
    const text = withStatusLine(note.value.content, status);
    return text === null ? ok(null) : notes.replace(path, text, note.value.version);
  }
}

function byEvent(read: readonly ReadReaction[]): ReadonlyMap<string, readonly ReactionNote[]> {
  const found = new Map<string, ReactionNote[]>();
  for (const { reaction } of read) {
    if (reaction === null || reaction.mode === 'off') continue;
    for (const trigger of reaction.triggers) {
      if (trigger.kind === 'schedule') continue;
      const key = `${trigger.service}.${trigger.name}`;
      const those = found.get(key) ?? [];
      if (!those.includes(reaction)) found.set(key, [...those, reaction]);
    }
  }
  return found;
}
