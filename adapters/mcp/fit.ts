/** The longest text of one answer, in UTF-16 units: about 25,000 tokens, what common clients take at most. */
export const longestText = 100_000;

/** What was left out of an answer, in words that go to the model with it; null when all of it is there. */
export type Fitted<Value> = Readonly<{ value: Value; text: string; truncated: string | null }>;

/** The JSON of a value within `limit`; `value` is null when it had to be cut to where it is no JSON any more. */
export type FittedJson = Fitted<Readonly<Record<string, unknown>> | null>;

/** A text, cut to the limit. */
export function fitText(text: string, limit = longestText): Fitted<string> {
  if (text.length <= limit) return { value: text, text, truncated: null };
  const cut = headOf(text, limit);
  return { value: cut, text: cut, truncated: `Only the first ${cut.length} of ${text.length} characters are shown.` };
}

/**
 * An object as JSON of at most about `limit`. What is too long loses the ends of its long texts first, then the last items of its list
 * (`data`), and is cut as text at last. A shortened object says so in its own `truncated`.
 */
export function fitJson(value: Readonly<Record<string, unknown>>, limit = longestText): FittedJson {
  const text = JSON.stringify(value);
  if (text.length <= limit) return { value, text, truncated: null };
  const shortened = shorten(value, longestInside);
  return (
    told(
      shortened,
      `Texts longer than ${longestInside} characters are cut; read one record for the whole text.`,
      limit,
    ) ??
    fitList(shortened, limit) ?? {
      value: null,
      text: headOf(text, limit),
      truncated: `Only the first ${limit} of ${text.length} characters of this JSON are shown. Ask for less: fewer fields, one record, a narrower search.`,
    }
  );
}

const longestInside = 4000;

function fitList(value: Readonly<Record<string, unknown>>, limit: number): FittedJson | null {
  const list = value['data'];
  if (!Array.isArray(list)) return null;
  let length = JSON.stringify({ ...value, data: [] }).length;
  let kept = 0;
  for (const item of list) {
    length += JSON.stringify(item).length + 1;
    if (length > limit) break;
    kept += 1;
  }
  if (kept === 0) return null;
  const hint = `Only the first ${kept} of ${list.length} items are shown, and their long texts are cut. Ask for a smaller page or a narrower search.`;
  return told({ ...value, data: list.slice(0, kept) }, hint, limit + hint.length + 20);
}

function told(value: Readonly<Record<string, unknown>>, truncated: string, limit: number): FittedJson | null {
  const marked = { ...value, truncated };
  const text = JSON.stringify(marked);
  return text.length <= limit ? { value: marked, text, truncated } : null;
}

function shorten(value: Readonly<Record<string, unknown>>, limit: number): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shortenAny(part, limit)]));
}

function shortenAny(value: unknown, limit: number): unknown {
  if (typeof value === 'string') {
    return value.length <= limit ? value : `${headOf(value, limit)}… [${value.length} characters]`;
  }
  if (Array.isArray(value)) return value.map((item) => shortenAny(item, limit));
  return typeof value === 'object' && value !== null ? shorten({ ...value }, limit) : value;
}

/** The beginning of a text, without half a surrogate pair at its end. */
function headOf(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
