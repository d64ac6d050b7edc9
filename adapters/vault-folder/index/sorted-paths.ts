/** How many changed paths are put in their place; with more of them all are sorted again. */
const maxChanged = 500;

/** The paths of a vault that meet a condition, in order: the few that changed since they were last asked for are put in their place. */
export class SortedPaths {
  readonly #all: () => Iterable<string>;
  readonly #isIn: (path: string) => boolean;
  #sorted: readonly string[] | null = null;
  #changed = new Set<string>();

  /** `all` returns all paths, which `isIn` is asked about. */
  constructor(all: () => Iterable<string>, isIn: (path: string) => boolean) {
    this.#all = all;
    this.#isIn = isIn;
  }

  /** Notes that a path was added or removed, or may meet the condition now. */
  noteChange(path: string): void {
    if (this.#sorted !== null) this.#changed.add(path);
    if (this.#changed.size > maxChanged) this.#forget();
  }

  /** The paths in order; the list does not change later. */
  get(): readonly string[] {
    this.#sorted = this.#sorted === null ? [...this.#all()].filter(this.#isIn).sort() : this.#renewed(this.#sorted);
    this.#changed.clear();
    return this.#sorted;
  }

  #renewed(sorted: readonly string[]): readonly string[] {
    if (this.#changed.size === 0) return sorted;
    const paths = [...sorted];
    for (const path of this.#changed) {
      const at = placeIn(paths, path);
      const isThere = paths[at] === path;
      if (isThere !== this.#isIn(path)) paths.splice(at, isThere ? 1 : 0, ...(isThere ? [] : [path]));
    }
    return paths;
  }

  #forget(): void {
    this.#sorted = null;
    this.#changed.clear();
  }
}

/** The index of the first path that is not before this one. */
function placeIn(paths: readonly string[], path: string): number {
  let [from, to] = [0, paths.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((paths[middle] ?? '') < path) from = middle + 1;
    else to = middle;
  }
  return from;
}
