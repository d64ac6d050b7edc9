import { isNote, noteName } from '#adapters/embedded-vault/vault-path.ts';

const wikiLink = /\[\[([^[\]|#\n]+)(?:#[^[\]|\n]*)?(?:\|[^[\]\n]*)?\]\]/g;
const markdownLink = /\]\((?:<([^<>\n]+)>|([^()\s]+))(?:\s+"[^"\n]*")?\)/g;

/** What a note links to, as written: `[[name]]` and `[text](path)`, without anchors; addresses of the web are left out. */
export function linkTargetsOf(text: string): readonly string[] {
  if (!text.includes('](') && !text.includes('[[')) return [];
  const wiki = [...text.matchAll(wikiLink)].map((match) => match[1]?.trim() ?? '');
  const inline = [...text.matchAll(markdownLink)].map((match) => toPath(match[1] ?? match[2] ?? ''));
  return [...new Set([...wiki, ...inline])].filter((target) => target !== '');
}

/** Which file links to which. A link by name alone means the file in the same folder, else the one of the shortest path. */
export class LinkGraph {
  readonly #targets = new Map<string, readonly string[]>();
  readonly #filesByName = new Map<string, Set<string>>();
  readonly #sourcesByName = new Map<string, Set<string>>();

  /** Takes a file in, with what it links to; in place of what was known of it. */
  set(path: string, targets: readonly string[]): void {
    this.remove(path);
    this.#targets.set(path, targets);
    addTo(this.#filesByName, nameKey(path), path);
    for (const target of targets) addTo(this.#sourcesByName, nameKey(target), path);
  }

  /** Forgets a file. */
  remove(path: string): void {
    const targets = this.#targets.get(path);
    if (targets === undefined) return;
    this.#targets.delete(path);
    removeFrom(this.#filesByName, nameKey(path), path);
    for (const target of targets) removeFrom(this.#sourcesByName, nameKey(target), path);
  }

  /** The files of the vault that a file at `path` links to with these targets, in their order, each once. */
  resolved(path: string, targets: readonly string[] = this.#targets.get(path) ?? []): readonly string[] {
    const found = targets.map((target) => this.#resolve(path, target)).filter((place) => place !== null);
    return [...new Set(found)];
  }

  /** The files that link to this one, sorted. */
  sourcesOf(path: string): readonly string[] {
    const candidates = [...(this.#sourcesByName.get(nameKey(path)) ?? [])];
    return candidates.filter((source) => this.resolved(source).includes(path)).sort();
  }

  /** Beside the source, else from the top of the vault, else by the end of its path; without regard to case. */
  #resolve(source: string, target: string): string | null {
    const wanted = normalized(target);
    const beside = target.startsWith('/') ? wanted : normalized(source.slice(0, source.lastIndexOf('/') + 1) + target);
    const named = [...(this.#filesByName.get(nameKey(target)) ?? [])].map((path) => ({ path, places: placesOf(path) }));
    const byEnd = named
      .filter(({ places }) => places.some((place) => `/${place}`.endsWith(`/${wanted}`)))
      .sort((a, b) => a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
    const found =
      named.find(({ places }) => places.includes(beside)) ??
      named.find(({ places }) => places.includes(wanted)) ??
      byEnd[0];
    return found?.path ?? null;
  }
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

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}

function removeFrom(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  set?.delete(value);
  if (set?.size === 0) sets.delete(key);
}
