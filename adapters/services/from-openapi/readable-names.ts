import { createHash } from 'node:crypto';
import { answersWithList } from '#adapters/services/from-openapi/answers.ts';
import type { OpenApiDocument } from '#adapters/services/from-openapi/document.ts';
import type { FoundOperation } from '#adapters/services/from-openapi/found-operation.ts';
import { keyOf, maxNameLength, snakeCase } from '#adapters/services/from-openapi/names.ts';
import { isSearch } from '#adapters/services/from-openapi/searches.ts';

/** The maximum length of an operation's name, so that its tool's name with a usual key is one that clients accept. */
const maxOperationName = 40;

/**
 * Names the operations of a document for people and models. An `operationId` is the name, unless there is none, it only
 * repeats a long path, or is too long; then the name is made of the path's last words and what is done: `deals_list`.
 * It depends on the document only, so that picking another operation renames none.
 */
export class ReadableNames {
  readonly #document: OpenApiDocument;
  readonly #operations: readonly FoundOperation[];
  #made: ReadonlyMap<FoundOperation, string> | null = null;

  constructor(document: OpenApiDocument, operations: readonly FoundOperation[]) {
    this.#document = document;
    this.#operations = operations;
  }

  /** The name of an operation of this document. */
  of(found: FoundOperation): string {
    const given = givenName(found);
    if (given !== null) return given;
    this.#made ??= this.#madeNames();
    return this.#made.get(found) ?? withDigest(snakeCase(`${found.method} ${found.path}`), found);
  }

  /** Names with as few words of the path as tell the operations of the document apart. */
  #madeNames(): ReadonlyMap<FoundOperation, string> {
    const taken = new Set(this.#operations.flatMap((found) => givenName(found) ?? []));
    const names = new Map<FoundOperation, string>();
    let left = this.#operations.filter((found) => givenName(found) === null).map((found) => this.#partsOf(found));
    for (let words = 1; words <= maxWords; words += 1) {
      const candidates = left.map((parts) => ({ parts, name: joined(parts, words) }));
      const counts = countsOf(candidates.map(({ name }) => name));
      const isFree = (name: string) => counts.get(name) === 1 && !taken.has(name) && name.length <= maxOperationName;
      for (const { parts, name } of candidates) if (isFree(name)) names.set(parts.found, name);
      left = candidates.filter(({ name }) => !isFree(name)).map(({ parts }) => parts);
      for (const name of names.values()) taken.add(name);
    }
    for (const parts of left) names.set(parts.found, withDigest(joined(parts, maxWords), parts.found));
    return names;
  }

  #partsOf(found: FoundOperation): NameParts {
    const { nouns, isOne } = nounsOf(found.path, keyOf(this.#document.title));
    if (isSearch(found) && nouns.length > 1)
      return { found, nouns: nouns.slice(0, -1), verb: nouns.at(-1) ?? 'search' };
    if (found.method !== 'GET') return { found, nouns, verb: verbs[found.method] };
    return { found, nouns, verb: !isOne && answersWithList(this.#document, found) ? 'list' : 'get' };
  }
}

type NameParts = Readonly<{ found: FoundOperation; nouns: readonly string[]; verb: string }>;

const joined = ({ nouns, verb }: NameParts, words: number): string =>
  snakeCase(`${nouns.slice(-words).join(' ')} ${verb}`);

/** The maximum number of words of the path in a name; operations that still share one get a digest. */
const maxWords = 5;
const verbs = { POST: 'create', PUT: 'replace', PATCH: 'update', DELETE: 'delete' } as const;

/** The `operationId` in snake case; null where it is missing, too long or a copy of a long path. */
function givenName({ id, path }: FoundOperation): string | null {
  if (id === null) return null;
  const name = snakeCase(id);
  const copied = snakeCase(path.replaceAll(/\{[^{}]*\}/g, ' '));
  const isCopy = copied.split('_').length > 2 && name.includes(copied);
  return name === '' || isCopy || name.length > maxNameLength ? null : name;
}

/** The words of a path that name what it is of, and whether it ends with a parameter, so addresses one of them. */
function nounsOf(path: string, title: string | null): Readonly<{ nouns: readonly string[]; isOne: boolean }> {
  const segments = path.split('/').filter((segment) => segment !== '');
  const isOne = segments.at(-1)?.startsWith('{') === true;
  const fixed = segments.filter((segment) => !segment.includes('{') && !ofNoResource.test(segment));
  // A number such as `0-3` says nothing; the document's title says what it is of.
  const nouns = fixed.flatMap((segment) => (/[a-z]/i.test(segment) ? [segment] : title === null ? [] : [title]));
  return { nouns: nouns.length === 0 ? [title ?? 'root'] : nouns, isOne };
}

/** Segments that name a version or the interface itself. */
const ofNoResource = /^(?:v\d[.\w-]*|\d{4}-\d{2}(?:-\d{2})?|api|rest)$/i;

function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Cuts a name at a word, and adds six digits of the SHA-256 of its method and path. */
function withDigest(name: string, { method, path }: FoundOperation): string {
  const digest = createHash('sha256').update(`${method} ${path}`).digest('hex').slice(0, 6);
  const room = maxOperationName - digest.length - 1;
  const end = name.length <= room ? name.length : name.lastIndexOf('_', room);
  return `${name.slice(0, end < 0 ? room : end)}_${digest}`;
}
