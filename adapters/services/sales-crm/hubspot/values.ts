import { parsedTime, realTime } from '#adapters/services/webhooks/webhook-time.ts';

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

/** Converts a time in Unix ms, or in ISO 8601 and UTC where it has no zone, to ISO 8601; null when it is neither. */
export function timeIn(text: string | null | undefined): string | null {
  const at = /^\d{5,16}$/.test(text ?? '') ? realTime(Number(text)) : parsedTime(text);
  return at === null ? null : new Date(at).toISOString();
}

/** Converts a value to the text of a property of this type; null for a value that none can hold. */
export function textOf(type: string, value: unknown): string | null {
  if (value === null) return '';
  if (typeof value === 'string') return type === 'date' || type === 'datetime' ? timeIn(value) : value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) && value.every((one) => typeof one !== 'object') ? value.map(String).join(';') : null;
}

/** Converts the id of a record to a number, as the kind has it; those of leads and goals are texts. */
export function idIn(type: string, id: string): number | string {
  return type === 'leads' || type === 'goal_targets' || !Number.isSafeInteger(Number(id)) ? id : Number(id);
}

/** A value as text: a text as it is, nothing as '', anything else as JSON. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The texts that are not empty. */
export function filled(texts: readonly (string | null | undefined)[]): readonly string[] {
  return texts.flatMap((text) => (text == null || text.trim() === '' ? [] : [text.trim()]));
}
