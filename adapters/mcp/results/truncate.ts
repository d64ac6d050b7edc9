import { isObject } from '#domain/json/json-data.ts';
import { estimateTokens, isWithinTokens, startWithin } from '#domain/text/estimate-tokens.ts';

/** A value truncated to a limit, and a note for the model on what was left out; null when nothing was. */
export type Bounded<Value> = Readonly<{ value: Value; text: string; truncated: string | null }>;

/** An object whose JSON is within a limit. */
export type BoundedJson = Bounded<Members>;

type Members = Readonly<Record<string, unknown>>;

/**
 * A limit in tokens, and how the tool's input is found that sets the length of a page; null when it has none. Few answers
 * are truncated, so that it is not looked for before.
 */
export type Limit = Readonly<{ maxTokens: number; pageInput: () => string | null }>;

/** Finds none, for what has no pages. */
export const noPages: Limit['pageInput'] = () => null;

/** Truncates a text to a number of tokens. */
export function truncateText(text: string, maxTokens: number): Bounded<string> {
  if (isWithinTokens(text, maxTokens)) return { value: text, text, truncated: null };
  const cut = startWithin(text, maxTokens);
  const lines = cut.split('\n').length;
  const truncated = `Only the first ${cut.length} of ${text.length} characters are shown, to line ${lines} of ${text.split('\n').length}.`;
  return { value: cut, text: cut, truncated };
}

/**
 * A text within the tokens that are left, which may be none, with the note on what is left out after it; `left` are those
 * that remain for the next text.
 */
export function textWithin(whole: string, tokens: number): Readonly<{ text: string; left: number }> {
  const { text, truncated } = truncateText(whole, Math.max(tokens, 0));
  return { text: truncated === null ? text : `${text}\n\n[${truncated}]`, left: tokens - estimateTokens(text) };
}

/**
 * Truncates an object to about as many tokens of JSON as its limit. It stays an object, and the values in it keep their
 * types. Long texts of the items in `data` are cut first, then the last items of its list (`data`, or the longest list),
 * then its longest members. A truncated object says so in its own `truncated`.
 */
export function truncateJson(value: Members, limit: Limit): BoundedJson {
  const text = JSON.stringify(value);
  if (isWithinTokens(text, limit.maxTokens)) return { value, text, truncated: null };
  if (!Array.isArray(value['data'])) return truncateList(value, limit) ?? truncateLargest(value, limit.maxTokens);
  const shortened = shortTexts(value);
  const hint = `Texts of more than ${maxInner} tokens are cut; read one record for the whole text.`;
  return (
    withHint(shortened, hint, limit.maxTokens) ??
    truncateList(shortened, limit) ??
    truncateLargest(shortened, limit.maxTokens)
  );
}

/** The maximum length of a text in the items of a truncated list, in tokens. */
const maxInner = 1000;

function truncateList(value: Members, { maxTokens, pageInput }: Limit): BoundedJson | null {
  const found = longestListIn(value);
  if (found === null) return null;
  const { name, list } = found;
  let tokens = tokensOf({ ...value, [name]: [] });
  let kept = 0;
  for (const item of list) {
    tokens += tokensOf(item) + 1;
    if (tokens > maxTokens - hintTokens) break;
    kept += 1;
  }
  if (kept === 0) return null;
  const where = name === 'data' ? '' : ` of \`${name.slice(0, 60)}\``;
  const texts = name === 'data' ? ', and their long texts are cut' : '';
  const first = `Only the first ${kept} of ${list.length} items${where} are shown${texts}.`;
  const length = name === 'data' ? pageInput() : null;
  const isPage = length !== null;
  const hint = isPage
    ? `${first} Call again with \`${length}\`: ${kept}; its \`next\` then goes on after these items. Or ask for fewer fields, or a narrower search.`
    : `${first} Ask for a narrower search or fewer fields.`;
  // The next page begins after all items, so that following it would miss those left out.
  return withHint({ ...(isPage ? withoutNext(value) : value), [name]: list.slice(0, kept) }, hint, maxTokens);
}

/** The tokens reserved for the note on what a list lacks. */
const hintTokens = 120;

