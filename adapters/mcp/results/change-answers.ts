import { isObject } from '#domain/json/json-data.ts';

/** The least length of a text that an answer leaves out because the call gave it, in characters. */
const minGiven = 500;

/** The length of an answer that is short, as JSON. */
const maxShort = 300;

/** What names a record in an answer. */
const naming: readonly string[] = ['identifier', 'path', 'name', 'title', 'url'];

/** The answer of a change without the long texts that the call itself gave: each is replaced by its length. */
export function withoutGivenTexts(data: unknown, input: unknown): unknown {
  const given = longTextsIn(input);
  return given.size === 0 ? data : leftOut(data, given);
}

/** Of a changed record what names it, and the values of the inputs; all of a short one, and of one that has none of them. */
export function changedValues(data: unknown, input: unknown): unknown {
  if (!isObject(data) || !isObject(input) || JSON.stringify(data).length <= maxShort) return data;
  const given = new Set(Object.keys(input).map(withoutId));
  const values = Object.entries(data).filter(([name]) => naming.includes(name) || given.has(withoutId(name)));
  return values.length === 0 ? data : Object.fromEntries(values);
}

const withoutId = (name: string) => name.replace(/(?:_id|Id)$/, '');

function longTextsIn(value: unknown): ReadonlySet<string> {
  if (typeof value === 'string') return new Set(value.length < minGiven ? [] : [value.trim()]);
  if (typeof value !== 'object' || value === null) return new Set();
  return new Set(Object.values(value).flatMap((member) => [...longTextsIn(member)]));
}

function leftOut(value: unknown, given: ReadonlySet<string>): unknown {
  if (typeof value === 'string') {
    const isGiven = value.length >= minGiven && given.has(value.trim());
    return isGiven ? `(as given, ${value.length} characters)` : value;
  }
  if (Array.isArray(value)) return value.map((item) => leftOut(item, given));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, leftOut(member, given)]));
}
