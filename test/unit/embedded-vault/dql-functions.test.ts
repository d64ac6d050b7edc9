import { describe, expect, it } from 'vitest';
import { DqlError, type DqlScope, RowError } from '#domain/vault-queries/dql/dql-scope.ts';
import { printedOf } from '#domain/vault-queries/dql/dql-values.ts';
import { evaluate } from '#domain/vault-queries/dql/evaluate-dql.ts';
import { LazyFields } from '#domain/vault-queries/dql/lazy-fields.ts';
import { linkOf } from '#domain/vault-queries/dql/link.ts';
import { readDql } from '#domain/vault-queries/dql/read-dql.ts';
import { BudgetSpent, WorkBudget } from '#domain/vault-queries/work-budget.ts';

/** Wednesday, 25 November 2026, at 16:30:05 where the tests run. */
const now = new Date(2026, 10, 25, 16, 30, 5).getTime();

/** Evaluates an expression for a note whose field `long` has 30,000 characters. */
function resultOf(expression: string): unknown {
  const query = readDql(`LIST ${expression}`);
  if (!query.ok) throw new DqlError(query.failure);
  const [field] = query.value.fields;
  const fields = new LazyFields(
    () => ['long'],
    (name) => (name === 'long' ? 'a'.repeat(30_000) : undefined),
    () => null,
  );
  const vault = { link: (inner: string) => linkOf(inner, () => null), note: () => null };
  const scope: DqlScope = { fields, vault, now, budget: new WorkBudget(1_000_000) };
  return field === undefined ? null : printedOf(evaluate(field.value, scope), scope.budget);
}

