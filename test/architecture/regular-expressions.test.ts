import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import recheck from 'recheck/lib/browser.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { SourceFile } from '#test/architecture/layer-rules.ts';
import { loadedWith } from '#test/architecture/loaded-files.ts';
import { regexBounds } from '#test/architecture/regex-bounds.ts';
import { regexesIn } from '#test/architecture/regular-expressions.ts';
import { isLong } from '#test/support/form.ts';

const filesIn = (room: string): readonly string[] =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(room, name));
const sources: readonly SourceFile[] = ['domain', 'application', 'adapters', 'infrastructure']
  .flatMap(filesIn)
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const found = sources.flatMap(regexesIn);

// No time-outs: what is found does not depend on what else the machine does.
const calm = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  recallTimeout: null,
} as const;
const quick = { ...calm, attackLimit: 2_000_000, maxIteration: 1 } as const;

/**
 * The regular expressions that this version of the checker has found linear: the short form believes it, since the checker says the same of
 * the same each time. The long form asks it about all, and `npm run test:long -- <this file> -u` writes the list.
 */
const listPath = join(import.meta.dirname, 'linear-regexes.txt');
const { version } = z.object({ version: z.string() }).parse(readPackage());
const header = `Found linear by recheck ${version}:`;
const [madeBy, ...listed] = readFileSync(listPath, 'utf8').split('\n');
const judged = new Map<string, string>(madeBy === header && !isLong ? listed.map((key) => [key, 'linear']) : []);
/** Without a repetition that has no end, each place of the text takes a bounded number of steps. */
const repeats = /[*+]|\{\d+,\}/;
const keyOf = (pattern: string, flags: string): string => `/${pattern}/${flags}`;

function readPackage(): unknown {
  return JSON.parse(readFileSync('node_modules/recheck/package.json', 'utf8'));
}

/** What the checker says of a regular expression: 'linear', or for what texts it is not. */
function judgement(pattern: string, flags: string): string {
  const key = keyOf(pattern, flags);
  const known = judged.get(key) ?? verdictOn(pattern, flags);
  judged.set(key, known);
  return known;
}

function verdictOn(pattern: string, flags: string): string {
  if (!repeats.test(pattern)) return 'linear';
  const result = recheck.checkSync(pattern, flags, quick);
  if (result.status === 'safe') return 'linear';
  if (result.status === 'vulnerable') return `${result.complexity.summary}, for ${result.attack.pattern}`;
  return `not known: ${result.error.kind}`;
}

describe('a regular expression', () => {
  it('runs in linear time, or only in threads, or is listed with the bound of its input', () => {
    const onLoop = loadedWith(filesIn('bootstrap'), true);
    const isBounded = ({ path, code }: Readonly<{ path: string; code: string }>) =>
      regexBounds.some((one) => one.path === path && one.code === code);
    const lost = found
      .filter((one) => onLoop.has(one.path) && !isBounded(one))
      .flatMap(({ path, line, code, pattern, flags }) => {
        const text = pattern === null ? 'built of more than constants' : judgement(pattern, flags);
        return text === 'linear' ? [] : [`${path}:${line}: ${code}: ${text}`];
      });
    expect(found.length).toBeGreaterThan(400);
    expect(lost).toEqual([]);
  }, 600_000);

  it.runIf(isLong)(
    'is in the list of those that were found linear if it exists and is linear',
    async () => {
      const linear = found
        .flatMap(({ pattern, flags }) => (pattern === null || !repeats.test(pattern) ? [] : [keyOf(pattern, flags)]))
        .filter((key) => judged.get(key) === 'linear');
      const lines = [header, ...new Set(linear.toSorted())];
      await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(listPath);
    },
    600_000,
  );

  it('is loaded by the threads of reactions and programs if no program loads it on its event loop', () => {
    const onLoop = loadedWith(filesIn('bootstrap'), true);
    const inThreads = loadedWith(['adapters/reactions/reaction-jobs.ts', 'adapters/programs/program-jobs.ts']);
    const elsewhere = found.filter(({ path }) => !onLoop.has(path));
    expect(elsewhere.length).toBeGreaterThan(10);
    expect(elsewhere.filter(({ path }) => !inThreads.has(path))).toEqual([]);
  });

  it('is listed only if it exists and is not linear', () => {
    const unneeded = regexBounds.filter(({ path, code }) => {
      const one = found.find((regex) => regex.path === path && regex.code === code);
      return one === undefined || (one.pattern !== null && judgement(one.pattern, one.flags) === 'linear');
    });
    expect(unneeded).toEqual([]);
  });

  it.each([
    ['a literal', 'const a = /a+b/i;', [['a+b', 'i']]],
    ['in a class of its own', 'class A { #a = /x/; }', [['x', '']]],
    ['a text', "const a = new RegExp('a.b', 'g');", [['a.b', 'g']]],
    ['a call without new', "RegExp('a');", [['a', '']]],
    ['constants in a template', "const b = 'x|y';\nconst a = new RegExp(`^(?:${b})$`);", [['^(?:x|y)$', '']]],
    [
      'the source of another',
      "const b = /x/;\nconst a = new RegExp(`${b.source}|z`, 'u');",
      [
        ['x', ''],
        ['x|z', 'u'],
      ],
    ],
    ['a text that is matched', "name.match('a*');", [['a*', '']]],
    ['of a value', 'const a = (b: string) => new RegExp(`^${b}$`);', [[null, '']]],
    ['none', "const a = 1 / 2 / 3; name.replace('/a/', '');", []],
  ])('is found in: %s', (_, text, expected) => {
    expect(regexesIn({ path: 'a.ts', text }).map(({ pattern, flags }) => [pattern, flags])).toEqual(expected);
  });

  it.each([
    [/\s+$/, false],
    [/^(a+)+$/, false],
    [/<[^>]*>/, false],
    [/(?<!a)a+$/, true],
    [/^[^:]+:/, true],
  ])('is judged correctly: %s', (regex, isLinear) => {
    expect(verdictOn(regex.source, regex.flags) === 'linear').toBe(isLinear);
  });
});
