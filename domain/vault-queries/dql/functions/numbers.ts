import { DqlError, type DqlScope } from '#domain/vault-queries/dql/dql-scope.ts';
import type { Operator } from '#domain/vault-queries/dql/dql-tree.ts';
import { kindOf, type Lambda, orderOf } from '#domain/vault-queries/dql/dql-values.ts';
import {
  anyValue,
  type DqlFunction,
  forAll,
  forValues,
  isFunction,
  isList,
  isNumber,
  isText,
  one,
  several,
  two,
} from '#domain/vault-queries/dql/functions/overloads.ts';
import { operate } from '#domain/vault-queries/dql/operators.ts';

const isNull = (value: unknown): boolean => kindOf(value) === 'null';

/** The value that comes first (`sign` 1) or last (-1) in order; null only when all are. */
function extreme(sign: 1 | -1): DqlFunction {
  const of = (values: readonly unknown[], { budget }: DqlScope): unknown => {
    const known = values.filter((value) => !isNull(value));
    return known.reduce((best, value) => (sign * orderOf(value, best, budget) < 0 ? value : best), known[0] ?? null);
  };
  return forAll([], one(isList, of), several(of));
}

function extremeBy(sign: 1 | -1): DqlFunction {
  const of = (values: readonly unknown[], key: Lambda, { budget }: DqlScope): unknown => {
    const keyed = values.map((value) => ({ value, key: key(value) }));
    const known = keyed.filter((value) => !isNull(value.key));
    const [first = keyed[0]] = known;
    if (first === undefined) return null;
    return known.reduce((best, next) => (sign * orderOf(next.key, best.key, budget) < 0 ? next : best), first).value;
  };
  return forValues([], two(isList, isFunction, of));
}

const operators: readonly Operator[] = ['+', '-', '*', '/', '&', '|'];

function reduced(values: readonly unknown[], sign: string, { budget }: DqlScope): unknown {
  const operator = operators.find((known) => known === sign);
  if (operator === undefined)
    throw new DqlError(`reduce() joins by ${operators.join(' ')} or a function, not "${sign}".`);
  budget.take(10 * values.length);
  const [first = null, ...rest] = values;
  return rest.reduce((sum, value) => operate(operator, sum, value, budget), first);
}

function reducedBy(values: readonly unknown[], join: Lambda): unknown {
  const [first = null, ...rest] = values;
  return rest.filter((value) => !isNull(value)).reduce((sum, value) => join(sum, value), first);
}

const itself = one(anyValue, (value) => value);
const rounded = (round: (value: number) => number): DqlFunction => forValues([0], one(isNumber, round));

/** The functions of numbers, and of lists that become one value. */
export const numberFunctions: Readonly<Record<string, DqlFunction>> = {
  round: forAll(
    [0],
    one(isNumber, Math.round),
    two(isNumber, isNumber, (value, digits) =>
      digits <= 0 ? Math.round(value) : Number(value.toFixed(Math.min(Math.floor(digits), 100))),
    ),
    several(([value]) => (typeof value === 'number' ? Math.round(value) : null)),
  ),
  trunc: rounded(Math.trunc),
  floor: rounded(Math.floor),
  ceil: rounded(Math.ceil),
  min: extreme(1),
  max: extreme(-1),
  minby: extremeBy(1),
  maxby: extremeBy(-1),
  sum: forAll(
    [],
    one(isList, (values, scope) => reduced(values, '+', scope)),
    itself,
  ),
  product: forAll(
    [],
    one(isList, (values, scope) => reduced(values, '*', scope)),
    itself,
  ),
  average: forAll(
    [],
    one(isList, (values, scope) => {
      const sum = reduced(values, '+', scope);
      return isNull(sum) ? null : operate('/', sum, values.length, scope.budget);
    }),
    itself,
  ),
  reduce: forValues([1], two(isList, isText, reduced), two(isList, isFunction, reducedBy)),
};
