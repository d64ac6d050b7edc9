import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparisonsIn } from '#adapters/services/suite-crm/inputs/condition.ts';
import {
  boundedCoql,
  coqlError,
  coqlLiteral,
  coqlOperators,
  coqlText,
  hasBounds,
} from '#adapters/services/suite-crm/inputs/coql.ts';
import {
  criteriaError,
  criteriaOperators,
  criteriaText,
  escapeCriteriaValue,
} from '#adapters/services/suite-crm/inputs/criteria.ts';
import { readCoql } from '#test/emulators/suite-crm/coql-text.ts';
import { readCriteria } from '#test/emulators/suite-crm/criteria-text.ts';
import type { Tree } from '#test/emulators/suite-crm/query-text.ts';
import { rounds } from '#test/support/form.ts';

const nasty = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom('(', ')', ',', '\\', ':', "'", '"', ' ', 'or', 'and', 'limit', '%', '\n') }),
);
const field = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,12}$/);
const comparison = fc.record({ field, operator: fc.constantFrom(...criteriaOperators), value: nasty });
const group = fc.array(comparison, { minLength: 1, maxLength: 4 });
const condition = fc.oneof(
  comparison,
  group.map((all) => ({ all })),
  group.map((any) => ({ any })),
  fc.tuple(comparison, group).map(([first, any]) => ({ all: [first, { any }] })),
);

describe('search criteria', () => {
  it.each([
    [{ field: 'Last_Name', operator: 'equals', value: 'Burns' }, '(Last_Name:equals:Burns)'],
    [{ field: 'Company', operator: 'equals', value: 'Acme (EU), Ltd' }, String.raw`(Company:equals:Acme \(EU\)\, Ltd)`],
    [{ field: 'Path', operator: 'starts_with', value: 'C:\\' }, String.raw`(Path:starts_with:C:\\)`],
    [{ field: 'Amount', operator: 'between', value: [10, 20] }, '(Amount:between:10,20)'],
    [{ field: 'City', operator: 'in', value: ['Paris', 'A,B'] }, String.raw`(City:in:Paris,A\,B)`],
    [{ field: 'Email', operator: 'equals', value: null }, ['(Email:equals:$', '{EMPTY})'].join('')],
    [
      {
        all: [
          { field: 'Last_Name', operator: 'starts_with', value: 'B' },
          {
            any: [
              { field: 'City', operator: 'equals', value: 'Bern' },
              { field: 'City', operator: 'equals', value: 'Rome' },
            ],
          },
        ],
      },
      '((Last_Name:starts_with:B)and((City:equals:Bern)or(City:equals:Rome)))',
    ],
    [{ any: [{ field: 'Rating', operator: 'greater_than', value: 3 }] }, '(Rating:greater_than:3)'],
  ] as const)('are built from %j', (structured, text) => {
    expect(criteriaText(structured)).toBe(text);
  });

  it('keep their comparison, whatever a value contains', () => {
    fc.assert(
      fc.property(field, nasty, (name, value) => {
        const read = readCriteria(`(${name}:equals:${escapeCriteriaValue(value)})`);
        const empty = ['$', '{EMPTY}'].join('');
        expect(read).toEqual({ field: name, sign: 'equals', values: [value === empty ? '' : value] });
      }),
      { numRuns: rounds(200, 500) },
    );
  });

  it('have as many comparisons as were requested, and are balanced', () => {
    fc.assert(
      fc.property(condition, (asked) => {
        const text = criteriaText(asked);
        expect(criteriaError(text)).toBeNull();
        expect(leaves(readCriteria(text))).toBe(comparisonsIn(asked));
      }),
      { numRuns: rounds(200, 500) },
    );
  });

  it.each([
    ['(Last_Name:equals:Burns)', null],
    [String.raw`(Last_Name:equals:O\(1\))`, null],
    ['(Last_Name:equals:Burns', 'leaves 1 parenthesis open'],
    ['((Last_Name:equals:Burns', 'leaves 2 parentheses open'],
    ['(a:equals:b))', 'closes a parenthesis at character 13 that was never opened'],
    [String.raw`(a:equals:b\)`, 'leaves 1 parenthesis open'],
    ['Last_Name:equals:Burns', 'must begin with a parenthesis, such as (Last_Name:equals:Burns)'],
  ])('of criteria text are only checked for balance: %s', (text, fault) => {
    expect(criteriaError(text)).toBe(fault);
  });
});

