/** How many faults CI judges in a day: what two processors do in a minute and a half. */
const partSize = 8;
const dayMs = 86_400_000;

/** The part of the faults for a day, such as `3/20`: another one each day, until all had their turn. */
export function partOfToday(count: number, now: number): string {
  const parts = Math.max(1, Math.ceil(count / partSize));
  return `${(Math.floor(now / dayMs) % parts) + 1}/${parts}`;
}

/** Every n-th of them, from the i-th on, for `i/n`. */
export function withinPart<T>(all: readonly T[], part: string): readonly T[] {
  const [, first = '', every = ''] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(part) ?? [];
  if (first === '' || Number(first) > Number(every)) throw new Error(`--part takes i/n, such as 3/20, and not ${part}`);
  return all.filter((_, index) => index % Number(every) === Number(first) - 1);
}