/** The examples that the language's documentation has for its functions, with their results. */
const published: readonly (readonly [string, unknown])[] = [
  ['lower(["YES", "NO"])', ['yes', 'no']],
  ['replace(["yes", "ree"], "e", "a")', ['yas', 'raa']],
  ['object()', {}],
  ['object("a", 4, "c", "yes")', { a: 4, c: 'yes' }],
  ['array("a", "b", "c")', ['a', 'b', 'c']],
  ['date("2020-04-18")', '2020-04-18'],
  ['date([[2021-04-16]])', '2021-04-16'],
  ['date("12/31/2022", "MM/dd/yyyy")', '2022-12-31'],
  ['date("210313", "yyMMdd")', '2021-03-13'],
  ['dateformat(date("946778645000", "x"), "x")', '946778645000'],
  ['dur(8 minutes)', '8 minutes'],
  ['dur("8 minutes, 4 seconds")', '8 minutes, 4 seconds'],
  ['dur(dur(8 minutes))', '8 minutes'],
  ['dur(1second 2min 3h) = dur(3 hours, 2 minutes, 1 second)', true],
  ['number("18 years")', 18],
  ['number("hmm")', null],
  ['string(18)', '18'],
  ['string(dur(8 hours))', '8 hours'],
  ['string(date(2021-08-15))', 'August 15, 2021'],
  ['link("Hello", "Goodbye")', '[[Hello|Goodbye]]'],
  ['embed(link("Hello.png"))', '![[Hello.png|Hello.png]]'],
  ['elink("www.google.com", "Google")', '[Google](www.google.com)'],
  [
    'map([8, "text", [1], { a: 1 }, date(2020-01-01), dur(8 minutes), null], (x) => typeof(x))',
    ['number', 'string', 'array', 'object', 'date', 'duration', 'null'],
  ],
  ['round(16.555555, 2)', 16.56],
  ['trunc([12.937, -93.33333])', [12, -93]],
  ['floor([12.937, -93.33333, -0.837764])', [12, -94, -1]],
  ['ceil([12.937, -93.33333])', [13, -93]],
  ['min("a", "ab", "abc")', 'a'],
  ['max([1, 2, 3])', 3],
  ['sum([1, 2, 3])', 6],
  ['sum([])', null],
  ['sum(nonnull([null, 1, 8]))', 9],
  ['product(nonnull([null, 1, 2, 4]))', 8],
  ['reduce([100, 20, 3], "-")', 77],
  ['reduce([200, 10, 2], "/")', 10],
  ['reduce(["⭐", 3], "*")', '⭐⭐⭐'],
  ['average(nonnull([null, 1, 2]))', 1.5],
  ['minby([1, 2, 3], (k) => 0 - k)', 3],
  ['maxby([1, 2, 3], (k) => k)', 3],
  ['[contains("Hello", "Lo"), icontains("Hello", "Lo"), econtains("Hello", "lo")]', [false, true, true]],
  ['[contains(list(1, 2, 3), 3), contains(list(), 1)]', [true, false]],
  ['[econtains(["These", "are", "words"], "word"), contains(["These", "are", "words"], "word")]', [false, true]],
  ['[econtains({key: "value", pairs: "here"}, "here"), econtains({key: "value"}, "key")]', [false, true]],
  ['containsword(["word", "Words"], "Word")', [true, false]],
  ['containsword("Hello there chaps!", "chap")', false],
  ['extract(object("test", 1, "other", 2), "test")', { test: 1 }],
  ['sort(list("a", "b", "aa"))', ['a', 'aa', 'b']],
  ['reverse(list(1, 2, 3))', [3, 2, 1]],
  ['length(object("hello", 1, "goodbye", 2))', 2],
  ['nonnull([null, false])', [false]],
  ['[all([true, false]), all(true, true), all([1, 2, 3], (x) => x > 1)]', [false, true, false]],
  ['[any(list(false, false)), any(list(1, 2, 3), (x) => x > 2)]', [false, true]],
  ['[none([]), none([1, 2]), none(["Apple", "Pi"], (x) => startswith(x, "A"))]', [true, false, false]],
  ['join(list(1, 2, 3), " ")', '1 2 3'],
  ['filter(["yes", "no", "yas"], (x) => startswith(x, "y"))', ['yes', 'yas']],
  ['map(["yes", "no"], (x) => x + "?")', ['yes?', 'no?']],
  ['flat(list(1, list(21, 22), list(list(311, 312, 313))), 4)', [1, 21, 22, 311, 312, 313]],
  ['slice([1, 2, 3, 4, 5], -2)', [4, 5]],
  ['unique([1, 3, 7, 3, 1])', [1, 3, 7]],
  ['firstvalue([null, 1, 2])', 1],
  [
    '[regextest("\\w+", "hello"), regextest("yes|no", "maybe"), regextest("what", "what\'s up dog?")]',
    [true, false, true],
  ],
  ['[regexmatch("\\w+", "hello"), regexmatch("what", "what\'s up dog?")]', [true, false]],
  ['regexreplace("Suite 1000", "\\d+", "-")', 'Suite -'],
  ['regexreplace("Ann Bee", "(\\w+) (\\w+)", "$2, $1")', 'Bee, Ann'],
  ['split("hello there world", "(t?here)")', ['hello ', 'there', ' world']],
  ['split("hello there world", "( )(x)?")', ['hello', ' ', '', 'there', ' ', '', 'world']],
  ['split("hello there world", " ", 2)', ['hello', 'there']],
  ['[padleft("yes", 5, "!"), padright("hello", 7)]', ['!!yes', 'hello  ']],
  ['[substring("hello", 2, 4), substring("hello", 2)]', ['ll', 'llo']],
  ['[truncate("Hello there!", 8), truncate("Hello there!", 8, "/")]', ['Hello...', 'Hello t/']],
  ['default(list(1, 2, null), 3)', [1, 2, 3]],
  ['ldefault(list(1, 2, null), 3)', [1, 2, null]],
  ['choice(false, "yes", "no")', 'no'],
  ['dateformat(date(2022-01-05), "yyyy-MM-dd")', '2022-01-05'],
  ['dateformat(date(now), "cccc d MMMM yyyy, HH:mm:ss \'week\' W")', 'Wednesday 25 November 2026, 16:30:05 week 48'],
  ['striptime(date(now))', '2026-11-25'],
  ["durationformat(dur(\"3 days 7 hours 43 seconds\"), \"ddd'd' hh'h' ss's'\")", '003d 07h 43s'],
  ['durationformat(dur("365 days 5 hours 49 minutes"), "yyyy ddd hh mm ss")', '0001 000 05 49 00'],
  ['durationformat(dur("2000 years"), "M months")', '24000 months'],
  ['durationformat(dur("14d"), "s \'seconds\'")', '1209600 seconds'],
  ['currencyformat(123456.789, "EUR")', '€123,456.79'],
  ['meta([[2021-11-01|Displayed link text]]).display', 'Displayed link text'],
  [
    'meta([[My Project#Next Actions]])',
    { display: null, embed: false, path: 'My Project', subpath: 'Next Actions', type: 'header' },
  ],
  ['meta([[My Project#^9bcbe8]]).subpath', '9bcbe8'],
  [
    'map(["today", "tomorrow", "yesterday", "sow", "som", "soy"], (x) => date(x))',
    ['2026-11-25', '2026-11-26', '2026-11-24', '2026-11-23', '2026-11-01', '2026-01-01'],
  ],
  ['date(eom) - date(som) > dur(29 days)', true],
  ['date(2026-01-31) + dur(1 month)', '2026-02-28'],
  ['date(2026-11-25) - date(2026-09-20)', '2 months, 5 days'],
  ['hash("a", "b") = hash("a", "b") and hash("a", "b") != hash("a", "c")', true],
];

