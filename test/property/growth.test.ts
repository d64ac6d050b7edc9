import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkInput } from '#adapters/input/check-input.ts';
import { coqlText } from '#adapters/services/suite-crm/inputs/coql.ts';
import { criteriaText } from '#adapters/services/suite-crm/inputs/criteria.ts';
import { readerFiles, readers } from '#test/property/readers.ts';
import { casesOf } from '#test/support/form.ts';
import { costOfGrowth } from '#test/support/measures/cost-of-growth.ts';

// Text from outside is read in time that grows as it does: whoever sends much waits, and nobody else does.

/** How many times more work four times the text may be: the square of 2 is 4, of 4 it is 16. */
const maxGrowth = 6;

/** Texts in which a pattern that tries again at every character, or divides a run in every way, is lost. */
const pieces: readonly string[] = [
  ' ',
  '\n',
  '\t',
  '/',
  ';',
  '<',
  '<a ',
  '[',
  '](',
  '[[',
  '`',
  '` ',
  '```\n',
  '~',
  '*',
  '_',
  '_id_',
  '-',
  '--- ',
  '---\n',
  '\\',
  '%',
  '{',
  '{{',
  '&',
  '&a',
  'a+&',
  '&#',
  ':',
  '::',
  '"',
  "'",
  '(',
  '"\'',
  '=',
  '.',
  '0',
  '1.',
  '- ',
  '> ',
  '    a\n\n',
  'a ',
  'http://',
  '<http://a',
  'www.',
  '\u0323\u0301',
  '\u200b',
  '\ud800',
  '^a ',
  '[a]: x  ',
  'token= ',
  'filename=" ',
  '-----BEGIN CERTIFICATE-----',
];
/** The same text with what a search from its end, or for its end, stumbles over. */
const ends: readonly (readonly [string, string])[] = [
  ['', ''],
  ['a', 'a'],
  ['a', '\n'],
  ['[a]: x', 'y'],
  ['<', '"'],
];

const hostile =
  (piece: string, [start, end]: readonly [string, string]) =>
  (size: number) =>
    start + piece.repeat(Math.ceil(size / piece.length)) + end;

type Case = readonly [name: string, read: (text: string) => unknown, index: number];

const cases: readonly Case[] = Object.entries(readers)
  .flatMap(([path, all]) => Object.entries(all).map(([name, read]) => [`${path} ${name}`, read] as const))
  .flatMap(([name, read], index) => (typeof read === 'string' ? [] : [[name, read, index] as const]));

describe('the work for a text from outside grows as the text does (EDGE-016)', () => {
  it.each(cases)('%s (EDGE-016)', (_, read, index) => {
    // Each text alone, and with one of the ends; of all in the short form a twelfth, another one for each reader.
    const lost = casesOf(pieces, (piece) => (pieces.indexOf(piece) + index) % 12 === 0).flatMap((piece) =>
      casesOf(ends, (end) => end === ends[0] || ends.indexOf(end) === 1 + (index % (ends.length - 1))).flatMap(
        (end) => {
          const growth = costOfGrowth(read, hostile(piece, end), maxGrowth);
          return growth <= maxGrowth ? [] : [`${JSON.stringify([end[0], piece, end[1]])}: ${growth.toFixed(1)} times`];
        },
      ),
    );
    expect(lost).toEqual([]);
  });

  it('for a condition of many comparisons', () => {
    const conditionOf = (size: number) => ({
      all: Array.from({ length: size / 16 }, () => ({ field: 'Name', operator: 'equals' as const, value: "O'(" })),
    });
    expect(costOfGrowth((where) => coqlText({ select: ['id'], from: 'Deals', where }), conditionOf)).toBeLessThan(6);
    expect(costOfGrowth(criteriaText, conditionOf)).toBeLessThan(6);
  });

  it('for many arguments that nothing has', () => {
    const record = z.strictObject({ title: z.string(), stage_id: z.number().optional(), email: z.email().optional() });
    const inputOf = (size: number) => Object.fromEntries(Array.from({ length: size }, (_, index) => [`no${index}`, 1]));
    expect(costOfGrowth((input) => checkInput(record, input), inputOf)).toBeLessThan(6);
  });

  it('for many members that are null', () => {
    const texts = z.strictObject({ by: z.record(z.string(), z.string()) });
    const inputOf = (size: number) => ({
      by: Object.fromEntries(Array.from({ length: size }, (_, index) => [`no${index}`, null])),
    });
    expect(costOfGrowth((input) => checkInput(texts, input), inputOf)).toBeLessThan(6);
  });
});

/** The names of the functions and classes that a file exports. */
function exportsOf(path: string): readonly string[] {
  return parseAst(readFileSync(path, 'utf8'), { lang: 'ts' }).body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration' || node.declaration === null) return [];
    const { declaration } = node;
    if (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration') {
      return declaration.id === null ? [] : [declaration.id.name];
    }
    if (declaration.type !== 'VariableDeclaration') return [];
    return declaration.declarations.flatMap(({ id, init }) =>
      id.type === 'Identifier' && init?.type === 'ArrowFunctionExpression' ? [id.name] : [],
    );
  });
}

describe('the list of readers', () => {
  const files = readerFiles.flatMap((pattern) => globSync(pattern)).toSorted();

  it('contains every function of the files that read external texts, and no other', () => {
    expect(files.length).toBeGreaterThan(80);
    const found = files.map((path) => [path, exportsOf(path).toSorted()]).filter(([, names]) => names?.length !== 0);
    const listed = files.flatMap((path) => {
      const names = Object.keys(readers[path] ?? {}).toSorted();
      return names.length === 0 ? [] : [[path, names]];
    });
    expect(listed).toEqual(found);
  });

  it('has all normalizing of texts in one place, which refuses long runs of combining marks (EDGE-016)', () => {
    const sources = globSync('{domain,application,adapters,infrastructure,bootstrap}/**/*.ts');
    const normalizing = sources.filter((path) => readFileSync(path, 'utf8').includes('.normalize('));
    expect(normalizing).toEqual(['domain/text/nfc.ts']);
  });

  it('contains no file that does not exist', () => {
    expect(Object.keys(readers).filter((path) => globSync(path).length === 0)).toEqual([]);
  });
});
