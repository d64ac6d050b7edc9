import { describe, expect, it } from 'vitest';
import { isKeptAs } from '#adapters/services/changes/kept-values.ts';

describe('a value that a service kept in a form of its own (UNDO-065)', () => {
  it.each([
    ['rounded to cents', 1_234.565, 1_234.57],
    ['rounded half to even', 1_234.565, 1_234.56],
    ['without what binary fractions add', 0.1 + 0.2, 0.3],
    ['rounded to no cents', 10.004, 10],
    ['a number as a text', 900.5, '900.50'],
    ['without blanks', '  Padded \t', 'Padded'],
    ['only blanks', '   ', null],
    ['with other ends of lines', 'One\r\nTwo  \r\n', 'One\nTwo'],
    ['composed', 'cafe\u0301', 'caf\u00e9'],
    ['an address in small letters', 'Ann@Example.COM', 'ann@example.com'],
    ['a day with its first moment', '2026-12-01', '2026-12-01T00:00:00.000Z'],
    ['a time in the user’s zone', '2026-12-01 10:00:00', '2026-12-01T10:00:00+01:00'],
    ['the same moment in another zone', '2026-12-01T10:00:00+01:00', '2026-12-01T09:00:00Z'],
    ['a list', [' a ', 'b'], ['a', 'b']],
    ['members', { value: 10.005, currency: 'EUR' }, { value: 10.01, currency: 'EUR', label: null }],
  ])('is the same: %s', (_, given, kept) => {
    expect(isKeptAs(given, kept)).toBe(true);
  });

  it.each([
    ['an amount rounded by hand', 1_234.56, 1_235],
    ['another small rate', 0.004, 0.001],
    ['another cent', 10.01, 10.02],
    ['another text', 'Acme', 'Acme Ltd'],
    ['other case', 'Acme', 'ACME'],
    ['a text that was cleared', 'Acme', null],
    ['a value that was added', null, 'Acme'],
    ['another day', '2026-12-01', '2026-12-02T00:00:00Z'],
    ['another time of the day', '2026-12-01', '2026-12-01T09:00:00Z'],
    ['another moment', '2026-12-01T10:00:00Z', '2026-12-01T10:00:00+01:00'],
    ['a shorter list', ['a', 'b'], ['a']],
    ['another order', ['a', 'b'], ['b', 'a']],
    ['a further member', { value: 1 }, { value: 1, label: 'work' }],
    ['zero for nothing', null, 0],
    ['false for nothing', null, false],
    ['a text for a list', ['a', 'b'], 'a'],
  ])('is another one: %s', (_, given, kept) => {
    expect(isKeptAs(given, kept)).toBe(false);
  });

  it.each([
    ['an amount without cents', 1_234.56, 1_235],
    ['a formatted number', ' (020) 7946-0000 ', '020 79460000'],
    ['in capitals', 'Acme', 'ACME'],
  ])('is the same where nobody changed the record since: %s', (_, given, kept) => {
    expect([isKeptAs(given, kept, true), isKeptAs(given, kept)]).toEqual([true, false]);
  });

  it.each([
    ['another text', 'Acme', 'Bcme'],
    ['another amount', 1_200, 1_300],
  ])('is another one even then: %s', (_, given, kept) => {
    expect(isKeptAs(given, kept, true)).toBe(false);
  });
});
