import { z } from 'zod';
import type { PeriodicSetting, PeriodicSettings } from '#application/ports/vault-folder.ts';
import { jsonOrNull } from '#domain/json/json-data.ts';
import { type Period, usualFormats } from '#domain/notes/periodic-notes.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { isFileAbsent } from '#infrastructure/files/error-code.ts';
import { realPathInside } from '#infrastructure/files/inside-folder.ts';
import { OpenedFile } from '#infrastructure/files/opened-file.ts';

const text = z.string().nullish();
const place = z.object({ folder: text, format: text, template: text, enabled: z.boolean().nullish() });
const ofPeriods = z.object({
  daily: place.nullish(),
  weekly: place.nullish(),
  monthly: place.nullish(),
  quarterly: place.nullish(),
  yearly: place.nullish(),
});

const dailyFile = '.obsidian/daily-notes.json';
const pluginFile = '.obsidian/plugins/periodic-notes/data.json';

/** The maximum size of a configuration file, in bytes. */
const maxBytes = 64 * 1024;

/**
 * Reads where the periodic notes are from the notes app's configuration in the vault's folder: the plugin for periodic
 * notes, then the app's own daily notes. The files are read at each call, so that a change counts at once (EMB-025).
 */
export class ConfiguredPeriods implements PeriodicSettings {
  readonly #root: string;

  /** `root` must be a real path. */
  constructor(root: string) {
    this.#root = root;
  }

  async of(period: Period): Promise<PeriodicSetting> {
    const ignored: string[] = [];
    const plugin = await this.#read(pluginFile, ofPeriods, ignored);
    const ofPlugin = plugin?.[period];
    if (ofPlugin?.enabled === true) return { place: placeOf(period, ofPlugin), source: pluginFile, ignored };
    const daily = period === 'daily' ? await this.#read(dailyFile, place, ignored) : null;
    return { place: daily === null ? null : placeOf(period, daily), source: dailyFile, ignored };
  }

  async #read<Shape extends z.ZodType>(file: string, shape: Shape, ignored: string[]): Promise<z.output<Shape> | null> {
    const read = await this.#textOf(file);
    if (read.ok && read.value === null) return null;
    const parsed = read.ok ? shape.safeParse(jsonOrNull(read.value ?? '')) : null;
    if (parsed?.success === true) return parsed.data;
    ignored.push(`${file} is not used: ${read.ok ? 'it is no configuration of periodic notes' : read.failure}.`);
    return null;
  }

  /** The text of a file; null when there is none. */
  async #textOf(file: string): Promise<Result<string | null, string>> {
    try {
      const real = await realPathInside(this.#root, file);
      if (real === null) return err('a link leads out of the vault');
      const opened = OpenedFile.open(real);
      try {
        const figures = opened.figures();
        if (!figures.isFile()) return err('it is no file');
        if (figures.size > maxBytes) return err(`it has more than ${maxBytes} bytes`);
        return ok((await opened.read(Number(figures.size))).toString());
      } finally {
        opened.close();
      }
    } catch (error) {
      return isFileAbsent(error) ? ok(null) : err('it cannot be read');
    }
  }
}

const placeOf = (period: Period, { folder, format, template }: z.output<typeof place>) => ({
  folder: folderOf(folder?.trim() ?? ''),
  format: orElse(format?.trim(), usualFormats[period]),
  template: orElse(template?.trim(), null),
});

/** The root of the vault is "/" in the settings of the notes app, or nothing. */
const folderOf = (given: string): string => (given === '/' ? '' : given);

const orElse = <Other>(given: string | undefined, other: Other): string | Other =>
  given === undefined || given === '' ? other : given;
