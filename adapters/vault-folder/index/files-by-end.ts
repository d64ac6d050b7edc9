import { Multimap } from '#adapters/vault-folder/index/multimap.ts';
import { isNote } from '#domain/notes/vault-path.ts';

/** The maximum number of files of one name that are scanned; beyond it, every suffix of their paths is indexed. */
const maxOfOneName = 64;

/**
 * Finds files by the suffixes of their paths, as links write them: the bare name, more of the path, or the whole path
 * with a leading slash; notes with or without `.md`. Indexed by file name only, which takes a tenth of the memory of
 * all suffixes, except for names that many files share.
 */
export class FilesByEnd {
  readonly #byName = new Multimap();
  readonly #commonNames = new Set<string>();
  readonly #byEnd = new Multimap();

  /** Adds a file. */
  add(path: string): void {
    const name = nameIn(path);
    this.#byName.add(name, path);
    if (this.#commonNames.has(name)) this.#addEnds(path);
    else if (this.#byName.count(name) > maxOfOneName) {
      this.#commonNames.add(name);
      for (const other of this.#byName.get(name)) this.#addEnds(other);
    }
  }

  /** Removes a file. */
  remove(path: string): void {
    const name = nameIn(path);
    this.#byName.remove(name, path);
    if (!this.#commonNames.has(name)) return;
    for (const end of endsOf(path)) this.#byEnd.remove(end, path);
    if (this.#byName.count(name) === 0) this.#commonNames.delete(name);
  }

  /** The files whose path may be written as this lower-cased suffix. */
  *get(end: string): Iterable<string> {
    yield* this.#byEnd.get(end);
    const name = end.slice(end.lastIndexOf('/') + 1);
    for (const full of [name, `${name}.md`]) {
      if (this.#commonNames.has(full)) continue;
      for (const path of this.#byName.get(full)) if (placesOf(path).some((place) => hasEnd(place, end))) yield path;
    }
  }

  #addEnds(path: string): void {
    for (const end of endsOf(path)) this.#byEnd.add(end, path);
  }
}

/**
 * The ways in which links may write a path, lower-cased: each of its suffixes, and the whole path with a leading slash.
 */
export function endsOf(path: string): readonly string[] {
  return placesOf(path).flatMap((place) => {
    const names = place.split('/');
    return [`/${place}`, ...names.map((_, index) => names.slice(index).join('/'))];
  });
}

/** The lower-cased path; of a note also without `.md`. */
function placesOf(path: string): readonly string[] {
  const lower = path.toLowerCase();
  return isNote(lower) ? [lower, lower.slice(0, -3)] : [lower];
}

/** Whether a path ends in the suffix at a slash; a suffix with a leading slash must be the whole path. */
function hasEnd(place: string, end: string): boolean {
  if (end.startsWith('/')) return place.length === end.length - 1 && end.endsWith(place);
  return place.endsWith(end) && (place.length === end.length || place.at(-end.length - 1) === '/');
}

const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase();
