import { containsText } from '#domain/text/index-of-text.ts';
import { matchesGlob } from '#domain/vault-queries/glob.ts';
import { compareLoosely, looselyEqual, looseText, numberOf } from '#domain/vault-queries/loose-values.ts';
import type { WorkBudget } from '#domain/vault-queries/work-budget.ts';

/** Tests a text with a regular expression; throws `SyntaxError` when the expression is malformed. */
export type TestExpression = (source: string, text: string) => boolean;

/** The step budget of a rule, and its regular expression matcher. */
export type RuleTools = Readonly<{ budget: WorkBudget; testExpression: TestExpression }>;

/** Thrown for a JsonLogic rule that cannot be evaluated. */
export class RuleError extends Error {}

type Values = readonly unknown[];
type Operation = (values: Values, data: unknown, tools: RuleTools) => unknown;

/**
 * Evaluates a JsonLogic rule over `data` (jsonlogic.com, plus the `glob` and `regexp` of the real server). Each step is
 * charged to the budget, texts and lists by size; only own members of data are visible. Throws `BudgetSpent`,
 * `RuleError` or whatever `testExpression` throws.
 */
export function applyRule(rule: unknown, data: unknown, tools: RuleTools): unknown {
  tools.budget.take(10);
  if (Array.isArray(rule)) return rule.map((part) => applyRule(part, data, tools));
  const step = stepOf(rule);
  if (step === null) return rule;
  const [name, parameters] = step;
  const lazy = Object.hasOwn(lazyOperations, name) ? lazyOperations[name] : undefined;
  if (lazy !== undefined) return lazy(parameters, data, tools);
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (operation === undefined) throw new RuleError(`Unrecognized operation ${name}`);
  return operation(
    parameters.map((parameter) => applyRule(parameter, data, tools)),
    data,
    tools,
  );
}

/** Whether a rule uses an operation anywhere in it. */
export function usesOperation(rule: unknown, name: string): boolean {
  if (typeof rule !== 'object' || rule === null) return false;
  return Object.hasOwn(rule, name) || Object.values(rule).some((part) => usesOperation(part, name));
}

function stepOf(rule: unknown): readonly [string, Values] | null {
  if (typeof rule !== 'object' || rule === null) return null;
  const [entry, ...others] = Object.entries(rule);
  if (entry === undefined || others.length > 0) return null;
  const [name, parameters]: [string, unknown] = entry;
  return [name, Array.isArray(parameters) ? parameters : [parameters]];
}

/** JsonLogic truthiness: an empty list is false; all else as in JavaScript (jsonlogic.com/truthy). */
const isTruthy = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value));

function choose(values: Values, data: unknown, tools: RuleTools): unknown {
  let at = 0;
  for (; at < values.length - 1; at += 2) {
    if (isTruthy(applyRule(values[at], data, tools))) return applyRule(values[at + 1], data, tools);
  }
  return at < values.length ? applyRule(values[at], data, tools) : null;
}

const untilTruth =
  (wanted: boolean): Operation =>
  (values, data, tools) => {
    let current: unknown;
    for (const value of values) {
      current = applyRule(value, data, tools);
      if (isTruthy(current) === wanted) return current;
    }
    return current;
  };

function listOf([list]: Values, data: unknown, tools: RuleTools): Values | null {
  const value = applyRule(list, data, tools);
  return Array.isArray(value) ? value : null;
}

/**
 * Searches a list for a member whose truthiness under the rule is `sought`: returns `found` if there is one, `!found`
 * if not, `forNone` for an empty list.
 */
const search =
  (sought: boolean, found: boolean, forNone: boolean): Operation =>
  (values, data, tools) => {
    const list = listOf(values, data, tools);
    if (list === null || list.length === 0) return forNone;
    return list.some((member) => isTruthy(applyRule(values[1], member, tools)) === sought) ? found : !found;
  };

function reduce(values: Values, data: unknown, tools: RuleTools): unknown {
  const list = listOf(values, data, tools);
  const initial = values[2] === undefined ? null : applyRule(values[2], data, tools);
  const step = (accumulator: unknown, current: unknown) => applyRule(values[1], { current, accumulator }, tools);
  return list === null ? initial : list.reduce(step, initial);
}

const lazyOperations: Readonly<Record<string, Operation>> = {
  if: choose,
  '?:': choose,
  and: untilTruth(false),
  or: untilTruth(true),
  filter: (values, data, tools) =>
    listOf(values, data, tools)?.filter((member) => isTruthy(applyRule(values[1], member, tools))) ?? [],
  map: (values, data, tools) => listOf(values, data, tools)?.map((member) => applyRule(values[1], member, tools)) ?? [],
  reduce,
  all: search(false, false, false),
  none: search(true, false, true),
  some: search(true, true, false),
};

