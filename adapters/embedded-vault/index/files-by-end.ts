import { OftenOne } from '#adapters/embedded-vault/index/often-one.ts';
import { isNote } from '#adapters/embedded-vault/notes/vault-path.ts';

/** How many files of one name are looked through; where there are more, all ways to write each are kept. */
const maxOfOneName = 64;

/**
 * The files by the ends of their paths, as links write them: the name alone, more of the path, or all of it with a slash in front; notes with
 * or without `.md`. Kept by name only, which takes a tenth of the memory of all ends, but for names that many files share.
 */
export class FilesByEnd {
  readonly #byName = new OftenOne();
  readonly #crowdedNames = new Set<string>();
  readonly #byEnd = new OftenOne();

  /** Adds a file. */
  add(path: string): void {
    const name = nameIn(path);
    this.#byName.add(name, path);
    if (this.#crowdedNames.has(name)) this.#addEnds(path);
    else if (this.#byName.count(name) > maxOfOneName) {
      this.#crowdedNames.add(name);
      for (const other of this.#byName.get(name)) this.#addEnds(other);
    }
  }

  /** Removes a file. */
  remove(path: string): void {
    const name = nameIn(path);
    this.#byName.remove(name, path);
    if (!this.#crowdedNames.has(name)) return;
    for (const end of endsOf(path)) this.#byEnd.remove(end, path);
    if (this.#byName.count(name) === 0) this.#crowdedNames.delete(name);
  }

  /** The files that an end in lower case may mean. */
  *get(end: string): Iterable<string> {
    yield* this.#byEnd.get(end);
    const name = end.slice(end.lastIndexOf('/') + 1);
    for (const full of [name, `${name}.md`]) {
      if (this.#crowdedNames.has(full)) continue;
      for (const path of this.#byName.get(full)) if (placesOf(path).some((place) => hasEnd(place, end))) yield path;
    }
  }

  #addEnds(path: string): void {
    for (const end of endsOf(path)) this.#byEnd.add(end, path);
  }
}

/** How links may write the path: its ends, from the name alone up to all of it; with a slash in front for the whole path. */
export function endsOf(path: string): readonly string[] {
  return placesOf(path).flatMap((place) => {
    const names = place.split('/');
    return [`/${place}`, ...names.map((_, index) => names.slice(index).join('/'))];
  });
}

/** How a link may write the path of a file. */
function placesOf(path: string): readonly string[] {
  const lower = path.toLowerCase();
  return isNote(lower) ? [lower, lower.slice(0, -3)] : [lower];
}

/** Whether a place has that end; an end with a slash in front is the whole path. */
function hasEnd(place: string, end: string): boolean {
  if (end.startsWith('/')) return place.length === end.length - 1 && end.endsWith(place);
  return place.endsWith(end) && (place.length === end.length || place.at(-end.length - 1) === '/');
}

const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase();