describe('a COQL query', () => {
  it.each([
    [{ select: ['id'], from: 'Deals' }, 'select id from Deals where id is not null'],
    [
      { select: ['Deal_Name'], from: 'Deals', where: { field: 'Stage', operator: 'equals', value: "Can't say" } },
      "select Deal_Name from Deals where Stage = 'Can''t say'",
    ],
    [
      {
        select: ['COUNT(id) as n', 'Stage'],
        from: 'Deals',
        where: {
          all: [
            { field: 'Amount', operator: 'between', value: [1, 9.5] },
            { field: 'Account_Name.Industry', operator: 'in', value: ['Oil', 'Gas'] },
            { field: 'Closing_Date', operator: 'is_not_null' },
          ],
        },
        group_by: ['Stage'],
        order_by: [{ field: 'Stage', direction: 'desc' }],
      },
      'select COUNT(id) as n, Stage from Deals where ' +
        "((Amount between 1 and 9.5 and Account_Name.Industry in ('Oil', 'Gas')) and Closing_Date is not null) " +
        'group by Stage order by Stage desc',
    ],
    [
      { select: ['id'], from: 'Leads', where: { field: 'Email', operator: 'equals', value: null } },
      'select id from Leads where Email is null',
    ],
    [
      { select: ['id'], from: 'Leads', where: { field: 'Email_Opt_Out', operator: 'not_equal', value: true } },
      'select id from Leads where Email_Opt_Out != true',
    ],
  ] as const)('is built from %j', (query, text) => {
    expect(coqlText(query)).toBe(text);
  });

  it('ends no literal early, whatever its text contains', () => {
    fc.assert(
      fc.property(nasty, (value) => {
        const read = readCoql(`select id from Leads where Last_Name = ${coqlLiteral(value)} limit 3`);
        expect(read).toMatchObject({ where: { field: 'Last_Name', sign: '=', values: [value] }, limit: 3 });
      }),
      { numRuns: rounds(200, 500) },
    );
  });

  it('can be parsed, with every condition in pairs', () => {
    const compared = fc.record({
      field: field.map((name) => `X${name}`),
      operator: fc.constantFrom(...coqlOperators),
      value: fc.tuple(nasty, nasty),
    });
    const where = fc.array(compared, { minLength: 1, maxLength: 5 }).map((all) => ({ all }));
    fc.assert(
      fc.property(where, (asked) => {
        const text = boundedCoql(coqlText({ select: ['id'], from: 'Deals', where: asked }), { limit: 7, offset: 2 });
        expect(coqlError(text)).toBeNull();
        const read = readCoql(text);
        expect(leaves(read.where)).toBe(asked.all.length);
        expect([read.limit, read.offset]).toEqual([7, 2]);
      }),
      { numRuns: rounds(200, 500) },
    );
  });

  it.each([
    ["select id from Deals where Stage = 'limit 5'", null],
    ['delete from Deals', 'must be like "select Deal_Name from Deals where Stage is not null"'],
    ['select', 'must be like "select Deal_Name from Deals where Stage is not null"'],
    ["select id from Deals where Stage = 'x", 'leaves a quote open'],
    ['select id from Deals where (a = 1', 'leaves 1 parenthesis open'],
    ['select id from Deals where a = 1)', 'closes a parenthesis that was never opened'],
  ])('given as text is only checked for balance: %s', (text, fault) => {
    expect(coqlError(text)).toBe(fault);
  });

  it('has bounds of its own only outside of quotes', () => {
    expect(hasBounds('select id from Deals where a = 1 LIMIT 5')).toBe(true);
    expect(hasBounds("select id from Deals where a = 'no limit'")).toBe(false);
  });
});

function leaves(tree: Tree): number {
  return 'members' in tree ? tree.members.reduce((sum, member) => sum + leaves(member), 0) : 1;
}
