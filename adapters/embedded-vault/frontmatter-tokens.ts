/** Stands for the value of a note that is too large to be looked into at once. */
export const unread = Symbol('unread');

/** Longer texts are no ids: they are not kept twice. */
const maxLength = 256;

/** What a list, a map or a value that is not known is found by: they are looked at one by one. */
const other = 'other';

/**
 * What a value is found by: its text, and the number that it stands for, since a rule may compare the two loosely. None for what equals
 * nothing that is asked for.
 */
export function tokensOf(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string' && value.length > maxLength) return [other];
  if (typeof value === 'string') return isNumeral(value) ? [`text ${value}`, numberToken(value)] : [`text ${value}`];
  if (typeof value === 'number' || typeof value === 'boolean') return [numberToken(value)];
  return [other];
}

/** What all notes are found by whose value may equal a constant of a rule, strictly or loosely. */
export const tokensEqualTo = (constant: string | number | boolean): readonly string[] => [...tokensOf(constant), other];

const isNumeral = (text: string): boolean => !Number.isNaN(Number(text));

const numberToken = (value: unknown): string => `number ${Number(value)}`;
