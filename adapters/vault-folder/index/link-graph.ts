import { endsOf, FilesByEnd } from '#adapters/vault-folder/index/files-by-end.ts';
import { Multimap } from '#adapters/vault-folder/index/multimap.ts';
import { isNote, noteName } from '#domain/notes/vault-path.ts';
import { inNfc } from '#domain/text/nfc.ts';

const wikiLink = /\[\[([^[\]|#\n]+)(?:#[^[\]|\n]*)?(?:\|[^[\]\n]*)?\]\]/g;
const markdownLink =
  /\]\((?:<([^<>\n]+)>|((?:[^()\s]|\([^()\s]*\))+))(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*\)|^ {0,3}\[(?!\^)[^[\]\n]+\]:[ \t]*(?:<([^<>\n]+)>|([^\s<][^\s]*))/gm;

const maxTargets = 10_000;

const noTargets: readonly string[] = [];

/**
 * Extracts the link targets of a note as written: `[[name]]` and `[text](path)`, without anchors and web addresses; the
 * first 10,000 of each kind.
 */
export function linkTargetsOf(text: string): readonly string[] {
  if (!text.includes('](') && !text.includes('[[') && !text.includes(']:')) return noTargets;
  const targets = new Set<string>();
  for (const match of text.matchAll(wikiLink))
    if (addUpTo(maxTargets, targets, match[1]?.replace(/\\$/, '').trim() ?? '')) break;
  for (const match of text.matchAll(markdownLink)) {
    if (addUpTo(2 * maxTargets, targets, toPath(match[1] ?? match[2] ?? match[3] ?? match[4] ?? ''))) break;
  }
  return [...targets];
}

/** Adds targets up to the limit; returns whether the set is full. */
function addUpTo(limit: number, targets: Set<string>, target: string): boolean {
  if (target !== '') targets.add(target);
  return targets.size >= limit;
}

const maxChecks = 100_000;

/**
 * Resolves links between files, in both directions. A link by name alone resolves to the file in the same folder, else
 * to the one with the shortest path. A lookup takes the same time however many files share a name.
 */
export class LinkGraph {
  readonly #targets = new Map<string, readonly string[]>();
  readonly #files = new FilesByEnd();
  /** Caches which file a link target resolves to. */
  readonly #resolvedByEnd = new Map<string, string>();
  /** Each link (see `linkOf`) by the file name it targets. */
  readonly #linksByName = new Multimap();

  /** Sets a file and its links, replacing earlier ones. */
  set(path: string, targets: readonly string[]): void {
    const isKnown = this.#targets.has(path);
    this.#forgetTargets(path);
    this.#targets.set(path, targets);
    if (!isKnown) {
      this.#files.add(path);
      this.#invalidate(path);
    }
    for (const target of targets) this.#linksByName.add(nameKey(target), linkOf(path, target));
  }

  /** Removes a file. */
  remove(path: string): void {
    if (!this.#targets.has(path)) return;
    this.#forgetTargets(path);
    this.#targets.delete(path);
    this.#files.remove(path);
    this.#invalidate(path);
  }

  /** The links of a file, as written. */
  targetsOf(path: string): readonly string[] {
    return this.#targets.get(path) ?? noTargets;
  }

  /** The files that a file at `path` links to with these targets, in order and without duplicates. */
  resolved(path: string, targets: readonly string[] = this.targetsOf(path)): readonly string[] {
    const found = targets.map((target) => this.#resolve(path, target)).filter((place) => place !== null);
    return [...new Set(found)];
  }

  /** The files whose path may be written as this lower-cased end. */
  filesAt(end: string): readonly string[] {
    return [...new Set(this.#files.get(end))];
  }

  /** The files with links that end in the name of this one, sorted, whichever file they mean. */
  mentioning(path: string): readonly string[] {
    const sources = new Set<string>();
    for (const link of this.#linksByName.get(nameKey(path))) sources.add(link.slice(0, link.indexOf(betweenEnds)));
    return [...sources].sort();
  }

  /** The files that link to this one, sorted. Checks at most 100,000 candidate links. */
  sourcesOf(path: string): readonly string[] {
    const found = new Set<string>();
    let checks = 0;
    for (const link of this.#linksByName.get(nameKey(path))) {
      const at = link.indexOf(betweenEnds);
      const [source, target] = [link.slice(0, at), link.slice(at + 1)];
      if (!found.has(source) && this.#resolve(source, target) === path) found.add(source);
      checks += 1;
      if (checks > maxChecks) break;
    }
    return [...found].sort();
  }

  #invalidate(path: string): void {
    if (this.#resolvedByEnd.size > 0) for (const end of endsOf(path)) this.#resolvedByEnd.delete(end);
  }

  #forgetTargets(path: string): void {
    for (const target of this.#targets.get(path) ?? []) this.#linksByName.remove(nameKey(target), linkOf(path, target));
  }

  /**
   * Resolves a target, ignoring case: relative to the source, else from the root of the vault, else by the suffix of
   * its path.
   */
  #resolve(source: string, target: string): string | null {
    const wanted = normalized(target);
    if (wanted.length > maxTarget) return null;
    const beside = target.startsWith('/') ? wanted : normalized(source.slice(0, source.lastIndexOf('/') + 1) + target);
    return this.#fileFor(`/${beside}`) ?? this.#fileFor(`/${wanted}`) ?? this.#fileFor(wanted);
  }

  #fileFor(end: string): string | null {
    const known = this.#resolvedByEnd.get(end);
    if (known !== undefined) return known;
    let shortest: string | null = null;
    for (const path of this.#files.get(end)) {
      if (shortest === null || path.length < shortest.length || (path.length === shortest.length && path < shortest)) {
        shortest = path;
      }
    }
    if (shortest !== null) this.#resolvedByEnd.set(end, shortest);
    return shortest;
  }
}

/** The maximum length of a path on common file systems. */
const maxTarget = 4_096;

/** Separates the two paths of a link: the one character that no path contains. */
const betweenEnds = '\0';

/** Encodes a link as one string, which takes less memory than a map for each name. */
const linkOf = (source: string, target: string): string => `${source}${betweenEnds}${target}`;

/** The name by which a path is linked to, lower-cased: notes without `.md`, other files with their extension. */
function nameKey(path: string): string {
  const last = path.slice(path.lastIndexOf('/') + 1);
  return inNfc(isNote(last) ? noteName(last) : last).toLowerCase();
}

function normalized(path: string): string {
  const parts: string[] = [];
  for (const part of inNfc(path).toLowerCase().split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

function toPath(address: string): string {
  if (/^[a-z][a-z\d+.-]*:/i.test(address)) return '';
  const [path = ''] = address.split('#');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
