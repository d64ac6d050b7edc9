/**
 * Whether the suite runs in its long form, `npm run test:long`: every case and every round. The short form, `npm test`, keeps at least
 * one case of each kind where many cost much and find the same faults.
 */
export const isLong = process.env['TEST_FORM'] === 'long';

/** How often something is tried, by the form of the suite. */
export const rounds = (short: number, long: number): number => (isLong ? long : short);

/** All cases in the long form, and in the short one those that `isKept` names; throws when that leaves none. */
export function casesOf<T>(all: readonly T[], isKept: (one: T) => boolean): readonly T[] {
  const cases = isLong ? all : all.filter(isKept);
  if (cases.length === 0) throw new Error('The short form keeps no case.');
  return cases;
}
