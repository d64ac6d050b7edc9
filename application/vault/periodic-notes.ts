import type { Clock } from '#application/ports/clock.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { PeriodicSettings, VaultFiles } from '#application/ports/vault-folder.ts';
import type { VaultFailure } from '#application/vault/problems.ts';
import type { TimeOfDay } from '#domain/notes/moment-format.ts';
import { filledTemplate } from '#domain/notes/note-template.ts';
import {
  notePathIn,
  type Period,
  periodicName,
  periodicNotePath,
  usualPeriodicPath,
} from '#domain/notes/periodic-notes.ts';
import { noteName } from '#domain/notes/vault-path.ts';
import { type Day, localDay, type Weeks } from '#domain/notes/week-of-year.ts';

/**
 * A periodic note: its path, whether it is there, what it begins with when it is made (null for nothing), and which
 * parts of the vault's configuration are not used, as sentences.
 */
export type PeriodicNote = Readonly<{
  path: string;
  isThere: boolean;
  begin: Uint8Array | null;
  ignored: readonly string[];
}>;

/** What periodic notes are found by. */
export type PeriodicDependencies = Readonly<{
  files: VaultFiles;
  periods: PeriodicSettings;
  clock: Clock;
  weeks: Weeks;
  logger: Logger;
}>;

/** The maximum size of a template, in bytes. */
const maxTemplate = 128 * 1024;

/** Finds periodic notes where the vault's own configuration has them, else in a folder for each period (EMB-025). */
export class PeriodicNotes {
  readonly #files: VaultFiles;
  readonly #periods: PeriodicSettings;
  readonly #clock: Clock;
  readonly #weeks: Weeks;
  readonly #logger: Logger;
  /** What was last logged as not used, so that each state of the configuration is logged once. */
  readonly #logged = new Map<Period, string>();

  constructor({ files, periods, clock, weeks, logger }: PeriodicDependencies) {
    this.#files = files;
    this.#periods = periods;
    this.#clock = clock;
    this.#weeks = weeks;
    this.#logger = logger;
  }

  /** Finds the note of the period that a day lies in; of the current period for null. */
  async find(period: Period, on: Day | null): Promise<PeriodicNote> {
    const day = on ?? localDay(this.#clock.now());
    const { place, source, ignored: unread } = await this.#periods.of(period);
    const ignored = [...unread];
    const configured = place === null ? null : periodicNotePath(place, day, this.#weeks);
    if (configured?.ok === false) ignored.push(`${source} is not used: ${configured.failure}.`);
    const path = configured?.ok === true ? configured.value : await this.#usualPath(period, day);
    const isThere = await this.#files.has(path);
    const template = configured?.ok === true && !isThere ? (place?.template ?? null) : null;
    const begin = template === null ? null : await this.#filled(template, { day, path, source, ignored });
    this.#log(period, ignored.join(' '));
    return { path, isThere, begin, ignored };
  }

  /** Without configuration, a note that is at the root of the vault, where the notes app puts it, is taken. */
  async #usualPath(period: Period, day: Day): Promise<string> {
    const path = usualPeriodicPath(period, day, this.#weeks);
    const atRoot = periodicName(period, day, this.#weeks);
    return !(await this.#files.has(path)) && (await this.#files.has(atRoot)) ? atRoot : path;
  }

  async #filled(
    template: string,
    { day, path, source, ignored }: Readonly<{ day: Day; path: string; source: string; ignored: string[] }>,
  ): Promise<Uint8Array | null> {
    const place = notePathIn(template);
    const read = place.ok ? await this.#files.read(place.value) : null;
    if (read?.ok === true && read.value.bytes.length <= maxTemplate) {
      const values = { day, title: noteName(path), time: timeOfDay(this.#clock.now()), weeks: this.#weeks };
      return Buffer.from(filledTemplate(read.value.bytes.toString('utf8'), values));
    }
    const fault = place.ok ? `"${place.value}" cannot be read` : place.failure;
    ignored.push(`The template in ${source} is not used: ${fault}.`);
    return null;
  }

  #log(period: Period, ignored: string): void {
    if ((this.#logged.get(period) ?? '') === ignored) return;
    this.#logged.set(period, ignored);
    if (ignored !== '') this.#logger.warn({ period, ignored }, 'The configuration of periodic notes is not used');
  }
}

/** The failure of reading or deleting a periodic note that is not there; it names the path. */
export const noPeriodicNote = ({ path, ignored }: PeriodicNote): VaultFailure => ({
  reason: 'no_periodic_note',
  detail: [`There is no note "${path}".`, ...ignored].join(' '),
});

function timeOfDay(now: number): TimeOfDay {
  const date = new Date(now);
  return { hour: date.getHours(), minute: date.getMinutes(), second: date.getSeconds() };
}
