import { OftenOne } from '#adapters/embedded-vault/index/often-one.ts';
import { isNote, noteName } from '#adapters/embedded-vault/notes/vault-path.ts';

const wikiLink = /\[\[([^[\]|#\n]+)(?:#[^[\]|\n]*)?(?:\|[^[\]\n]*)?\]\]/g;
const markdownLink = /\]\((?:<([^<>\n]+)>|([^()\s]+))(?:\s+"[^"\n]*")?\)/g;

const maxTargets = 10_000;

/**
 * What a note links to, as written: `[[name]]` and `[text](path)`, without anchors; addresses of the web are left out. The first 10,000
 * of each kind.
 */
export function linkTargetsOf(text: string): readonly string[] {
  if (!text.includes('](') && !text.includes('[[')) return [];
  const targets = new Set<string>();
  for (const match of text.matchAll(wikiLink)) if (addUpTo(maxTargets, targets, match[1]?.trim() ?? '')) break;
  for (const match of text.matchAll(markdownLink)) {
    if (addUpTo(2 * maxTargets, targets, toPath(match[1] ?? match[2] ?? ''))) break;
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
 * Which file links to which. A link by name alone means the file in the same folder, else the one of the shortest path. Looking a link
 * up takes the same time however many files share a name.
 */
export class LinkGraph {
  readonly #targets = new Map<string, readonly string[]>();
  /** The files by each way that a link may write the end of their paths. */
  readonly #filesByEnd = new OftenOne();
  /** Which of them a link means; as far as it has been asked. */
  readonly #meant = new Map<string, string>();
  readonly #sourcesByName = new Map<string, Map<string, string[]>>();

  /** Sets a file and its links, replacing what was stored of it. */
  set(path: string, targets: readonly string[]): void {
    const isKnown = this.#targets.has(path);
    this.#forgetTargets(path);
    this.#targets.set(path, targets);
    if (!isKnown) for (const end of endsOf(path)) this.#addEnd(end, path);
    for (const target of targets) {
      const key = nameKey(target);
      const sources = this.#sourcesByName.get(key) ?? new Map<string, string[]>();
      this.#sourcesByName.set(key, sources);
      const own = sources.get(path);
      if (own === undefined) sources.set(path, [target]);
      else own.push(target);
    }
  }

  /** Forgets a file. */
  remove(path: string): void {
    if (!this.#targets.has(path)) return;
    this.#forgetTargets(path);
    this.#targets.delete(path);
    for (const end of endsOf(path)) this.#removeEnd(end, path);
  }

  /** The files of the vault that a file at `path` links to with these targets, in their order, each once. */
  resolved(path: string, targets: readonly string[] = this.#targets.get(path) ?? []): readonly string[] {
    const found = targets.map((target) => this.#resolve(path, target)).filter((place) => place !== null);
    return [...new Set(found)];
  }

  /** The files that link to this one, sorted; among the first 100,000 links that may mean it. */
  sourcesOf(path: string): readonly string[] {
    const found: string[] = [];
    let checks = 0;
    for (const [source, targets] of this.#sourcesByName.get(nameKey(path)) ?? []) {
      if (targets.some((target) => this.#resolve(source, target) === path)) found.push(source);
      checks += targets.length;
      if (checks > maxChecks) break;
    }
    return found.sort();
  }

  #addEnd(end: string, path: string): void {
    this.#filesByEnd.add(end, path);
    this.#meant.delete(end);
  }

  #removeEnd(end: string, path: string): void {
    this.#filesByEnd.remove(end, path);
    this.#meant.delete(end);
  }

  #forgetTargets(path: string): void {
    for (const target of this.#targets.get(path) ?? []) {
      const key = nameKey(target);
      const sources = this.#sourcesByName.get(key);
      sources?.delete(path);
      if (sources?.size === 0) this.#sourcesByName.delete(key);
    }
  }

  /** Beside the source, else from the top of the vault, else by the end of its path; without regard to case. */
  #resolve(source: string, target: string): string | null {
    const wanted = normalized(target);
    if (wanted.length > maxTarget) return null;
    const beside = target.startsWith('/') ? wanted : normalized(source.slice(0, source.lastIndexOf('/') + 1) + target);
    return this.#meantBy(`/${beside}`) ?? this.#meantBy(`/${wanted}`) ?? this.#meantBy(wanted);
  }

  #meantBy(end: string): string | null {
    const known = this.#meant.get(end);
    if (known !== undefined) return known;
    let shortest: string | null = null;
    for (const path of this.#filesByEnd.get(end)) {
      if (shortest === null || path.length < shortest.length || (path.length === shortest.length && path < shortest)) {
        shortest = path;
      }
    }
    if (shortest !== null) this.#meant.set(end, shortest);
    return shortest;
  }
}

/** File systems hold no longer path. */
const maxTarget = 4_096;

/** How links may write the path: its ends, from the name alone up to all of it; with a slash in front for the whole path. */
function endsOf(path: string): readonly string[] {
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

/** Notes are linked to with or without `.md`, other files with their extension. */
function nameKey(path: string): string {
  const last = path.slice(path.lastIndexOf('/') + 1);
  return (isNote(last) ? noteName(last) : last).toLowerCase();
}

function normalized(path: string): string {
  const parts: string[] = [];
  for (const part of path.toLowerCase().split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

function toPath(address: string): string {
  if (/^[a-z][a-z\d+.-]*:/i.test(address)) return '';
  const path = address.replace(/#.*$/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
