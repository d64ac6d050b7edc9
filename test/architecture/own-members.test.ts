import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SourceFile } from '#test/architecture/layer-rules.ts';
import { openLookUps, tableTypes } from '#test/architecture/own-members.ts';

const rooms = ['domain', 'application', 'adapters', 'infrastructure', 'bootstrap'];
const sources: SourceFile[] = rooms.flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(room, name))
    .filter((path) => path !== 'domain/shared/own.ts')
    .map((path) => ({ path, text: readFileSync(path, 'utf8') })),
);
const tables = tableTypes(sources);

describe('members under external keys', () => {
  it('are looked up as own members, in every file', () => {
    expect(sources.flatMap((source) => openLookUps(source, tables))).toEqual([]);
  });

  it.each([
    ['a table', 'const words: Readonly<Record<string, string>> = {};\nconst word = words[given];'],
    ['a table that may not be there', 'function f(values?: Record<string, string>) {\n  return values?.[given];\n}'],
    [
      'a member that is a table',
      'type T = { words: Record<string, string> };\nconst word = t.words[given.toLowerCase()];',
    ],
    ['a table of a named type', 'const words: Words = {};\nconst word = words[given];'],
  ])('are reported when they may be inherited: %s', (_, text) => {
    expect(openLookUps({ path: 'adapters/a.ts', text }, ['Words'])).toHaveLength(1);
  });

  it.each([
    ['by `own`', 'const words: Record<string, string> = {};\nconst word = own(words, given);'],
    ['under a literal', "const words: Record<string, string> = {};\nconst word = words['given'];"],
    ['written, not read', 'const words: Record<string, string> = {};\nwords[given] = text;'],
    ['in a table of known keys', 'const words: Record<Kind, string> = kinds;\nconst word = words[kind];'],
  ])('are not reported otherwise: %s', (_, text) => {
    expect(openLookUps({ path: 'adapters/a.ts', text }, [])).toEqual([]);
  });
});
