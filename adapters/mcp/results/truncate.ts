/** The maximum length of an answer, in UTF-16 code units: about 25,000 tokens, the limit of common clients. */
export const maxTextLength = 100_000;

/** A value truncated to a limit, and a note for the model on what was left out; null when nothing was. */
export type Bounded<Value> = Readonly<{ value: Value; text: string; truncated: string | null }>;

/** An object whose JSON is within `limit`. */
export type BoundedJson = Bounded<Members>;

type Members = Readonly<Record<string, unknown>>;

/** Truncates a text to the limit. */
export function truncateText(text: string, limit = maxTextLength): Bounded<string> {
  if (text.length <= limit) return { value: text, text, truncated: null };
  const cut = headOf(text, limit);
  return { value: cut, text: cut, truncated: `Only the first ${cut.length} of ${text.length} characters are shown.` };
}

/**
 * Truncates an object to about `limit` characters of JSON. It stays an object, and the values in it keep their types.
 * Long texts are cut first, then the last items of its list (`data`, or the longest list), then its longest members. A
 * truncated object says so in its own `truncated`.
 */
export function truncateJson(value: Members, limit = maxTextLength): BoundedJson {
  const text = JSON.stringify(value);
  if (text.length <= limit) return { value, text, truncated: null };
  const shortened = shortTexts(value, maxInnerLength);
  const hint = `Texts longer than ${maxInnerLength} characters are cut; read one record for the whole text.`;
  return withHint(shortened, hint, limit) ?? truncateList(shortened, limit) ?? truncateLargest(shortened, limit);
}

const maxInnerLength = 4000;

function truncateList(value: Members, limit: number): BoundedJson | null {
  const found = longestListIn(value);
  if (found === null) return null;
  const { name, list } = found;
  let length = JSON.stringify({ ...value, [name]: [] }).length;
  let kept = 0;
  for (const item of list) {
    length += JSON.stringify(item).length + 1;
    if (length > limit) break;
    kept += 1;
  }
  if (kept === 0) return null;
  const where = name === 'data' ? '' : ` of \`${name.slice(0, 60)}\``;
  const hint = `Only the first ${kept} of ${list.length} items${where} are shown, and their long texts are cut. Ask for a smaller page or a narrower search.`;
  return withHint({ ...value, [name]: list.slice(0, kept) }, hint, limit + hint.length + 20);
}

function longestListIn(value: Members): Readonly<{ name: string; list: readonly unknown[] }> | null {
  const lists = Object.entries(value).flatMap(([name, list]) => (Array.isArray(list) ? [{ name, list }] : []));
  const [only, ...others] = lists;
  if (only === undefined) return null;
  const lengthOf = ({ list }: { list: readonly unknown[] }) => JSON.stringify(list).length;
  return (
    lists.find(({ name }) => name === 'data') ??
    others.reduce((longest, list) => (lengthOf(list) > lengthOf(longest) ? list : longest), only)
  );
}

function truncateLargest(value: Members, limit: number): BoundedJson {
  const { value: truncatedValue, cut } = truncateMembers(value, limit);
  const named = cut.slice(0, maxNames).map((name) => `\`${name.slice(0, 80)}\``);
  const more = cut.length > maxNames ? ` and ${cut.length - maxNames} more` : '';
  const truncated = `Left out or cut for their length: ${named.join(', ')}${more}. Ask for less: fewer fields, one record, a narrower search.`;
  const marked = { ...truncatedValue, truncated };
  return { value: marked, text: JSON.stringify(marked), truncated };
}

/** The maximum number of left-out members that are listed by name. */
const maxNames = 10;

function withHint(value: Members, truncated: string, limit: number): BoundedJson | null {
  const marked = { ...value, truncated };
  const text = JSON.stringify(marked);
  return text.length <= limit ? { value: marked, text, truncated } : null;
}

function shortTexts(value: Members, limit: number): Members {
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shortTextsIn(part, limit)]));
}

function shortTextsIn(value: unknown, limit: number): unknown {
  if (typeof value === 'string') {
    return value.length <= limit ? value : `${headOf(value, limit)}… [${value.length} characters]`;
  }
  if (Array.isArray(value)) return value.map((item) => shortTextsIn(item, limit));
  return typeof value === 'object' && value !== null ? shortTexts({ ...value }, limit) : value;
}

/** Members up to this length take precedence over longer ones, in their own order. */
const shortMember = 200;
/** The minimum length to which a text is cut; below it the text is dropped. */
const minTextLength = 50;
/** The depth to which values are truncated; deeper ones are kept or dropped as a whole. */
const deepest = 8;

/** A truncated object, and the paths of what was cut or left out, such as `data[].notes`. */
type Truncated = Readonly<{ value: Members; cut: readonly string[] }>;

/**
 * Truncates an object to at most `room` characters of JSON. Short members are kept first, then longer ones by length;
 * the first that does not fit is truncated if possible, and the rest dropped. Types are kept: a list becomes a shorter
 * list, a text a shorter text.
 */
function truncateMembers(value: Members, room: number): Truncated {
  const cut = new Set<string>();
  return { value: truncateObject(value, room, { name: '', depth: 0, cut }), cut: [...cut] };
}

/** The start of a text, without a lone surrogate at its end. */
function headOf(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

type Place = Readonly<{ name: string; depth: number; cut: Set<string> }>;

/** Truncates a value and returns it in a list; an empty list when none of it fits. */
function truncateValue(value: unknown, room: number, place: Place): readonly unknown[] {
  if (lengthOf(value) <= room) return [value];
  place.cut.add(place.name);
  if (room < 2 || place.depth === deepest) return [];
  if (typeof value === 'string') return room < minTextLength ? [] : [truncateString(value, room)];
  if (Array.isArray(value)) return [truncateItems(value, room, place)];
  return typeof value === 'object' && value !== null ? [truncateObject({ ...value }, room, place)] : [];
}

/** Truncates a text by the length of its JSON, which escapes make longer. */
function truncateString(text: string, room: number): string {
  let length = room - 2;
  while (lengthOf(headOf(text, length)) > room) length = Math.floor(length * 0.8);
  return headOf(text, length);
}

/** Keeps the first items that fit; if the very first does not fit, it is truncated. */
function truncateItems(items: readonly unknown[], room: number, { name, depth, cut }: Place): readonly unknown[] {
  const kept: unknown[] = [];
  let left = room - 2;
  for (const item of items) {
    const length = lengthOf(item) + 1;
    if (length > left) break;
    kept.push(item);
    left -= length;
  }
  return kept.length > 0 || items.length === 0
    ? kept
    : truncateValue(items[0], left, { name: `${name}[]`, depth: depth + 1, cut });
}

function truncateObject(value: Members, room: number, { name, depth, cut }: Place): Members {
  const kept = new Map<string, unknown>();
  let left = room - 2;
  const byLength = Object.entries(value)
    .map(([key, member]) => ({ key, member, length: lengthOf(key) + lengthOf(member) }))
    .sort((one, other) => Math.max(one.length, shortMember) - Math.max(other.length, shortMember));
  for (const { key, member } of byLength) {
    const keyLength = lengthOf(key) + 2;
    const memberName = `${name === '' ? '' : `${name}.`}${key.slice(0, 60)}`;
    for (const short of truncateValue(member, left - keyLength, { name: memberName, depth: depth + 1, cut })) {
      kept.set(key, short);
      left -= lengthOf(short) + keyLength;
    }
  }
  return Object.fromEntries(Object.entries(value).flatMap(([key]) => (kept.has(key) ? [[key, kept.get(key)]] : [])));
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}
