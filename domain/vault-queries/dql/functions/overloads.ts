import { type DqlScope, RowError } from '#domain/vault-queries/dql/dql-scope.ts';
import { isFields, isLambda, kindOf, type Lambda } from '#domain/vault-queries/dql/dql-values.ts';
import { Duration } from '#domain/vault-queries/dql/duration.ts';
import { Link } from '#domain/vault-queries/dql/link.ts';
import { Moment } from '#domain/vault-queries/dql/moment.ts';

/** Computes a function for values that it takes; null for others. */
type Overload = (values: readonly unknown[], scope: DqlScope) => Readonly<{ value: unknown }> | null;

/** A function of the language. */
export type DqlFunction = Readonly<{
  /** Tried in their order. */
  overloads: readonly Overload[];
  /** The parameters for which a list may be given: the function is then computed for each of its members. */
  each: readonly number[];
  /** What it is where a parameter is null; undefined when the overloads take null. */
  forNull: null | false | undefined;
}>;

type Is<Value> = (value: unknown) => value is Value;

/** The types of parameters. */
export const isText: Is<string> = (value) => typeof value === 'string';
export const isNumber: Is<number> = (value) => typeof value === 'number';
export const isFlag: Is<boolean> = (value) => typeof value === 'boolean';
export const isList: Is<readonly unknown[]> = (value) => Array.isArray(value);
export const isMoment: Is<Moment> = (value) => value instanceof Moment;
export const isDuration: Is<Duration> = (value) => value instanceof Duration;
export const isLink: Is<Link> = (value) => value instanceof Link;
export const isFunction: Is<Lambda> = isLambda;
export const isObjectValue = isFields;
export const anyValue: Is<unknown> = (value): value is unknown => Object.is(value, value);

/** A function of one parameter of a type. */
export const one =
  <A>(a: Is<A>, run: (a: A, scope: DqlScope) => unknown): Overload =>
  (values, scope) => {
    const [first] = values;
    return values.length === 1 && a(first) ? { value: run(first, scope) } : null;
  };

/** A function of two parameters. */
export const two =
  <A, B>(a: Is<A>, b: Is<B>, run: (a: A, b: B, scope: DqlScope) => unknown): Overload =>
  (values, scope) => {
    const [first, second] = values;
    return values.length === 2 && a(first) && b(second) ? { value: run(first, second, scope) } : null;
  };

/** A function of three parameters. */
export const three =
  <A, B, C>(a: Is<A>, b: Is<B>, c: Is<C>, run: (a: A, b: B, c: C, scope: DqlScope) => unknown): Overload =>
  (values, scope) => {
    const [first, second, third] = values;
    return values.length === 3 && a(first) && b(second) && c(third)
      ? { value: run(first, second, third, scope) }
      : null;
  };

/** A function of any number of parameters. */
export const several =
  (run: (values: readonly unknown[], scope: DqlScope) => unknown): Overload =>
  (values, scope) => ({ value: run(values, scope) });

/** A function that is null where a parameter is null; `each` names the parameters for which a list may be given. */
export function forValues(each: readonly number[], ...overloads: readonly Overload[]): DqlFunction {
  return { overloads, each, forNull: null };
}

/** A function that takes null as any other value. */
export function forAll(each: readonly number[], ...overloads: readonly Overload[]): DqlFunction {
  return { overloads, each, forNull: undefined };
}

/** Computes a function; throws `RowError` for values that it does not take. */
export function compute(name: string, called: DqlFunction, values: readonly unknown[], scope: DqlScope): unknown {
  const lists = called.each.map((place) => values[place]).filter(isList);
  if (lists.length > 0) {
    const length = Math.min(...lists.map((members) => members.length));
    scope.budget.take(10 * length);
    const at = (index: number) =>
      values.map((value, place) => (called.each.includes(place) && isList(value) ? value[index] : value));
    return Array.from({ length }, (_, index) => compute(name, called, at(index), scope));
  }
  if (called.forNull !== undefined && values.some((value) => kindOf(value) === 'null')) return called.forNull;
  for (const overload of called.overloads) {
    const found = overload(values, scope);
    if (found !== null) return found.value;
  }
  throw new RowError(`${name}() takes no values of these types: ${values.map(kindOf).join(', ') || 'none'}.`);
}
