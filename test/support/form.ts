/**
 * Whether the suite runs in its long form (`npm run test:long`), with every case and every round. The short form (`npm test`) runs a
 * sample where many cases are expensive and find the same errors.
 */
export const isLong = process.env['TEST_FORM'] === 'long';

/** The number of rounds in the form of the suite that runs. */
export const rounds = (short: number, long: number): number => (isLong ? long : short);

/** Returns all cases in the long form, and those that `isKept` selects in the short form; throws if it selects none. */
export function casesOf<T>(all: readonly T[], isKept: (one: T) => boolean): readonly T[] {
  const cases = isLong ? all : all.filter(isKept);
  if (cases.length === 0) throw new Error('The short form keeps no case.');
  return cases;
}
