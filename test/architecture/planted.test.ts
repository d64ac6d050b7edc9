import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clausesOf, repeatedOf } from '#test/architecture/specification.ts';
import { credentialGroups, type PlantedFault } from '#test/planted/fault.ts';
import { allPlanted } from '#test/planted/lists/all.ts';
import { namedTests, titlesOf } from '#test/planted/named-tests.ts';
import { noneYetFile, noneYetIn, noneYetOf, textOfNoneYet } from '#test/planted/none-yet.ts';
import { partOfToday, withinPart } from '#test/planted/parts.ts';

const specification = readFileSync('docs/specification.md', 'utf8');
const { clauses } = clausesOf(specification);
const ids = clauses.map(({ id }) => id);
/** The clauses that hold for every server of the interface: those whose line does not end with †. */
const ofInterface = ids.filter((id) => !specification.split(`- **${id}** `)[1]?.split('\n')[0]?.endsWith('†'));
const listed = noneYetIn(readFileSync(noneYetFile, 'utf8'));
const nameOf = ({ clause, file, find }: PlantedFault): string => `${clause} in ${file}: ${find}`;
const timesIn = (text: string, part: string): number => text.split(part).length - 1;

describe('the planted faults', () => {
  it('replace a text that the file has exactly once', () => {
    const stale = allPlanted.filter(
      ({ file, find }) => !existsSync(file) || timesIn(readFileSync(file, 'utf8'), find) !== 1,
    );
    expect(stale.map(nameOf)).toEqual([]);
  });

  it('put another text in its place, and are listed once', () => {
    expect(allPlanted.filter(({ find, replace }) => find === replace).map(nameOf)).toEqual([]);
    expect(repeatedOf(allPlanted.map(nameOf))).toEqual([]);
  });

  it('are each against a clause that exists', () => {
    expect(allPlanted.map(({ clause }) => clause).filter((clause) => !ids.includes(clause))).toEqual([]);
  });

  it('are there for every clause without † but those listed, and the list names none that has a fault', () => {
    const without = noneYetOf(clauses, allPlanted);
    expect(ofInterface.length).toBeGreaterThan(120);
    expect(ofInterface.filter((id) => without.includes(id) && !listed.includes(id))).toEqual([]);
    expect(listed.filter((id) => !without.includes(id))).toEqual([]);
  });

  it('are there for most clauses of the groups that handle credentials', () => {
    const ofCredentials = clauses.filter(({ group }) => credentialGroups.includes(group)).map(({ id }) => id);
    const without = noneYetOf(clauses, allPlanted);
    const planted = ofCredentials.filter((id) => !without.includes(id));
    expect(planted.length * 2).toBeGreaterThan(ofCredentials.length);
  });
});

describe('the runner of planted faults', () => {
  it('finds the tests of a clause by the ends of their titles, those that start soonest first', () => {
    const files = namedTests().get('CODE-006') ?? [];
    expect(files[0]).toBe('test/unit/oauth/exchange-code.test.ts');
    expect(files).toContain('test/http/authorization/endpoints.test.ts');
  });

  it('finds the tests that run a suite in which a clause is named', () => {
    expect(namedTests().get('CODE-004')).toContain('test/contract/auth-memory.test.ts');
  });

  it('knows the titles of a clause, alone or among others', () => {
    const titles = titlesOf(['CODE-006']);
    expect(titles.test('refuses old codes (CODE-006)')).toBe(true);
    expect(titles.test('a code > is old (CODE-005, CODE-006, TOKEN-001)')).toBe(true);
    expect(titles.test('refuses CODE-006 (CODE-005)')).toBe(false);
  });

  it('judges each fault once when all parts had their day', () => {
    const faults = Array.from({ length: 100 }, (_, index) => index);
    const days = Array.from({ length: 13 }, (_, day) => partOfToday(faults.length, day * 86_400_000));
    expect(new Set(days).size).toBe(13);
    expect(days.flatMap((part) => withinPart(faults, part)).toSorted((a, b) => a - b)).toEqual(faults);
    expect(() => withinPart(faults, '14/13')).toThrow('--part takes i/n');
  });

  it('reads the list of those without a fault as it writes it', () => {
    const without = ['SET-001', 'SET-003', 'CODE-001'];
    expect(textOfNoneYet(without)).toBe('SET: 001 003\nCODE: 001\n');
    expect(noneYetIn(textOfNoneYet(without))).toEqual(without);
  });
});
