/** Represents the value of a note that is too large to be parsed at once. */
export const unread = Symbol('unread');

/** The maximum length of an indexed text, in characters: longer ones are no ids. */
const maxLength = 256;

/** The token of lists, maps and unread values, which are compared one by one. */
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

/** Returns the tokens of all values that may equal a constant of a rule, strictly or loosely. */
export const tokensEqualTo = (constant: string | number | boolean): readonly string[] => [...tokensOf(constant), other];

const isNumeral = (text: string): boolean => !Number.isNaN(Number(text));

const numberToken = (value: unknown): string => `number ${Number(value)}`;
