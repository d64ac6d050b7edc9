import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrontmatterIndex } from '#adapters/vault-folder/index/frontmatter-index.ts';
import { tokensEqualTo, unread } from '#adapters/vault-folder/notes/frontmatter-tokens.ts';
import { equalitiesOf } from '#domain/vault-queries/equality-rule.ts';
import { applyRule } from '#domain/vault-queries/json-logic.ts';
import { WorkBudget } from '#domain/vault-queries/work-budget.ts';
import { rounds } from '#test/support/form.ts';

const id = { var: 'frontmatter.id' };

describe('a rule that asks for a value of the frontmatter', () => {
  it.each([
    [{ '==': [id, 'a'] }, [{ key: 'id', value: 'a' }]],
    [{ '===': [7, id] }, [{ key: 'id', value: 7 }]],
    [
      { or: [{ '===': [id, 'a'] }, { '==': [{ var: ['frontmatter.b'] }, true] }] },
      [
        { key: 'id', value: 'a' },
        { key: 'b', value: true },
      ],
    ],
    [{ and: [{ '==': [id, 'a'] }, { '>': [1, 0] }] }, [{ key: 'id', value: 'a' }]],
  ])('is recognized: %j', (rule, equalities) => {
    expect(equalitiesOf(rule)).toEqual(equalities);
  });

  it.each([
    [{ '!=': [id, 'a'] }],
    [{ '==': [id, null] }],
    [{ '==': [id, ['a']] }],
    [{ '==': [id, id] }],
    [{ '==': [id] }],
    [{ '==': [{ var: ['frontmatter.id', 'a'] }, 'a'] }],
    [{ '==': [{ var: 'frontmatter.id.deeper' }, 'a'] }],
    [{ '==': [{ var: 'path' }, 'a'] }],
    [{ or: [{ '==': [id, 'a'] }, { in: ['b', { var: 'content' }] }] }],
    [{ or: [] }],
    [{ and: [{ '>': [1, 0] }, { '==': [id, 'a'] }] }],
    ['text'],
    [null],
  ])('is not recognized if it may match notes without the value: %j', (rule) => {
    expect(equalitiesOf(rule)).toBeNull();
  });

  it('finds in the index exactly the notes that the rule itself finds', () => {
    const scalar = fc.oneof(
      fc.constantFrom('a', '7', ' 7 ', '7.0', '', '0', 'true', '1', 'a,b', '[object Object]'),
      fc.constantFrom(7, 0, -0, 1, 1.5, Number.NaN),
      fc.boolean(),
      fc.string({ maxLength: 300 }),
    );
    const value = fc.oneof(scalar, fc.constant(null), fc.array(scalar, { maxLength: 2 }), fc.constant({ a: 1 }));
    fc.assert(
      fc.property(value, scalar, fc.constantFrom('==', '==='), (held, constant, operation) => {
        const rule = { [operation]: [id, constant] };
        const [equality] = equalitiesOf(rule) ?? [];
        if (equality === undefined) return;
        const index = new FrontmatterIndex();
        index.set('a.md', held);
        const tools = { budget: new WorkBudget(), testExpression: () => false };
        const isFound = applyRule(rule, { frontmatter: { id: held } }, tools) === true;
        if (isFound) expect(index.find(tokensEqualTo(equality.value))).toEqual(['a.md']);
      }),
      { numRuns: rounds(1_000, 3_000) },
    );
  });
});

describe('the notes indexed by a frontmatter value', () => {
  it('are found by their present value, sorted', () => {
    const index = new FrontmatterIndex();
    for (const path of ['b.md', 'a.md', 'c.md']) index.set(path, 'x');
    index.set('c.md', 'y');
    index.remove('b.md');
    expect(index.find(tokensEqualTo('x'))).toEqual(['a.md']);
    expect(index.find(tokensEqualTo('y'))).toEqual(['c.md']);
    expect(index.find(tokensEqualTo('z'))).toEqual([]);
  });

  it('are all checked if their value is unknown', () => {
    const index = new FrontmatterIndex();
    index.set('a.md', unread);
    expect(index.find(tokensEqualTo('anything'))).toEqual(['a.md']);
  });
});
