import type { ServiceKey } from '#domain/services/service-key.ts';
import { inNfc } from '#domain/text/nfc.ts';

/**
 * A record of any service as a search finds it: `kind` is the neutral term ('deal'), `id` what the service's tools take,
 * `state` what one looks at first, such as its status and value. `link` is its address where the answer has it; `time`
 * is when it last changed, or is due. Null is unknown.
 */
export type FoundRecord = Readonly<{
  kind: string;
  id: string;
  title: string;
  state: string | null;
  time: string | null;
  link: string | null;
}>;

/** A record of a service, by its kind and the id that the service's tools take. */
export type RecordId = Readonly<{ service: ServiceKey; kind: string; id: string }>;

/** The key of a record among those of all services: 'sales_crm/deal/41'. */
export const recordKey = ({ service, kind, id }: RecordId): string => `${service}/${kind}/${id}`;

/**
 * What a record says of others, by which they are found. E-mail addresses and domains are in lower case; `refs` are the
 * records that it belongs to or names, `organization` the name of its organization. `isOpen` is of deals, activities,
 * documents and issues; `isByName` says whether only its name connects it; absent
 * says neither.
 */
export type Carried = Readonly<{
  emails?: readonly string[];
  domains?: readonly string[];
  refs?: readonly RecordId[];
  organization?: string | null;
  isOpen?: boolean;
  isByName?: boolean;
}>;

/** A found record, with the service that has it. */
export type WorkspaceHit = FoundRecord & Readonly<{ service: ServiceKey }>;

/**
 * Merges the results of several searches, each the best first: records whose title is the query come first, then those
 * whose title has all its words, then some; equal ones by their place in their own list, then the latest first. A record
 * that several searches found is kept once.
 */
export function mergedHits<Hit extends WorkspaceHit>(
  lists: readonly (readonly Hit[])[],
  query: string,
  limit: number,
): readonly Hit[] {
  const placed = lists.flatMap((list) =>
    list.map((hit, place) => ({
      hit,
      place,
      fit: fitOf(hit.title, query),
      key: recordKey(hit),
    })),
  );
  const sorted = placed.toSorted(
    (left, right) =>
      right.fit - left.fit || left.place - right.place || (right.hit.time ?? '').localeCompare(left.hit.time ?? ''),
  );
  return [...new Map(sorted.toReversed().map(({ key, hit }) => [key, hit])).values()].toReversed().slice(0, limit);
}

/** How well a title fits a query: 3 is the query, 2 has all its words, 1 some, 0 none. Case is ignored. */
export function fitOf(title: string, query: string): 0 | 1 | 2 | 3 {
  const [has, wanted] = [wordsOf(title), wordsOf(query)];
  if (wanted.length > 0 && has.join(' ') === wanted.join(' ')) return 3;
  const found = wanted.filter((word) => has.includes(word)).length;
  if (found === 0) return 0;
  return found === wanted.length ? 2 : 1;
}

/** The maximum number of characters of a title or query that are compared. */
const maxCompared = 500;

/** The words of a text in lower case, without punctuation. */
export function wordsOf(text: string): readonly string[] {
  return inNfc(text.slice(0, maxCompared))
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
