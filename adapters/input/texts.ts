import { z } from 'zod';
import { badPlaces } from '#domain/json/json-data.ts';

/** The text of a whole number in its one spelling: no sign, leading zero, blank, fraction or exponent. */
const digits = /^(?:0|[1-9]\d*)$/;

/** A whole number within bounds, also as text in its one spelling: '12', and neither '012' nor '1e1'. */
export function wholeNumber(minimum: number, maximum: number = Number.MAX_SAFE_INTEGER) {
  return z.preprocess(
    (value) => (typeof value === 'string' && digits.test(value) ? Number(value) : value),
    z.int().min(minimum).max(maximum),
  );
}

/** Parses JSON in a text; anything else, and JSON that would lose a member, stays as it is, for validation to report. */
export function jsonOrAsIs(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return badPlaces(parsed).length === 0 ? parsed : value;
  } catch {
    return value;
  }
}
