import type { Logger } from '#application/ports/logger.ts';
import { every, type Repetition } from '#infrastructure/time/every.ts';

/** Why a place cannot be used: a text for callers, which names no path, and details for the log. */
export type StorageTrouble = Readonly<{ text: string; detail: string }>;

/** A place of the server's data: a file or folder that may vanish, or be replaced, while the server runs. */
type StoragePlace = Readonly<{
  name: 'database' | 'vault' | 'integrity';
  /** Returns why it cannot be used now; null when it can. Quick, since it is asked before each use. */
  look(): StorageTrouble | null;
  /** Called when it is usable after it was not. */
  onBack?(): void;
}>;

type Watched = { readonly place: StoragePlace; wasAway: boolean; isLogged: boolean };

/** How often all places are looked at, in ms. */
const periodMs = 1_000;

/**
 * Knows whether the places of the server's data are those that it opened. While one is not, the server is not ready,
 * refuses deliveries, and does no work of its own; it goes on by itself when the place is back (RUN-028, RUN-031).
 */
export class Storage {
  readonly #watched: Watched[] = [];

  /** Adds a place. */
  add(place: StoragePlace): void {
    this.#watched.push({ place, wasAway: false, isLogged: false });
  }

  /** Returns a function for `trouble` in those places, for those that use them. */
  troubleIn(...names: readonly StoragePlace['name'][]): () => string | null {
    return () => {
      for (const name of names) {
        const trouble = this.trouble(name);
        if (trouble !== null) return trouble;
      }
      return null;
    };
  }

  /** Returns why data cannot be stored now, in any place or in that one, as sentences; null when it can. */
  readonly trouble = (name?: StoragePlace['name']): string | null => {
    for (const watched of this.#watched) {
      if (name !== undefined && watched.place.name !== name) continue;
      const trouble = lookAt(watched);
      if (trouble !== null) return trouble.text;
    }
    return null;
  };

  /** Has the task do nothing while data cannot be stored, in any place or in that one: each try would be an error. */
  unlessAway(task: () => Promise<unknown>, name?: StoragePlace['name']): () => Promise<void> {
    return async () => {
      if (this.trouble(name) === null) await task();
    };
  }

  /** Looks at all places every second, and logs once when one is away, and once when it is back. */
  watch(logger: Logger): Repetition {
    const onError = (error: unknown) => logger.error({ err: error }, 'Storage could not be checked');
    return every(periodMs, async () => this.#look(logger), onError);
  }

  #look(logger: Logger): void {
    for (const watched of this.#watched) {
      const { place } = watched;
      const trouble = lookAt(watched);
      if (trouble !== null) {
        if (!watched.isLogged) logger.error({ place: place.name, ...trouble }, 'Storage unavailable; work is paused');
        watched.isLogged = true;
      } else if (watched.wasAway) {
        if (watched.isLogged) logger.info({ place: place.name }, 'Storage is available again; work continues');
        watched.wasAway = false;
        watched.isLogged = false;
        place.onBack?.();
      }
    }
  }
}

function lookAt(watched: Watched): StorageTrouble | null {
  const trouble = watched.place.look();
  // It may be back before it is looked at again, and what was read of it meanwhile is wrong all the same.
  if (trouble !== null) watched.wasAway = true;
  return trouble;
}