describe('a function of the query language gives (EMB-036)', () => {
  it.each(published)('%s', (expression, value) => {
    expect(resultOf(expression)).toEqual(value);
  });
});

describe('what is not built is refused with its name and place (EMB-037)', () => {
  it.each([
    ['srandom(1)', 'srandom (line 1, column 6)'],
    ['1 +\n dateformat(date(now), "ffff")', /ffff.*\(line 2, column 2\)/],
    ['regextest("(a)\\1", "aa")', /\\1.*\(line 1, column 6\)/],
    ['regextest("(?=a)b", "aa")', /\(\?=.*\(line 1, column 6\)/],
    ['this.file', 'this (line 1, column 6)'],
    ['file.starred', 'file.starred (line 1, column 10)'],
    ['date(now).era', /era.*\(line 1, column 15\)/],
    ['date(2026-13-45)', 'date(2026-13-45) (line 1, column 6)'],
    ['lower(1)', /lower\(\).*number.*\(line 1, column 6\)/],
    ['date(today) = "2026-11-25"', /"2026-11-25".*\(line 1, column \d+\)/],
  ])('%s', (expression, said) => {
    expect(() => resultOf(expression)).toThrow(said);
  });
});

describe('a pattern takes time that grows as the text does (EMB-038)', () => {
  it.each(['(a+)+b', '(a|a)*b', '(a*)*$b', '(a|aa)+b', '(.*)*x', 'a{0,50}a{0,50}a{0,50}b'])('%s', (pattern) => {
    expect(['false', 'BudgetSpent']).toContain(outcomeOf(`regextest("${pattern}", long)`));
  });

  it('and finds in a short text what the expression finds', () => {
    expect(resultOf('regextest("^(a+)+b$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab")')).toBe(true);
  });

  it.each([
    'padleft("a", 1000000000)',
    '"abc" * 1000000000',
    'replace(long, "a", long)',
    'regexreplace(long, "a", long)',
  ])('and %s is refused for its size', (expression) => {
    expect(outcomeOf(expression)).toBe('BudgetSpent');
  });
});

function outcomeOf(expression: string): string {
  try {
    return String(resultOf(expression));
  } catch (error) {
    if (error instanceof BudgetSpent) return 'BudgetSpent';
    return error instanceof RowError ? 'RowError' : String(error);
  }
}
