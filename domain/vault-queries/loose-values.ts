import type { WorkBudget } from '#domain/vault-queries/work-budget.ts';

/**
 * Converts a value to a string as JavaScript does, joining lists with `separator`. A member named `toString` is data
 * here and never called. Charges the budget by the size of the result.
 */
export function looseText(value: unknown, budget: WorkBudget, separator = ','): string {
  if (typeof value === 'string') {
    budget.take(value.length / 16);
    return value;
  }
  if (Array.isArray(value)) {
    budget.take(value.length);
    const parts = value.map((member) => (member === null || member === undefined ? '' : looseText(member, budget)));
    budget.take(parts.reduce((sum, part) => sum + part.length, 0));
    return parts.join(separator);
  }
  return typeof value === 'object' && value !== null ? '[object Object]' : String(value);
}

/** Converts a value to a number as JavaScript does. */
export function numberOf(value: unknown, budget: WorkBudget): number {
  return Number(primitiveOf(value, budget));
}

/** Compares like JavaScript's `a == b`. */
export function looselyEqual(a: unknown, b: unknown, budget: WorkBudget): boolean {
  if (isObject(a) && isObject(b)) return a === b;
  if (a === null || a === undefined || b === null || b === undefined) return (a ?? null) === (b ?? null);
  const [first, second] = [primitiveOf(a, budget), primitiveOf(b, budget)];
  return typeof first === 'string' && typeof second === 'string' ? first === second : Number(first) === Number(second);
}

/** Orders `a` and `b` like JavaScript's `<`: below 0, 0 or above 0; NaN when they are unordered. */
export function compareLoosely(a: unknown, b: unknown, budget: WorkBudget): number {
  const [first, second] = [primitiveOf(a, budget), primitiveOf(b, budget)];
  if (typeof first === 'string' && typeof second === 'string') return first < second ? -1 : first > second ? 1 : 0;
  const [one, other] = [Number(first), Number(second)];
  return one < other ? -1 : one > other ? 1 : one === other ? 0 : Number.NaN;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

function primitiveOf(value: unknown, budget: WorkBudget): unknown {
  if (typeof value === 'string') budget.take(value.length / 64);
  return isObject(value) ? looseText(value, budget) : value;
}
