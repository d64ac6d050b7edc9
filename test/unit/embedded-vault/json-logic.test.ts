import * as fc from 'fast-check';
import jsonLogic from 'json-logic-js';
import { describe, expect, it } from 'vitest';
import { applyRule } from '#domain/vault-queries/json-logic.ts';
import { WorkBudget } from '#domain/vault-queries/work-budget.ts';
import { rounds } from '#test/support/form.ts';

const data = {
  path: 'Deals/Acme.md',
  content: 'The quick brown fox',
  tags: ['work', 'deal', 'q3/review'],
  frontmatter: {
    status: 'open',
    amount: 42.5,
    paid: false,
    due: '2026-03-01',
    none: null,
    list: [3, 1, 2],
    nested: { a: [{ b: 1 }] },
  },
  stat: { size: 120 },
};

const apply = (rule: unknown, to: unknown = data): unknown =>
  applyRule(rule, to, { budget: new WorkBudget(), testExpression: (source, text) => new RegExp(source).test(text) });

const values = fc.oneof(
  fc.constantFrom(null, true, false, 0, 1, -2, 42.5, '', 'open', '1', 'abc', 'quick', '2026-03-01', 'a'),
  fc.constantFrom<unknown>([], [1, 2], ['a', 'b'], ['open'], [[1], [2, 3]]),
);
const variable = fc
  .constantFrom(
    'path',
    'content',
    'tags',
    'tags.1',
    'frontmatter.status',
    'frontmatter.amount',
    'frontmatter.none',
    'frontmatter.list',
    'frontmatter.nested.a.0.b',
    'stat.size',
    'nothing',
    'frontmatter.no.where',
    '',
  )
  .chain((name) => fc.constantFrom<unknown>({ var: name }, { var: [name] }, { var: [name, 'otherwise'] }));
const names = [
  '==',
  '===',
  '!=',
  '!==',
  '<',
  '<=',
  '>',
  '>=',
  '!',
  '!!',
  '%',
  '+',
  '*',
  '-',
  '/',
  'min',
  'max',
  'cat',
  'substr',
  'in',
  'merge',
  'if',
  '?:',
  'and',
  'or',
];
const { rule } = fc.letrec<{ rule: unknown; part: unknown }>((tie) => ({
  part: fc.oneof({ maxDepth: 3 }, values, variable, tie('rule')),
  rule: fc.oneof(
    fc
      .record({ name: fc.constantFrom(...names), parts: fc.array(tie('part'), { minLength: 1, maxLength: 4 }) })
      .map(({ name, parts }) => ({ [name]: parts })),
    fc
      .record({ name: fc.constantFrom('map', 'filter', 'all', 'some', 'none'), list: tie('part'), each: tie('part') })
      .map(({ name, list, each }) => ({ [name]: [list, each] })),
    fc
      .record({ list: tie('part'), each: tie('part'), initial: tie('part') })
      .map(({ list, each, initial }) => ({ reduce: [list, each, initial] })),
    fc
      .record({ needed: fc.nat(3), names: fc.array(fc.constantFrom('path', 'nothing', 'tags')) })
      .map(({ needed, names: keys }) => ({ missing_some: [needed, keys] })),
  ),
}));

const outcome = (work: () => unknown): unknown => {
  try {
    return work();
  } catch {
    return 'failed';
  }
};

describe('a JsonLogic rule', () => {
  it('returns what the JsonLogic library returns (EMB-007)', () => {
    fc.assert(
      fc.property(rule, (asked) => {
        const wanted = outcome(() => jsonLogic.apply(JSON.parse(JSON.stringify(asked)), data));
        fc.pre(wanted !== 'failed');
        expect(outcome(() => apply(asked))).toEqual(wanted);
      }),
      { numRuns: rounds(1_000, 3_000) },
    );
  });

  it('finds nothing in an empty text, as the library does (EMB-007)', () => {
    expect(apply({ in: ['', ''] })).toBe(jsonLogic.apply({ in: ['', ''] }));
    expect(apply({ in: ['', 'a'] })).toBe(true);
  });

  it.each(['constructor', '__proto__', 'toString', 'frontmatter.constructor', 'tags.map', 'content.at'])(
    'does not see the inherited %s',
    (name) => {
      expect(apply({ var: name })).toBeNull();
    },
  );

  it.each(['constructor', '__proto__', 'toString', 'method', 'cat.call'])('rejects the operation %s', (name) => {
    expect(() => apply(JSON.parse(`{"${name}": [1]}`))).toThrow('Unrecognized operation');
  });

  it('never calls a member of a note named toString', () => {
    const note = { value: { toString: 1, valueOf: 'x' } };
    expect(apply({ cat: ['a', { var: 'value' }] }, note)).toBe('a[object Object]');
    expect(apply({ '>': [{ var: 'value' }, 1] }, note)).toBe(false);
  });
});
