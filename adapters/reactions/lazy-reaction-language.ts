import type { LanguageOptions, ReactionLanguages } from '#adapters/reactions/reaction-languages.ts';
import type { FilledReaction, ReactionLanguage } from '#application/ports/reaction-language.ts';
import type { EventData } from '#domain/reaction-notes/event-data.ts';
import type { ReactionNote, ReadReaction } from '#domain/reaction-notes/reaction-note.ts';
import { fences, hasReactionKey } from '#domain/reaction-notes/status-line.ts';
import type { Result } from '#domain/shared/result.ts';

/**
 * Loads the reaction languages with the first note that is a reaction; a server without such notes never loads them.
 */
export class LazyReactionLanguage implements ReactionLanguage {
  readonly #options: () => LanguageOptions;
  #loading: Promise<ReactionLanguages> | null = null;
  #loaded: ReactionLanguages | null = null;

  /** `options` is called when the languages are loaded. */
  constructor(options: () => LanguageOptions) {
    this.#options = options;
  }

  async read(path: string, text: string): Promise<ReadReaction | null> {
    const [, frontmatter] = fences.exec(text) ?? [];
    if (frontmatter === undefined || !hasReactionKey(frontmatter)) return null;
    return (await this.#languages()).read(path, text);
  }

  isMet(reaction: ReactionNote, data: EventData): Result<boolean, string> | null {
    return this.#loaded?.isMet(reaction, data) ?? null;
  }

  async fill(reaction: ReactionNote, data: EventData): Promise<Result<FilledReaction | null, string>> {
    return (await this.#languages()).fill(reaction, data);
  }

  nextTime(pattern: string, zone: string | null, after: number): number | null {
    return this.#loaded?.nextTime(pattern, zone, after) ?? null;
  }

  /** Whether the languages have been loaded. */
  get isLoaded(): boolean {
    return this.#loaded !== null;
  }

  /** Stops the threads. */
  async close(): Promise<void> {
    await (await this.#loading)?.close();
  }

  async #languages(): Promise<ReactionLanguages> {
    this.#loading ??= this.#load();
    this.#loaded = await this.#loading;
    return this.#loaded;
  }

  async #load(): Promise<ReactionLanguages> {
    const { ReactionLanguages: Languages } = await import('#adapters/reactions/reaction-languages.ts');
    return new Languages(this.#options());
  }
}
