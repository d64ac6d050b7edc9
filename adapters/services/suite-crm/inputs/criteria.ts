import type { Comparison, Condition, Scalar } from '#adapters/services/suite-crm/inputs/condition.ts';

/** The operators of a search criterion. */
export const criteriaOperators = [
  'equals',
  'not_equal',
  'starts_with',
  'in',
  'between',
  'greater_than',
  'greater_equal',
  'less_than',
  'less_equal',
] as const;

/** An operator of a search criterion. */
export type CriteriaOperator = (typeof criteriaOperators)[number];

/** The provider's literal for "has no value": `${EMPTY}`. */
const empty = ['$', '{EMPTY}'].join('');

/** The maximum number of comparisons in a search. */
export const maxCriteria = 15;

/**
 * Serialises a condition as search criteria: `((Last_Name:equals:O\(1\))and(City:starts_with:Par))`. Values are
 * escaped, so that no value can end its comparison or add another.
 */
export function criteriaText(condition: Condition<CriteriaOperator>): string {
  if ('field' in condition) return `(${condition.field}:${condition.operator}:${valueText(condition)})`;
  const word = 'all' in condition ? 'and' : 'or';
  const members = ('all' in condition ? condition.all : condition.any).map(criteriaText);
  return members.length === 1 ? (members[0] ?? '') : `(${members.join(word)})`;
}

/** Escapes a value for a criterion: backslash, parentheses and comma get a backslash. */
export function escapeCriteriaValue(value: Scalar): string {
  return String(value).replaceAll(/[\\(),]/g, String.raw`\$&`);
}

function valueText({ value }: Comparison<CriteriaOperator>): string {
  if (value === null || value === undefined) return empty;
  return typeof value === 'object' ? value.map(escapeCriteriaValue).join(',') : escapeCriteriaValue(value);
}

/** Validates the parentheses of hand-written criteria; null when they balance. Escaped ones do not count. */
export function criteriaError(text: string): string | null {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth < 0) return `closes a parenthesis at character ${at + 1} that was never opened`;
  }
  if (depth > 0) return `leaves ${depth} ${depth === 1 ? 'parenthesis' : 'parentheses'} open`;
  return text.trim().startsWith('(') ? null : 'must begin with a parenthesis, such as (Last_Name:equals:Burns)';
}
