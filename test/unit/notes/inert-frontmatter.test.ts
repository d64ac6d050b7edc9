import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { inertFrontmatter } from '#domain/notes/inert-frontmatter.ts';

const inert = (value: string) => inertFrontmatter({ value })['value'];

it.each([
  ['Fix <Button> & login: 100% of a < b > c', 'Fix ‹Button› & login: 100% of a < b > c'],
  ['<% tp.file %>', '‹% tp.file %›'],
  ['<%* x', '‹%* x'],
  ['[[Secret]] ![[Secret]]', '[ [Secret]] ![ [Secret]]'],
  ['![x](https://x.example)', '![x] (https://x.example)'],
  ['`$= dv.x`', "'$= dv.x'"],
  ['%%a%%', '% %a% %'],
  ['obsidian://open', 'obsidian: //open'],
  ['two\n---\nlines', 'two --- lines'],
])('the value %j becomes %j (NOTE-005)', (value, shown) => {
  expect(inert(value)).toBe(shown);
});

it('the texts of a list are made inert one by one, and other values stay', () => {
  expect(inertFrontmatter({ labels: ['[[a]]', 'b'], value: 1, project: null })).toEqual({
    labels: ['[ [a]]', 'b'],
    value: 1,
    project: null,
  });
});

it('a value that is already inert stays unchanged, so that a written one is found again', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'< > % [ ] ( ) { } ! : / ` $ = a \n'.split(' '), ' ') }),
      (text) => {
        expect(inert(String(inert(text)))).toBe(inert(text));
        expect(inert(text)).not.toMatch(/<[%a-z/!?$]|\[\[|\]\(|`|%%|\{\{|\n/);
      },
    ),
  );
});
