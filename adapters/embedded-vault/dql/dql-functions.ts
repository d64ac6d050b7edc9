import type { DqlScope } from '#adapters/embedded-vault/dql/dql-scope.ts';
import { isTrue, Link, orderOf } from '#adapters/embedded-vault/dql/dql-values.ts';
import { containsText } from '#adapters/embedded-vault/index/index-of-text.ts';
import { textOf } from '#adapters/embedded-vault/search/loose-values.ts';

type DqlFunction = (values: readonly unknown[], scope: DqlScope) => unknown;

/** Whether a list has a member, a text a substring, or an object a key. */
function contains(whole: unknown, part: unknown, scope: DqlScope): boolean {
  const { budget } = scope;
  if (typeof whole === 'string') {
    const text = textOf(part, budget);
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
  return typeof whole === 'object' && whole !== null && Object.hasOwn(whole, textOf(part, budget));
}

function lower(value: unknown, { budget }: DqlScope): unknown {
  if (Array.isArray(value)) return value.map((member) => (typeof member === 'string' ? member.toLowerCase() : member));
  const text = textOf(value, budget);
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
  startswith: ([text, start], { budget }) => textOf(text ?? '', budget).startsWith(textOf(start ?? '', budget)),
  endswith: ([text, end], { budget }) => textOf(text ?? '', budget).endsWith(textOf(end ?? '', budget)),
  lower: ([value], scope) => lower(value ?? '', scope),
  upper: ([value], { budget }) => {
    const text = textOf(value ?? '', budget);
    budget.take(text.length / 4);
    return text.toUpperCase();
  },
  length: ([value]) => lengthOf(value),
  default: ([value, otherwise]) => value ?? otherwise ?? null,
  choice: ([condition, first, second]) => (isTrue(condition) ? first : second) ?? null,
  number: ([value], { budget }) => {
    const number = Number.parseFloat(textOf(value ?? '', budget));
    return Number.isNaN(number) ? null : number;
  },
  string: ([value], { budget }) => textOf(value ?? '', budget),
  round: ([value, digits = 0]) => {
    const factor = 10 ** Math.min(Math.max(Number(digits), 0), 15);
    return typeof value === 'number' ? Math.round(value * factor) / factor : null;
  },
};
