/** Represents the value of a note that is too large to be parsed at once. */
export const unread = Symbol('unread');

/** The maximum length of an indexed text, in characters: longer texts are not ids. */
const maxLength = 256;

/** The token of lists, maps, long texts and unread values, which must be compared one by one. */
const other = 'other';

/**
 * The tokens by which a value is found: its text, and its number if it is numeric, since a rule may compare the two
 * loosely. Empty for values that equal no constant.
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
