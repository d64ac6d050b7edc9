import { type DqlCursor, refusal } from '#domain/vault-queries/dql/dql-cursor.ts';
import type { Expression } from '#domain/vault-queries/dql/dql-tree.ts';
import { durationIn } from '#domain/vault-queries/dql/duration.ts';
import { momentIn, namedMoment } from '#domain/vault-queries/dql/moment.ts';

const kinds = {
  date: {
    opening: /date\(/iy,
    text: /[^\s(),"[\]]+/y,
    isKnown: (text: string) => namedMoment(text, 0) !== null || momentIn(text) !== null,
    isMeant: (text: string) => /^\d{4}-\d/.test(text),
    example: 'date such as date(2026-11-25), date(2026-11-25T16:30) or date(today)',
  },
  duration: {
    opening: /dur\(/iy,
    text: /[^()"[\]]+/y,
    isKnown: (text: string) => durationIn(text) !== null,
    isMeant: (text: string) => /^-?\d+(?:\.\d+)?[ \t]*\p{L}/u.test(text),
    example: 'duration such as dur(7 days) or dur(1 month, 2 d)',
  },
} as const;

/** Reads `date(today)` or `dur(7 days)`; null for a call of these functions with an expression. */
export function readTime(cursor: DqlCursor, kind: keyof typeof kinds): Expression | null {
  const { place: at } = cursor;
  const { opening, text: expected, isKnown, isMeant, example } = kinds[kind];
  const text = cursor.token(opening) === null ? null : cursor.take(expected)?.trim();
  if (text === null || text === undefined) return null;
  cursor.skip();
  if (cursor.take(/\)/y) === null) return null;
  if (isKnown(text)) return { kind, text, at };
  if (isMeant(text)) throw refusal(`${kind === 'date' ? 'date' : 'dur'}(${text})`, at, `is not a ${example}`);
  return null;
}
