import { hash } from 'node:crypto';

/** The first of the numbers that stand for words; vendors' own numbers are far below it. */
const firstOfWords = 9_000_000_000_000_000;
const wordNumbers = 7_000_000_000_000;

/**
 * The number of an id, for kinds whose ids are numbers. Digits are that number; a word such as `closedwon` has a number
 * computed from it alone, which is thus the same on every server, whatever other ids there are.
 */
export function wordNumber(id: string): number {
  if (/^[1-9]\d{0,14}$/.test(id)) return Number(id);
  return firstOfWords + (Number.parseInt(hash('sha256', id).slice(0, 12), 16) % wordNumbers);
}
