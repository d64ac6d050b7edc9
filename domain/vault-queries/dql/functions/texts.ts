import { DqlError, type DqlScope } from '#domain/vault-queries/dql/dql-scope.ts';
import {
  type DqlFunction,
  forValues,
  isNumber,
  isText,
  one,
  three,
  two,
} from '#domain/vault-queries/dql/functions/overloads.ts';
import { readPattern } from '#domain/vault-queries/pattern/read-pattern.ts';
import { replacePattern, searchPattern, splitByPattern } from '#domain/vault-queries/pattern/search-pattern.ts';

function patternOf(source: string) {
  const read = readPattern(source);
  if (read.ok) return read.value;
  throw new DqlError(`The pattern "${source}" cannot be used: ${read.failure}`);
}

const tests = (pattern: string, given: string, { budget }: DqlScope): boolean =>
  searchPattern(patternOf(pattern), given, 0, budget) !== null;

/** Whether a pattern matches all of a text; one that begins with `^` or ends with `$` says itself where. */
const matches = (pattern: string, given: string, scope: DqlScope): boolean =>
  tests(pattern.startsWith('^') || pattern.endsWith('$') ? pattern : `^(?:${pattern})$`, given, scope);

/** Charges for a text before it is made. */
function sized(length: number, { budget }: DqlScope): void {
  budget.take(Math.max(0, length) / 4);
}

function replaced(given: string, part: string, by: string, scope: DqlScope): string {
  sized(given.length, scope);
  const parts = given.split(part);
  sized(given.length + parts.length * by.length, scope);
  return parts.join(by);
}

const padding = (pad: (given: string, length: number, by: string) => string): DqlFunction => {
  const padded = (given: string, length: number, by: string, scope: DqlScope): string => {
    sized(length, scope);
    return pad(given, length, by);
  };
  return forValues(
    [0, 1, 2],
    two(isText, isNumber, (given, length, scope) => padded(given, length, ' ', scope)),
    three(isText, isNumber, isText, padded),
  );
};

function truncated(given: string, length: number, suffix: string): string {
  const kept = length - suffix.length;
  return given.length > length ? given.slice(0, Math.max(0, kept)) + suffix : given;
}

const cased = (change: (given: string) => string): DqlFunction =>
  forValues(
    [0],
    one(isText, (given, scope) => {
      sized(given.length, scope);
      return change(given);
    }),
  );

/** The functions of texts. Regular expressions are matched in linear time. */
export const textFunctions: Readonly<Record<string, DqlFunction>> = {
  regextest: { ...forValues([0, 1], two(isText, isText, tests)), forNull: false },
  regexmatch: { ...forValues([0, 1], two(isText, isText, matches)), forNull: false },
  regexreplace: forValues(
    [0, 1, 2],
    three(isText, isText, isText, (given, pattern, by, { budget }) =>
      replacePattern(patternOf(pattern), given, by, budget),
    ),
  ),
  replace: forValues([0, 1, 2], three(isText, isText, isText, replaced)),
  lower: cased((given) => given.toLowerCase()),
  upper: cased((given) => given.toUpperCase()),
  split: forValues(
    [],
    two(isText, isText, (given, by, { budget }) => splitByPattern(patternOf(by), given, budget)),
    three(isText, isText, isNumber, (given, by, limit, { budget }) =>
      splitByPattern(patternOf(by), given, budget).slice(0, Math.max(0, limit)),
    ),
  ),
  startswith: forValues(
    [0, 1],
    two(isText, isText, (given, start) => given.startsWith(start)),
  ),
  endswith: forValues(
    [0, 1],
    two(isText, isText, (given, end) => given.endsWith(end)),
  ),
  padleft: padding((given, length, by) => given.padStart(length, by)),
  padright: padding((given, length, by) => given.padEnd(length, by)),
  substring: forValues(
    [0, 1, 2],
    two(isText, isNumber, (given, start) => given.substring(start)),
    three(isText, isNumber, isNumber, (given, start, end) => given.substring(start, end)),
  ),
  truncate: forValues(
    [0, 1, 2],
    two(isText, isNumber, (given, length) => truncated(given, length, '...')),
    three(isText, isNumber, isText, truncated),
  ),
};
