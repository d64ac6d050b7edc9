/** The texts of a record's properties by name; null and '' are empty. */
export type Texts = Readonly<Record<string, string | null | undefined>>;

/**
 * Converts a property's text to a value of its type, HubSpot's or `list` where several may be chosen; null when it is
 * empty. A text of another form is kept.
 */
export function valueIn(type: string, text: string | null | undefined): unknown {
  if (text === null || text === undefined || text === '') return null;
  if (type === 'number') return Number.isFinite(Number(text)) ? Number(text) : text;
  if (type === 'bool') return text === 'true' || (text === 'false' ? false : text);
  if (type === 'date') return timeIn(text)?.slice(0, 10) ?? text;
  if (type === 'datetime') return timeIn(text) ?? text;
  return type === 'list' ? text.split(';').filter((one) => one !== '') : text;
}

/** Converts a time in Unix ms or ISO 8601 to ISO 8601 in UTC; null when it is neither. */
export function timeIn(text: string | null | undefined): string | null {
  const at = /^-?\d{5,}$/.test(text ?? '') ? Number(text) : Date.parse(text ?? '');
  return Number.isNaN(at) || Math.abs(at) > 8.64e15 ? null : new Date(at).toISOString();
}

/** Converts a value to the text of a property of this type; null for a value that none can hold. */
export function textOf(type: string, value: unknown): string | null {
  if (value === null) return '';
  if (typeof value === 'string') return type === 'date' || type === 'datetime' ? timeText(value) : value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) && value.every((one) => typeof one !== 'object') ? value.map(String).join(';') : null;
}

/** A day is the beginning of it, and a time of day without a zone is in UTC, as the kind has them. */
export function timeText(text: string): string | null {
  return timeIn(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? `${text.replace(' ', 'T')}Z` : text);
}

/** The types whose ids are texts in the kind. */
const textIds = ['leads', 'goal_targets'];

/** Converts the id of a record of a type to a number, as most are in the kind. */
export function idIn(type: string, id: string): number | string {
  return textIds.includes(type) || !Number.isSafeInteger(Number(id)) ? id : Number(id);
}

/** A value as text: a text as it is, nothing as '', anything else as JSON. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The texts that are not empty. */
export function filled(texts: readonly (string | null | undefined)[]): readonly string[] {
  return texts.flatMap((text) => (text == null || text.trim() === '' ? [] : [text.trim()]));
}