function withoutNext(value: Members): Members {
  const { pagination } = value;
  if (typeof pagination !== 'object' || pagination === null) return value;
  return { ...value, pagination: { ...pagination, next: null, hasMore: true } };
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

function longestListIn(value: Members): Readonly<{ name: string; list: readonly unknown[] }> | null {
  const lists = Object.entries(value).flatMap(([name, list]) => (Array.isArray(list) ? [{ name, list }] : []));
  const [only, ...others] = lists;
  if (only === undefined) return null;
  const sizeOf = ({ list }: { list: readonly unknown[] }) => JSON.stringify(list).length;
  return (
    lists.find(({ name }) => name === 'data') ??
    others.reduce((longest, list) => (sizeOf(list) > sizeOf(longest) ? list : longest), only)
  );
}

function truncateLargest(value: Members, maxTokens: number): BoundedJson {
  const { value: truncatedValue, cut } = truncateMembers(value, maxTokens - hintTokens);
  const named = cut.slice(0, maxNames).map((name) => `\`${name.slice(0, 80)}\``);
  const more = cut.length > maxNames ? ` and ${cut.length - maxNames} more` : '';
  const truncated = `Left out or cut for their length: ${named.join(', ')}${more}. Ask for less: fewer fields, one record, a narrower search.`;
  const isShorter = lengthOf(truncatedValue['data']) < lengthOf(value['data']);
  const marked = { ...(isShorter ? withoutNext(truncatedValue) : truncatedValue), truncated };
  return { value: marked, text: JSON.stringify(marked), truncated };
}

/** The maximum number of left-out members that are listed by name. */
const maxNames = 10;

function withHint(value: Members, truncated: string, maxTokens: number): BoundedJson | null {
  const marked = { ...value, truncated };
  const text = JSON.stringify(marked);
  return isWithinTokens(text, maxTokens) ? { value: marked, text, truncated } : null;
}

function shortTexts(value: Members): Members {
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shortTextsIn(part)]));
}

function shortTextsIn(value: unknown): unknown {
  if (typeof value === 'string') {
    return isWithinTokens(value, maxInner) ? value : `${startWithin(value, maxInner)}… [${value.length} characters]`;
  }
  if (Array.isArray(value)) return value.map(shortTextsIn);
  return isObject(value) ? shortTexts(value) : value;
}

/** Members up to this many tokens take precedence over longer ones, in their own order. */
const shortMember = 60;
/** The minimum tokens to which a text is cut; below it the text is dropped. */
const minText = 15;
/** The depth to which values are truncated; deeper ones are kept or dropped as a whole. */
const deepest = 8;

/** A truncated object, and the paths of what was cut or left out, such as `data[].notes`. */
type Truncated = Readonly<{ value: Members; cut: readonly string[] }>;

/**
 * Truncates an object to at most `room` tokens of JSON. Short members are kept first, then longer ones by length;
 * the first that does not fit is truncated if possible, and the rest dropped. Types are kept: a list becomes a shorter
 * list, a text a shorter text.
 */
function truncateMembers(value: Members, room: number): Truncated {
  const cut = new Set<string>();
  return { value: truncateObject(value, room, { name: '', depth: 0, cut }), cut: [...cut] };
}

type Place = Readonly<{ name: string; depth: number; cut: Set<string> }>;

/** Truncates a value and returns it in a list; an empty list when none of it fits. */
function truncateValue(value: unknown, room: number, place: Place): readonly unknown[] {
  if (tokensOf(value) <= room) return [value];
  place.cut.add(place.name);
  if (room < 2 || place.depth === deepest) return [];
  if (typeof value === 'string') return room < minText ? [] : [truncateString(value, room)];
  if (Array.isArray(value)) return [truncateItems(value, room, place)];
  return isObject(value) ? [truncateObject(value, room, place)] : [];
}

/** Truncates a text by the tokens of its JSON, which escapes make longer. */
function truncateString(text: string, room: number): string {
  let plain = room - 2;
  let cut = startWithin(text, plain);
  while (tokensOf(cut) > room) {
    plain *= 0.8;
    cut = startWithin(text, plain);
  }
  return cut;
}

/** Keeps the first items that fit; if the very first does not fit, it is truncated. */
function truncateItems(items: readonly unknown[], room: number, { name, depth, cut }: Place): readonly unknown[] {
  const kept: unknown[] = [];
  let left = room - 2;
  for (const item of items) {
    const length = tokensOf(item) + 1;
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
    .map(([key, member]) => ({ key, member, length: tokensOf(key) + tokensOf(member) }))
    .sort((one, other) => Math.max(one.length, shortMember) - Math.max(other.length, shortMember));
  for (const { key, member } of byLength) {
    const keyLength = tokensOf(key) + 1;
    const memberName = `${name === '' ? '' : `${name}.`}${key.slice(0, 60)}`;
    for (const short of truncateValue(member, left - keyLength, { name: memberName, depth: depth + 1, cut })) {
      kept.set(key, short);
      left -= tokensOf(short) + keyLength;
    }
  }
  return Object.fromEntries(Object.entries(value).flatMap(([key]) => (kept.has(key) ? [[key, kept.get(key)]] : [])));
}

function tokensOf(value: unknown): number {
  return estimateTokens(JSON.stringify(value) ?? '');
}
