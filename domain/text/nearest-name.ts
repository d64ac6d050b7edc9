import { nearest } from '#domain/text/nearest.ts';

/** Groups of synonyms: names that other APIs use for the same thing. */
const alike: readonly (readonly string[])[] = [
  ['query', 'term', 'q', 'search', 'word', 'text', 'keyword', 'criteria'],
  ['text', 'content', 'body', 'note', 'description', 'message', 'markdown', 'comment'],
  ['name', 'title', 'subject'],
  ['limit', 'count', 'first', 'per_page', 'page_size', 'max_results', 'top'],
  ['cursor', 'after', 'page', 'next', 'offset', 'start', 'page_token'],
  ['path', 'file', 'filename', 'note', 'dir_path', 'folder', 'directory'],
  ['org', 'organization', 'company', 'account'],
  ['owner', 'user', 'assignee', 'responsible'],
  ['state', 'status', 'stage'],
  ['template', 'template_uuid', 'template_id'],
  ['tags', 'labels'],
  ['data', 'fields', 'properties', 'values', 'record'],
];

/** The maximum number of characters compared; all known names are shorter. */
const maxCompared = 100;

/**
 * Returns the known name that an unknown one probably stands for; null when none does. Compares spelling without case
 * and separators, then without id suffixes (`stage_id`, `stage`), then synonyms, edit distance and shared words.
 * `missing` are the required names that were not given: when nothing else matches, the only one of them is returned.
 */
export function nearestName(given: string, known: readonly string[], missing: readonly string[] = []): string | null {
  const name = given.slice(0, maxCompared);
  const wanted = plain(name);
  const words = wordsOf(name);
  return (
    known.find((candidate) => plain(candidate) === wanted) ??
    known.find((candidate) => withoutId(candidate) === withoutId(name)) ??
    alikeTo(wanted, [...missing, ...known]) ??
    (name.length < 3 ? undefined : nearest(name, known)[0]) ??
    known.find((candidate) => words.includes(candidate) || wordsOf(candidate).includes(wanted)) ??
    (missing.length === 1 ? missing[0] : undefined) ??
    null
  );
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);

/** Normalizes a name so that `stage_id`, `stageId`, `stages` and `stage` are equal. */
const withoutId = (name: string): string =>
  wordsOf(name)
    .filter((word, index) => index === 0 || !/^(?:ids?|uuid)$/.test(word))
    .join('')
    .replace(/s$/, '');

function alikeTo(wanted: string, candidates: readonly string[]): string | undefined {
  const groups = alike.filter((group) => group.some((word) => plain(word) === wanted));
  return candidates.find((candidate) => groups.some((group) => group.includes(candidate)));
}