/** The value at a path such as `frontmatter.status`; undefined when there is none. */
function valueAt(path: unknown, data: unknown, { budget }: RuleTools): unknown {
  if (path === undefined || path === '' || path === null) return data;
  const names = looseText(path, budget).split('.');
  budget.take(names.length * 4);
  let value = data;
  for (const name of names) {
    if (value === null || value === undefined || !Object.hasOwn(Object(value), name)) return undefined;
    value = Reflect.get(Object(value), name);
  }
  return value;
}

function missingOf(keys: Values, data: unknown, tools: RuleTools): Values {
  return keys.filter((key) => [undefined, null, ''].some((nothing) => valueAt(key, data, tools) === nothing));
}

const keysOf = (values: Values): Values => (Array.isArray(values[0]) ? values[0] : values);

function isIn([part, whole]: Values, _: unknown, { budget }: RuleTools): boolean {
  // An empty text contains nothing, not even an empty text.
  if (whole === '') return false;
  if (typeof whole === 'string') {
    const text = part === undefined ? 'undefined' : looseText(part, budget);
    budget.take(whole.length / (text.length > 8 ? 4 : 16));
    return containsText(whole, text);
  }
  if (!Array.isArray(whole)) return false;
  budget.take(whole.length + (typeof part === 'string' ? part.length / 16 : 0));
  return whole.includes(part) && !Number.isNaN(part);
}

function merge(values: Values, _: unknown, { budget }: RuleTools): Values {
  for (const value of values) budget.take(Array.isArray(value) ? value.length : 1);
  return values.flat(1);
}

function substring([source, start, length]: Values, _: unknown, { budget }: RuleTools): string {
  const text = looseText(source, budget);
  const at = Math.trunc(numberOf(start, budget)) || 0;
  const from = at < 0 ? Math.max(text.length + at, 0) : at;
  if (length === undefined) return text.slice(from);
  const count = Math.trunc(numberOf(length, budget)) || 0;
  return count < 0 ? text.slice(from, Math.max(text.length + count, from)) : text.slice(from, from + count);
}

const numbers = (values: Values, { budget }: RuleTools): readonly number[] =>
  values.map((value) => numberOf(value, budget));
const parsed = (value: unknown, { budget }: RuleTools): number => Number.parseFloat(looseText(value, budget));

/** `a < b`, or `a < b < c`. */
const ordered =
  (allows: (order: number) => boolean): Operation =>
  ([first, second, third], _, { budget }) =>
    allows(compareLoosely(first, second, budget)) &&
    (third === undefined || allows(compareLoosely(second, third, budget)));

const operations: Readonly<Record<string, Operation>> = {
  '==': ([a, b], _, { budget }) => looselyEqual(a, b, budget),
  '!=': ([a, b], _, { budget }) => !looselyEqual(a, b, budget),
  '===': ([a, b]) => a === b,
  '!==': ([a, b]) => a !== b,
  '<': ordered((order) => order < 0),
  '<=': ordered((order) => order <= 0),
  '>': ([a, b], _, { budget }) => compareLoosely(a, b, budget) > 0,
  '>=': ([a, b], _, { budget }) => compareLoosely(a, b, budget) >= 0,
  '!!': ([value]) => isTruthy(value),
  '!': ([value]) => !isTruthy(value),
  '%': ([a, b], _, { budget }) => numberOf(a, budget) % numberOf(b, budget),
  '+': (values, _, tools) => values.reduce<number>((sum, value) => sum + parsed(value, tools), 0),
  '*': ([first, ...others], _, tools) =>
    others.length === 0
      ? first
      : others.reduce<number>((all, value) => all * parsed(value, tools), parsed(first, tools)),
  '-': ([a, b], _, { budget }) => (b === undefined ? -numberOf(a, budget) : numberOf(a, budget) - numberOf(b, budget)),
  '/': ([a, b], _, { budget }) => numberOf(a, budget) / numberOf(b, budget),
  min: (values, _, tools) => Math.min(...numbers(values, tools)),
  max: (values, _, tools) => Math.max(...numbers(values, tools)),
  cat: (values, _, { budget }) => looseText(values, budget, ''),
  substr: substring,
  in: isIn,
  merge,
  var: ([path, otherwise = null], data, tools) => {
    const value = valueAt(path, data, tools);
    return value === undefined ? otherwise : value;
  },
  missing: (values, data, tools) => missingOf(keysOf(values), data, tools),
  missing_some: ([needed, options], data, tools) => {
    const keys = Array.isArray(options) ? options : [];
    const missing = missingOf(keys, data, tools);
    return keys.length - missing.length >= numberOf(needed, tools.budget) ? [] : missing;
  },
  log: ([value]) => value,
  glob: ([pattern, text], _, { budget }) => {
    if (typeof pattern !== 'string' || typeof text !== 'string') return false;
    budget.take((pattern.length + text.length) / 4);
    return matchesGlob(pattern, text);
  },
  regexp: ([pattern, text], _, { budget, testExpression }) => {
    if (typeof pattern !== 'string' || typeof text !== 'string') return false;
    budget.take(text.length / 16);
    return testExpression(pattern, text);
  },
};
