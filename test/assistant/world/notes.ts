import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The notes as their files are, read without the server. */
export class Notes {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The text of a note; null when there is no such file. */
  text(path: string): string | null {
    try {
      return readFileSync(join(this.#folder, path), 'utf8');
    } catch {
      return null;
    }
  }

  /** The paths of all notes. */
  paths(): readonly string[] {
    return readdirSync(this.#folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'));
  }

  /** The text of a heading's section, without its subsections' end: up to the next heading of its level or above. */
  section(path: string, heading: string): string {
    const [, rest = ''] = (this.text(path) ?? '').split(`\n${heading}\n`);
    const level = heading.indexOf(' ');
    return rest.split(new RegExp(`^#{1,${level}} `, 'm'))[0] ?? '';
  }
}
