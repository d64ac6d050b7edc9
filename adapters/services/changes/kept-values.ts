import { isSame } from '#adapters/services/changes/changed-values.ts';
import { isObject } from '#domain/json/json-data.ts';
import { own } from '#domain/shared/own.ts';
import { inNfc, normalized } from '#domain/text/nfc.ts';

/**
 * Whether `kept` may be what a service made of `given` when it stored it: without blanks around texts, with amounts
 * rounded to two decimals or more, with a time zone. A value that differs otherwise was changed by somebody. Where nobody
 * can have changed the record since (`isUntouched`), a number may be rounded, and a text punctuated, in any way.
 */
export function isKeptAs(given: unknown, kept: unknown, isUntouched = false): boolean {
  if (isSame(given, kept)) return true;
  if (Array.isArray(given) || Array.isArray(kept)) {
    const [ours, theirs] = [listOf(given), listOf(kept)];
    return ours.length === theirs.length && ours.every((one, index) => isKeptAs(one, theirs[index], isUntouched));
  }
  if (isObject(given) && isObject(kept)) {
    const names = new Set([...Object.keys(given), ...Object.keys(kept)]);
    return [...names].every((name) => isKeptAs(own(given, name), own(kept, name), isUntouched));
  }
  const [ours, theirs] = [numberIn(given), numberIn(kept)];
  if (ours !== null && theirs !== null) return isRounded(ours, theirs, isUntouched);
  if (!isPlain(given) || !isPlain(kept)) return false;
  const [text, other] = [textOf(given), textOf(kept)];
  return text === other || isSameTime(text, other) || (isUntouched && lettersOf(text) === lettersOf(other));
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value == null ? [] : [value]);

const isPlain = (value: unknown): value is string | null | undefined => value == null || typeof value === 'string';

const number = /^-?\d{1,15}(?:\.\d{1,20})?$/;

function numberIn(value: unknown): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && number.test(value) ? Number(value) : null;
}

/** Whether a number is another one, rounded to as many decimals as it has, but at least to two. */
function isRounded(given: number, kept: number, isUntouched: boolean): boolean {
  const decimals = /\.(\d+)$/.exec(String(kept))?.[1]?.length ?? 0;
  const step = 10 ** -(isUntouched ? decimals : Math.max(decimals, 2));
  // Either way of rounding a half, and what binary fractions add to it.
  return Math.abs(given - kept) <= (step / 2) * (1 + 1e-6);
}

const email = /^[^\s@]+@[^\s@]+$/;

/** A text without what services leave out: blanks around it and at the ends of lines; addresses in small letters. */
function textOf(value: string | null | undefined): string {
  const lines = inNfc(value ?? '').split(/\r\n|\r|\n/);
  const text = lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
  return email.test(text) ? text.toLowerCase() : text;
}

const day = /^\d{4}-\d{2}-\d{2}$/;
const dayBegins = /^(\d{4}-\d{2}-\d{2})[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d{2}:?\d{2})?$/;
const wall = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2}))?(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/;

/** Whether a day is the beginning of it, or a time without a zone the same one in a zone. */
function isSameTime(left: string, right: string): boolean {
  if (day.test(left)) return dayBegins.exec(right)?.[1] === left;
  if (day.test(right)) return dayBegins.exec(left)?.[1] === right;
  const [one, other] = [wall.exec(left), wall.exec(right)];
  if (one === null || other === null) return false;
  const hasZones = one[4] !== undefined && other[4] !== undefined;
  return !hasZones && [1, 2].every((at) => one[at] === other[at]) && (one[3] ?? '00') === (other[3] ?? '00');
}

/** The letters and digits of a text. */
function lettersOf(text: string): string {
  return normalized(text, 'NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
