import { DqlError, RowError } from '#domain/vault-queries/dql/dql-scope.ts';
import type { Operator } from '#domain/vault-queries/dql/dql-tree.ts';
import {
  fieldIn,
  fieldNamesOf,
  isFields,
  isTrue,
  kindOf,
  orderOf,
  writtenText,
} from '#domain/vault-queries/dql/dql-values.ts';
import { Duration } from '#domain/vault-queries/dql/duration.ts';
import { between, Moment, momentIn, moved } from '#domain/vault-queries/dql/moment.ts';
import type { WorkBudget } from '#domain/vault-queries/work-budget.ts';

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

/** Joins two values by an operator; throws `RowError` for values of types that it does not join. */
export function operate(operator: Operator, left: unknown, right: unknown, budget: WorkBudget): unknown {
  if (operator === '&') return isTrue(left) && isTrue(right);
  if (operator === '|') return isTrue(left) || isTrue(right);
  const holds = comparisons[operator];
  if (holds !== undefined) {
    refuseTextForDate(left, right);
    refuseTextForDate(right, left);
    return holds(orderOf(left, right, budget));
  }
  const joined = joinedTimes(operator, left, right) ?? joinedOthers(operator, left, right, budget);
  if (joined !== undefined) return joined;
  throw new RowError(`No ${operator} joins a value of type ${kindOf(left)} and one of type ${kindOf(right)}.`);
}

/** A text is never equal to a date: who compares them means the date. */
function refuseTextForDate(date: unknown, text: unknown): void {
  if (!(date instanceof Moment) || typeof text !== 'string' || momentIn(text) === null) return;
  throw new DqlError(`A date is compared with the text "${text}", which no date is equal to. Write date("${text}").`);
}

function joinedTimes(operator: Operator, left: unknown, right: unknown): unknown {
  if (operator === '+' || operator === '-') {
    const sign = operator === '-' ? -1 : 1;
    if (left instanceof Moment && right instanceof Duration) return moved(left, right, sign);
    if (left instanceof Duration && right instanceof Moment && sign === 1) return moved(right, left, 1);
    if (left instanceof Moment && right instanceof Moment && sign === -1) return between(right, left);
    if (left instanceof Duration && right instanceof Duration) return left.plus(right.times(sign));
  }
  if (left instanceof Duration && typeof right === 'number') {
    return operator === '*' ? left.times(right) : operator === '/' && right !== 0 ? left.times(1 / right) : undefined;
  }
  return operator === '*' && right instanceof Duration && typeof left === 'number' ? right.times(left) : undefined;
}

function joinedOthers(operator: Operator, left: unknown, right: unknown, budget: WorkBudget): unknown {
  if (typeof left === 'number' && typeof right === 'number') return calculations[operator]?.(left, right);
  if (operator === '*' && typeof left === 'string' && typeof right === 'number') return repeated(left, right, budget);
  if (operator === '*' && typeof left === 'number' && typeof right === 'string') return repeated(right, left, budget);
  const kinds = [kindOf(left), kindOf(right)];
  if (kinds.includes('null') && kinds.every((kind) => kind === 'null' || isWithNull(kind, operator))) return null;
  if (operator !== '+') return undefined;
  if (typeof left === 'string' || typeof right === 'string') {
    const text = writtenText(left, budget) + writtenText(right, budget);
    budget.take(text.length);
    return text;
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    budget.take(left.length + right.length);
    return [...left, ...right];
  }
  if (!isFields(left) || !isFields(right)) return undefined;
  const fields = [left, right].flatMap((of) => fieldNamesOf(of).map((name) => [name, fieldIn(of, name)] as const));
  return Object.fromEntries(fields);
}

/** Whether the operator gives null for a value of this type and null: of dates it does. */
const isWithNull = (kind: string, operator: Operator): boolean =>
  kind === 'date' && (operator === '+' || operator === '-');

function repeated(text: string, count: number, budget: WorkBudget): string {
  budget.take(Math.max(0, text.length * count));
  return text.repeat(Math.max(0, Math.floor(count)));
}
