import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const rooms = ['domain', 'application', 'adapters', 'infrastructure', 'bootstrap', 'test', 'docs'];
const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
const texts = /\.(?:ts|mjs|js|eta|html|md|json|yaml)$/;

/** Words of a former idiom: returned, reported, again, request and status say it plainly. */
const idiom = /\b(?:told|anew|wish(?:es|ed|ing)?|standings?|departs in|is no key of)\b/gi;

/** The name of a migration, which stays as databases have it. */
const kept = /connection-?standings/gi;

/** The idiom in a text, also within names that are written in camel case. */
function idiomIn(text: string): readonly string[] {
  return (
    text
      .replace(kept, '')
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .match(idiom) ?? []
  );
}

it('sources, pages, tests and documents use plain English instead of the former idiom', () => {
  const files = rooms.flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' }).map((name) => join(room, name)),
  );
  const read = [...files, ...documents].filter(
    (path) => texts.test(path) && path !== join('test', 'architecture', 'words.test.ts'),
  );
  const found = read.flatMap((path) => idiomIn(readFileSync(path, 'utf8')).map((word) => `${path}: ${word}`));
  expect(found).toEqual([]);
});

/** A group within another that begins with a preposition or a relative: its tests have their subject two levels above. */
const fragment =
  /^ +describe(?:\.each\([^\n]*\))?\(\s*['"`](?:after|and|as|at|because|before|but|by|for|from|if|in|include|into|of|on|since|that|to|until|when|where|which|while|who|whose|with|without)\b[^\n]*/gm;

it('a group of tests names its subject, so that a title has subject and verb in itself or in the group above it', () => {
  const files = globSync('test/**/*.test.ts');
  expect(files).not.toEqual([]);
  expect(files.flatMap((path) => readFileSync(path, 'utf8').match(fragment) ?? [])).toEqual([]);
  expect("  describe('with a grant', () => {".match(fragment)).toHaveLength(1);
  expect("describe('in reactions', () => {\n  describe('a session with a grant', () => {".match(fragment)).toBeNull();
});

it.each(['is told so', 'const toldTo = 1', 'Sign in anew', 'maxWish', 'two standings', 'deals.get departs in "x"'])(
  'the idiom is found: %s',
  (text) => expect(idiomIn(text)).toHaveLength(1),
);

it.each(['an outstanding invoice', 'understanding', 'table connection_standings'])(
  'other words are left alone: %s',
  (text) => expect(idiomIn(text)).toEqual([]),
);
