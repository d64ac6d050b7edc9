import { dqlFunctions } from '#domain/vault-queries/dql/dql-functions.ts';
import { DqlError, type DqlScope } from '#domain/vault-queries/dql/dql-scope.ts';
import type { Expression, Operator } from '#domain/vault-queries/dql/dql-tree.ts';
import {
  Duration,
  durationIn,
  isTrue,
  Moment,
  momentIn,
  moved,
  namedMoment,
  orderOf,
} from '#domain/vault-queries/dql/dql-values.ts';
import { looseText } from '#domain/vault-queries/loose-values.ts';

/** Evaluates an expression in a scope; null for a missing value. Each step is charged to the budget. */
export function evaluate(expression: Expression, scope: DqlScope): unknown {
  scope.budget.take(10);
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'variable':
      return scope.variable(expression.name) ?? null;
    case 'link':
      return scope.link(expression.path);
    case 'list':
      return expression.items.map((item) => evaluate(item, scope));
    case 'not':
      return !isTrue(evaluate(expression.value, scope));
    case 'negative':
      return arithmetic('-', 0, evaluate(expression.value, scope), scope);
    case 'date':
      return momentOf(expression.text, scope);
    case 'duration':
      return durationOf(expression.text);
    case 'member':
      return memberOf(evaluate(expression.of, scope), evaluate(expression.name, scope), scope);
    case 'call': {
      const { name, parameters, at } = expression;
      const call = Object.hasOwn(dqlFunctions, name) ? dqlFunctions[name] : undefined;
      const values = parameters.map((parameter) => evaluate(parameter, scope));
      if (call !== undefined) return call(values, scope);
      const known = Object.keys(dqlFunctions).join(', ');
      throw new DqlError(
        `The function ${name} (line ${at.line}, column ${at.column}) is not known here. Known are date, dur, ${known}.`,
      );
    }
    case 'binary':
      return binary(expression, scope);
  }
}

function binary({ operator, left, right }: Extract<Expression, { kind: 'binary' }>, scope: DqlScope): unknown {
  const first = evaluate(left, scope);
  if (operator === 'and') return isTrue(first) && isTrue(evaluate(right, scope));
  if (operator === 'or') return isTrue(first) || isTrue(evaluate(right, scope));
  const second = evaluate(right, scope);
  const holds = comparisons[operator];
  return holds === undefined ? arithmetic(operator, first, second, scope) : holds(orderOf(first, second, scope.budget));
}

const comparisons: Readonly<Partial<Record<Operator, (order: number) => boolean>>> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

const calculations: Readonly<Partial<Record<Operator, (first: number, second: number) => number>>> = {
  '+': (first, second) => first + second,
  '-': (first, second) => first - second,
  '*': (first, second) => first * second,
  '/': (first, second) => first / second,
  '%': (first, second) => first % second,
};

function arithmetic(operator: Operator, left: unknown, right: unknown, { budget }: DqlScope): unknown {
  const [first, second] = [asTime(left, right), asTime(right, left)];
  const sign = operator === '-' ? -1 : 1;
  if (operator === '+' || operator === '-') {
    if (first instanceof Moment && second instanceof Duration) return moved(first, second, sign);
    if (first instanceof Moment && second instanceof Moment && sign === -1)
      return new Duration(0, first.ms - second.ms);
    if (first instanceof Duration && second instanceof Duration) {
      return new Duration(first.months + sign * second.months, first.ms + sign * second.ms);
    }
  }
  if (typeof first === 'number' && typeof second === 'number') {
    return calculations[operator]?.(first, second) ?? null;
  }
  if (first === null || second === null) return null;
  if (operator === '+' && (typeof first === 'string' || typeof second === 'string')) {
    const text = looseText(first, budget) + looseText(second, budget);
    budget.take(text.length);
    return text;
  }
  return null;
}

/** Converts a frontmatter text to a time where the other operand is a time or a duration and the text is a date. */
function asTime(value: unknown, other: unknown): unknown {
  const meetsTime = other instanceof Moment || other instanceof Duration;
  return typeof value === 'string' && meetsTime ? (momentIn(value) ?? value) : value;
}

/** Looks up an own member; for a list, the member of each of its elements. */
function memberOf(value: unknown, name: unknown, scope: DqlScope): unknown {
  if (Array.isArray(value)) {
    if (typeof name === 'number') return value[name] ?? null;
    scope.budget.take(value.length);
    return name === 'length' ? value.length : value.map((member) => memberOf(member, name, scope));
  }
  if (typeof value === 'string') {
    const moment = momentIn(value);
    return moment === null ? null : memberOf(moment, name, scope);
  }
  if (value instanceof Moment) return partOfMoment(value, String(name));
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, String(name))) return null;
  return Reflect.get(value, String(name)) ?? null;
}

function partOfMoment({ ms }: Moment, name: string): number | null {
  const date = new Date(ms);
  switch (name) {
    case 'year':
      return date.getFullYear();
    case 'month':
      return date.getMonth() + 1;
    case 'day':
      return date.getDate();
    case 'hour':
      return date.getHours();
    case 'minute':
      return date.getMinutes();
    default:
      return null;
  }
}

function momentOf(text: string, scope: DqlScope): Moment | null {
  const moment = namedMoment(text, scope.now) ?? momentIn(text);
  if (moment !== null) return moment;
  const value = evaluate({ kind: 'variable', name: text.split('.')[0] ?? '' }, scope);
  const member = text
    .split('.')
    .slice(1)
    .reduce((of, name) => memberOf(of, name, scope), value);
  if (member instanceof Moment) return member;
  return typeof member === 'string' ? momentIn(member) : null;
}

function durationOf(text: string): Duration {
  const duration = durationIn(text);
  if (duration === null) throw new DqlError(`dur(${text.trim()}) is not a duration such as dur(7 days).`);
  return duration;
}
