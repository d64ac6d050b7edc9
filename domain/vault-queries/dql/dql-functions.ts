import { containsText } from '#domain/text/index-of-text.ts';
import type { DqlScope } from '#domain/vault-queries/dql/dql-scope.ts';
import { isTrue, Link, orderOf } from '#domain/vault-queries/dql/dql-values.ts';
import { looseText } from '#domain/vault-queries/loose-values.ts';

type DqlFunction = (values: readonly unknown[], scope: DqlScope) => unknown;

/** Whether a list has a member, a text a substring, or an object a key. */
function contains(whole: unknown, part: unknown, scope: DqlScope): boolean {
  const { budget } = scope;
  if (typeof whole === 'string') {
    const text = looseText(part, budget);
    budget.take(whole.length / (text.length > 8 ? 4 : 16));
    return containsText(whole, text);
  }
  if (Array.isArray(whole)) {
    budget.take(whole.length);
    return whole.some((member) =>
      typeof member === 'string' && typeof part === 'string'
        ? contains(member, part, scope)
        : orderOf(member, part, budget) === 0,
    );
  }
  if (whole instanceof Link) return orderOf(whole, part, budget) === 0;
  return typeof whole === 'object' && whole !== null && Object.hasOwn(whole, looseText(part, budget));
}

function lower(value: unknown, { budget }: DqlScope): unknown {
  if (Array.isArray(value)) return value.map((member) => (typeof member === 'string' ? member.toLowerCase() : member));
  const text = looseText(value, budget);
  budget.take(text.length / 4);
  return text.toLowerCase();
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

/** The supported functions of the language; `date` and `dur` are part of the grammar. */
export const dqlFunctions: Readonly<Record<string, DqlFunction>> = {
  contains: ([whole, part], scope) => contains(whole, part, scope),
  icontains: ([whole, part], scope) => contains(lower(whole, scope), lower(part, scope), scope),
  startswith: ([text, start], { budget }) => looseText(text ?? '', budget).startsWith(looseText(start ?? '', budget)),
  endswith: ([text, end], { budget }) => looseText(text ?? '', budget).endsWith(looseText(end ?? '', budget)),
  lower: ([value], scope) => lower(value ?? '', scope),
  upper: ([value], { budget }) => {
    const text = looseText(value ?? '', budget);
    budget.take(text.length / 4);
    return text.toUpperCase();
  },
  length: ([value]) => lengthOf(value),
  default: ([value, otherwise]) => value ?? otherwise ?? null,
  choice: ([condition, first, second]) => (isTrue(condition) ? first : second) ?? null,
  number: ([value], { budget }) => {
    const number = Number.parseFloat(looseText(value ?? '', budget));
    return Number.isNaN(number) ? null : number;
  },
  string: ([value], { budget }) => looseText(value ?? '', budget),
  round: ([value, digits = 0]) => {
    const factor = 10 ** Math.min(Math.max(Number(digits), 0), 15);
    return typeof value === 'number' ? Math.round(value * factor) / factor : null;
  },
};
